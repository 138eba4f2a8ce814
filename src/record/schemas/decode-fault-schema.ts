import { z } from 'zod';
import type { DecodeFault, MissingDecoder, PackageFault } from '../../media/decode-fault.ts';
import type { UncomparedReason, UndecodableReason, UnexaminedReason } from '../model/fact.ts';
import { schemaOf } from './exact-schema.ts';
import { count, milliseconds } from './field-schemas.ts';

const detail = z.string();

/** What is wrong with bytes that do not decode. */
const decodeFaultSchema = schemaOf<DecodeFault>('DecodeFault')(
  z.discriminatedUnion('code', [
    z.strictObject({ code: z.literal('damaged'), detail }),
    z.strictObject({ code: z.literal('container_damaged'), detail }),
    z.strictObject({ code: z.literal('codec_header_damaged'), codec: z.string(), detail }),
    z.strictObject({ code: z.literal('stream_damaged'), frames: count, detail: detail.nullable() }),
    z.strictObject({ code: z.literal('frame_damaged'), frame: count, detail: detail.nullable() }),
    z.strictObject({ code: z.literal('cut_off'), declaredBytes: z.number(), bytes: count }),
    z.strictObject({ code: z.literal('frames_end_early'), declaredS: z.number(), endS: z.number() }),
    z.strictObject({ code: z.literal('frames_missing'), declared: z.number(), frames: count }),
    z.strictObject({ code: z.enum(['no_frame', 'no_video_stream', 'unknown_codec']) }),
    z.strictObject({ code: z.literal('wrong_checksum'), chunk: z.string() }),
    z.strictObject({
      code: z.enum([
        'chunks_out_of_order',
        'wrong_frame_control',
        'unknown_frame_rules',
        'frame_without_data',
        'frame_outside_canvas',
        'wrong_frame_size',
      ]),
    }),
    z.strictObject({ code: z.enum(['too_many_frames', 'too_many_pixels', 'too_many_bytes']), limit: z.number() }),
    z.strictObject({ code: z.literal('too_long'), limitS: z.number() }),
    z.strictObject({ code: z.literal('frame_too_large'), width: count, height: count }),
  ]),
);

const packageMissing = z.strictObject({ code: z.literal('package_missing'), package: z.string() });
const packageBroken = z.strictObject({
  code: z.literal('package_broken'),
  package: z.string(),
  version: z.string().nullable(),
  needs: z.string(),
  detail,
});

export const packageFaultSchema = schemaOf<PackageFault>('PackageFault')(
  z.discriminatedUnion('code', [packageMissing, packageBroken]),
);

const needed = z.enum(['video', 'animated_avif']);

const missingDecoderSchema = schemaOf<MissingDecoder>('MissingDecoder')(
  z.discriminatedUnion('code', [
    packageMissing.safeExtend({ needed }),
    packageBroken.safeExtend({ needed }),
    z.strictObject({ code: z.literal('no_demuxer'), mime: z.string() }),
    z.strictObject({ code: z.literal('no_decoder'), codec: z.string(), alpha: z.boolean() }),
    z.strictObject({ code: z.enum(['no_conversion', 'avif_alpha', 'avif_frame_sizes']) }),
  ]),
);

const decoderTimeout = z.strictObject({ code: z.literal('timed_out'), limitMs: milliseconds });
const decoderDied = z.strictObject({ code: z.literal('decoder_died') });

export const unexaminedSchema = schemaOf<UnexaminedReason>('UnexaminedReason')(
  z.discriminatedUnion('code', [missingDecoderSchema, decoderDied]),
);

export const undecodableSchema = schemaOf<UndecodableReason>('UndecodableReason')(
  z.discriminatedUnion('code', [
    decodeFaultSchema,
    z.strictObject({ code: z.enum(['digest_changed', 'unknown_format']) }),
    decoderTimeout,
  ]),
);

export const uncomparedSchema = schemaOf<UncomparedReason>('UncomparedReason')(
  z.discriminatedUnion('code', [
    z.strictObject({ code: z.enum(['media_missing', 'no_longer_decodes']) }),
    z.strictObject({ code: z.literal('failed'), detail }),
    decodeFaultSchema,
    missingDecoderSchema,
    decoderTimeout,
    decoderDied,
  ]),
);
