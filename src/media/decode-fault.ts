import { z } from 'zod';
import { count } from '../shape/fields.ts';
import type { Recorded } from '../shape/recorded.ts';

const detail = z.string().describe("The decoder's own text, shortened: hostile.");

/** What is wrong with bytes that do not decode. */
export const decodeFaultSchema = z
  .discriminatedUnion('code', [
    z.strictObject({ code: z.literal('damaged'), detail }).describe('An image does not decode.'),
    z
      .strictObject({ code: z.literal('container_damaged'), detail })
      .describe('The container of a video cannot be read.'),
    z
      .strictObject({ code: z.literal('codec_header_damaged'), codec: z.string().describe('Its name.'), detail })
      .describe('The codec header of a video cannot be read.'),
    z
      .strictObject({
        code: z.literal('stream_damaged'),
        frames: count.describe('Frames that decoded.'),
        detail: detail.nullable().describe("The decoder's own text, shortened: hostile; may be null."),
      })
      .describe('It is damaged after so many frames.'),
    z
      .strictObject({
        code: z.literal('frame_damaged'),
        frame: count.describe('Its number, from 1.'),
        detail: detail.nullable().describe("The decoder's own text, shortened: hostile; may be null."),
      })
      .describe('A frame is damaged.'),
    z
      .strictObject({
        code: z.literal('cut_off'),
        declaredBytes: z.number().describe('Bytes that it declares.'),
        bytes: count.describe('Bytes that it has.'),
      })
      .describe('It is shorter than its container declares.'),
    z
      .strictObject({
        code: z.literal('frames_end_early'),
        declaredS: z.number().describe('Seconds that it declares.'),
        endS: z.number().describe('Seconds after which it ends.'),
      })
      .describe('It is shorter than its header declares.'),
    z
      .strictObject({
        code: z.literal('frames_missing'),
        declared: z.number().describe('Frames that it declares.'),
        frames: count.describe('Frames that decoded.'),
      })
      .describe('An animated PNG has fewer or more frames than it declares.'),
    z
      .strictObject({ code: z.enum(['no_frame', 'no_video_stream', 'unknown_codec']) })
      .describe('It has nothing that decodes.'),
    z
      .strictObject({ code: z.literal('wrong_checksum'), chunk: z.string().describe('Its name.') })
      .describe('An animated PNG has a damaged chunk.'),
    z
      .strictObject({
        code: z.enum([
          'chunks_out_of_order',
          'wrong_frame_control',
          'unknown_frame_rules',
          'frame_without_data',
          'frame_outside_canvas',
          'wrong_frame_size',
        ]),
      })
      .describe('An animated PNG has damaged chunks.'),
    z
      .strictObject({
        code: z.enum(['too_many_frames', 'too_many_pixels', 'too_many_bytes']),
        limit: z.number().describe('The limit.'),
      })
      .describe('It is over a limit, all frames together.'),
    z
      .strictObject({ code: z.literal('too_long'), limitS: z.number().describe('The limit, in seconds.') })
      .describe('It is over the limit of seconds.'),
    z
      .strictObject({
        code: z.literal('frame_too_large'),
        width: count.describe('In pixels.'),
        height: count.describe('In pixels.'),
      })
      .describe('Its frames are over the limit of pixels.'),
  ])
  .meta({
    id: 'DecodeFault',
    description:
      "What is wrong with bytes that do not decode. `detail` is a decoder's own text, shortened: " + 'hostile.',
  });
export type DecodeFault = Recorded<typeof decodeFaultSchema>;

const packageMissing = z
  .strictObject({ code: z.literal('package_missing'), package: z.string().describe('Its name.') })
  .describe('It is not installed.');

const packageBroken = z
  .strictObject({
    code: z.literal('package_broken'),
    package: z.string().describe('Its name.'),
    version: z.string().nullable().describe('The installed version; null if its package.json does not say.'),
    needs: z.string().describe('The versions that would do, as package.json writes them.'),
    detail: detail.describe("The loader's own text, without folders of this machine."),
  })
  .describe('It does not load.');

export const packageFaultSchema = z
  .discriminatedUnion('code', [packageMissing, packageBroken])
  .meta({ id: 'PackageFault', description: 'Why the optional package that decodes video cannot be used.' });
export type PackageFault = Recorded<typeof packageFaultSchema>;

const needed = z.enum(['video', 'animated_avif']);

export const missingDecoderSchema = z
  .discriminatedUnion('code', [
    packageMissing
      .safeExtend({ needed: needed.describe('What it is needed for.') })
      .describe('The optional package is not installed.'),
    packageBroken
      .safeExtend({ needed: needed.describe('What it is needed for.') })
      .describe('The optional package does not load.'),
    z
      .strictObject({ code: z.literal('no_demuxer'), mime: z.string().describe('The media type.') })
      .describe('The package cannot read this container.'),
    z
      .strictObject({
        code: z.literal('no_decoder'),
        codec: z.string().describe('Its name.'),
        alpha: z.boolean().describe('Whether it has alpha.'),
      })
      .describe('The package cannot decode this codec.'),
    z.strictObject({ code: z.literal('no_conversion') }).describe('The package cannot convert the frames.'),
    z
      .strictObject({ code: z.enum(['avif_alpha', 'avif_frame_sizes']) })
      .describe('Animated AVIF with alpha, or with frames of several sizes, is not supported.'),
  ])
  .meta({ id: 'MissingDecoder', description: 'Why bytes that may be sound were not decoded here.' });
export type MissingDecoder = Recorded<typeof missingDecoderSchema>;
