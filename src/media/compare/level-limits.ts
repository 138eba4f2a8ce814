import { z } from 'zod';
import { number, share } from '../../shape/fields.ts';
import type { Recorded } from '../../shape/recorded.ts';

export const levelLimitsSchema = z
  .strictObject({
    near: z
      .strictObject({
        maxDifference: share.describe('The largest difference of a sample, as a share of its range.'),
        psnrDb: number.describe('The least PSNR.'),
      })
      .describe('Visually identical.'),
    similar: z
      .strictObject({
        ssim: number.describe('The least SSIM; of a video the 5th percentile of its frames.'),
        chroma: number.describe(
          'The largest mean distance of chroma, of 255; of a video the 95th percentile of its frames.',
        ),
        pdqDistance: number.describe('The most different bits of PDQ, of 256.'),
      })
      .describe('Visually similar.'),
    related: z
      .strictObject({ pdqDistance: number.describe('The most different bits of PDQ, of 256.') })
      .describe('Related by PDQ alone.'),
  })
  .meta({ id: 'LevelLimits', description: 'Where the levels below `pixel` begin.' });
export type LevelLimits = Recorded<typeof levelLimitsSchema>;
