import { number, part, type Recorded, shape, share } from '../../kit/declare.ts';

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
