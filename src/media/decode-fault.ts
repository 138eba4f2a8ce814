import { z } from 'zod';
import { choice, part, type Recorded } from '../shape/declare.ts';
import { count } from '../shape/fields.ts';

const detail = z.string().describe("The decoder's own text, shortened: hostile.");

export const decodeFaultSchema = choice(
  'DecodeFault',
  "What is wrong with bytes that do not decode. `detail` is a decoder's own text, shortened: hostile.",
  'code',
  [
    part('An image does not decode.', { code: z.literal('damaged'), detail }),
    part('The container of a video cannot be read.', { code: z.literal('container_damaged'), detail }),
    part('The codec header of a video cannot be read.', {
      code: z.literal('codec_header_damaged'),
      codec: z.string().describe('Its name.'),
      detail,
    }),
    part('It is damaged after so many frames.', {
      code: z.literal('stream_damaged'),
      frames: count.describe('Frames that decoded.'),
      detail: detail.nullable().describe("The decoder's own text, shortened: hostile; may be null."),
    }),
    part('A frame is damaged.', {
      code: z.literal('frame_damaged'),
      frame: count.describe('Its number, from 1.'),
      detail: detail.nullable().describe("The decoder's own text, shortened: hostile; may be null."),
    }),
    part('It is shorter than its container declares.', {
      code: z.literal('cut_off'),
      declaredBytes: z.number().describe('Bytes that it declares.'),
      bytes: count.describe('Bytes that it has.'),
    }),
    part('It is shorter than its header declares.', {
      code: z.literal('frames_end_early'),
      declaredS: z.number().describe('Seconds that it declares.'),
      endS: z.number().describe('Seconds after which it ends.'),
    }),
    part('An animated PNG has fewer or more frames than it declares.', {
      code: z.literal('frames_missing'),
      declared: z.number().describe('Frames that it declares.'),
      frames: count.describe('Frames that decoded.'),
    }),
    part('It has nothing that decodes.', { code: z.enum(['no_frame', 'no_video_stream', 'unknown_codec']) }),
    part('An animated PNG has a damaged chunk.', {
      code: z.literal('wrong_checksum'),
      chunk: z.string().describe('Its name.'),
    }),
    part('An animated PNG has damaged chunks.', {
      code: z.enum([
        'chunks_out_of_order',
        'wrong_frame_control',
        'unknown_frame_rules',
        'frame_without_data',
        'frame_outside_canvas',
        'wrong_frame_size',
      ]),
    }),
    part('It is over a limit, all frames together.', {
      code: z.enum(['too_many_frames', 'too_many_pixels', 'too_many_bytes']),
      limit: z.number().describe('The limit.'),
    }),
    part('It is over the limit of seconds.', {
      code: z.literal('too_long'),
      limitS: z.number().describe('The limit, in seconds.'),
    }),
    part('Its frames are over the limit of pixels.', {
      code: z.literal('frame_too_large'),
      width: count.describe('In pixels.'),
      height: count.describe('In pixels.'),
    }),
  ],
);
export type DecodeFault = Recorded<typeof decodeFaultSchema>;

const packageMissing = part('It is not installed.', {
  code: z.literal('package_missing'),
  package: z.string().describe('Its name.'),
});

const packageBroken = part('It does not load.', {
  code: z.literal('package_broken'),
  package: z.string().describe('Its name.'),
  version: z.string().nullable().describe('The installed version; null if its package.json does not say.'),
  needs: z.string().describe('The versions that would do, as package.json writes them.'),
  detail: detail.describe("The loader's own text, without folders of this machine."),
});

export const packageFaultSchema = choice(
  'PackageFault',
  'Why the optional package that decodes video cannot be used.',
  'code',
  [packageMissing, packageBroken],
);
export type PackageFault = Recorded<typeof packageFaultSchema>;

const needed = z.enum(['video', 'animated_avif']);

export const missingDecoderSchema = choice(
  'MissingDecoder',
  'Why bytes that may be sound were not decoded here.',
  'code',
  [
    packageMissing
      .safeExtend({ needed: needed.describe('What it is needed for.') })
      .describe('The optional package is not installed.'),
    packageBroken
      .safeExtend({ needed: needed.describe('What it is needed for.') })
      .describe('The optional package does not load.'),
    part('The package cannot read this container.', {
      code: z.literal('no_demuxer'),
      mime: z.string().describe('The media type.'),
    }),
    part('The package cannot decode this codec.', {
      code: z.literal('no_decoder'),
      codec: z.string().describe('Its name.'),
      alpha: z.boolean().describe('Whether it has alpha.'),
    }),
    part('The package cannot convert the frames.', { code: z.literal('no_conversion') }),
    part('Animated AVIF with alpha, or with frames of several sizes, is not supported.', {
      code: z.enum(['avif_alpha', 'avif_frame_sizes']),
    }),
  ],
);
export type MissingDecoder = Recorded<typeof missingDecoderSchema>;
