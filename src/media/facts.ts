import { z } from 'zod';
import { choice, count, number, part, type Recorded, shape, share } from '../kit/declare.ts';

const detail = z
  .string()
  .describe('What is wrong, as a clause. It may hold the text of a decoder, shortened: hostile.');

export const decodeFaultSchema = choice('DecodeFault', 'What is wrong with bytes that do not decode.', 'code', [
  part('They are damaged, cut off, or hold nothing that decodes.', { code: z.literal('not_decodable'), detail }),
  part('They are over a limit of size, frames or seconds.', { code: z.literal('over_limit'), detail }),
]);
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
  detail: z.string().describe("The loader's own text, without folders of this machine."),
});

export const packageFaultSchema = choice(
  'PackageFault',
  'Why the optional package that decodes video cannot be used.',
  'code',
  [packageMissing, packageBroken],
);
export type PackageFault = Recorded<typeof packageFaultSchema>;

const needed = z
  .enum(['video', 'animated_avif'])
  .describe('What it is needed for: video. `animated_avif` is only in older records.');

export const missingDecoderSchema = choice(
  'MissingDecoder',
  'Why bytes that may be sound were not decoded here.',
  'code',
  [
    packageMissing.safeExtend({ needed }).describe('The optional package is not installed.'),
    packageBroken.safeExtend({ needed }).describe('The optional package does not load.'),
    part('Nothing here decodes this format, codec or kind of animation.', { code: z.literal('not_supported'), detail }),
  ],
);
export type MissingDecoder = Recorded<typeof missingDecoderSchema>;

export const integritySchema = shape(
  'ImageIntegrity',
  'Signals of one image. Levels are 0 (black) to 255, whatever its depth; transparent pixels are on white.',
  {
    blank: z.boolean().describe('One colour and opacity except for noise.'),
    lumaMean: number.describe('Mean of the luma, in levels.'),
    lumaStdDev: number.describe('Standard deviation of the luma, in levels; on white or on black, the larger.'),
    clippedLow: share.describe('Share of the samples of red, green and blue that are 0.'),
    clippedHigh: share.describe('Share of the samples of red, green and blue that are at the peak.'),
    sharpness: number.describe(
      'Variance of the Laplacian of the luma, in squared levels (Pech-Pacheco et al. 2000, LAPV). Noise and grain ' +
        'count as detail, and scaling up reduces it: compare images of one size only. On white or on black, the larger.',
    ),
    colourfulness: number.describe(
      'By Hasler and Suesstrunk 2003, equation 3: 0 for grey, about 15 slightly, 33 moderately, 82 highly colourful.',
    ),
  },
);
export type ImageIntegrity = Recorded<typeof integritySchema>;

export const signalsSchema = shape('VideoSignals', 'Signals of the frames of a video.', {
  frames: count.describe('Frames that these are measured on.'),
  frozenShare: share.nullable().describe('Share of successive frames between which nothing moves.'),
  longestFrozenS: number
    .nullable()
    .describe(
      'From the first to the last frame of the longest run of frozen ones, in seconds; 0 where none is. Where a ' +
        'lossy coder starts again with a key frame, every second or so, the image may jump enough to end a run.',
    ),
  duplicateShare: share.nullable().describe('Share of successive frames whose digests are equal.'),
  distinctFrames: count.describe(
    'How many digests there are among the frames: fewer than frames also where a video repeats itself.',
  ),
  blankShare: share
    .nullable()
    .describe(
      'Share of frames whose luma is one level but for noise (`isBlank`), on white and black; null for no frame.',
    ),
  blackShare: share
    .nullable()
    .describe('Share of frames that are blank, and black: a mean luma of at most 16 levels. A dark scene is not.'),
  flicker: number
    .nullable()
    .describe(
      'Mean absolute change of the mean luma from one frame to the next, in levels. Fades and cuts count as well, ' +
        'and it depends on the frame rate: to be compared between videos of one rate.',
    ),
  siMax: number
    .nullable()
    .describe('Spatial information (ITU-T P.910): the largest of the frames; null if it cannot be measured.'),
  siMean: number.nullable().describe('The mean.'),
  tiMax: number.nullable().describe('Temporal information (ITU-T P.910): the largest; null for one frame.'),
  tiMean: number.nullable().describe('The mean.'),
});
export type VideoSignals = Recorded<typeof signalsSchema>;
