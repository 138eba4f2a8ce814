import { z } from 'zod';
import { amount, count, number, part, type Recorded, shape, share } from '../kit/declare.ts';

const MEANING =
  'How far two outputs lie apart. Where something is transparent, on white and on black: the less alike counts.';

export const differenceSchema = shape('Difference', MEANING, {
  frames: count.describe('Frames paired by time.'),
  unpaired: count.describe('Frames of the longer output without a counterpart: SSIM 0, and no bit of PDQ in common.'),
  samples: z
    .strictObject({
      maxDifference: share.describe('As a share of its range.'),
      psnrDb: number.nullable().describe('The worst PSNR; null without a difference.'),
    })
    .nullable()
    .describe('The largest difference of a sample; null where sizes differ.'),
  ssim: z
    .strictObject({
      p5: number.describe('The 5th percentile of the frames.'),
      worst: number.describe('The worst frame.'),
    })
    .nullable()
    .describe(
      'SSIM of luma (Wang et al. 2004, 11 x 11 Gaussian), made smaller by a whole factor to about 256 pixels on the ' +
        'shorter side; null where sizes differ.',
    ),
  chroma: amount
    .nullable()
    .describe(
      'Mean distance of (Cb, Cr) of ITU-R BT.601 over the pixels, made smaller as for SSIM, of 255: the 95th ' +
        'percentile of the frames; null where sizes differ.',
    ),
  pdqDistance: z
    .number()
    .min(0)
    .max(256)
    .nullable()
    .describe('Different bits of 256, the median over frames; null if the quality of either is below 50.'),
  correlation: z
    .number()
    .min(-1)
    .max(1)
    .optional()
    .describe('Correlation of luma at 64 x 64, as PDQ shrinks it: the median over frames; missing in older records.'),
  similarityFrames: count.describe(
    'Frames used for SSIM, chroma, PDQ and correlation: every n-th frame of a very long output.',
  ),
});
export type Difference = Recorded<typeof differenceSchema>;

export const levelLimitsSchema = shape('LevelLimits', 'Where the levels below `pixel` begin.', {
  near: part('Visually identical.', {
    maxDifference: share.describe('The largest difference of a sample, as a share of its range.'),
    psnrDb: number.describe('The least PSNR.'),
  }),
  similar: part('Visually similar.', {
    ssim: number.describe('The least SSIM; of a video the 5th percentile of its frames.'),
    chroma: number.describe(
      'The largest mean distance of chroma, of 255; of a video the 95th percentile of its frames.',
    ),
    pdqDistance: number.describe('The most different bits of PDQ, of 256.'),
  }),
  related: part('Related by PDQ alone.', { pdqDistance: number.describe('The most different bits of PDQ, of 256.') }),
});
export type LevelLimits = Recorded<typeof levelLimitsSchema>;
