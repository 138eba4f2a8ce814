import { z } from 'zod';
import { PROBES } from './suite.ts';

export const probesSchema = z.array(z.enum(PROBES));

export const levelsSchema = z.strictObject({
  near: z
    .strictObject({
      max_difference: z
        .number()
        .min(0)
        .max(1, { error: 'must be a share of the range of a sample; write 0.0118 for 3 steps of 255' })
        .optional()
        .describe('largest difference of a sample, as a share of its range; default 2/255'),
      psnr: z.number().positive().optional().describe('least PSNR in dB; default 48'),
    })
    .optional()
    .describe('visually identical'),
  similar: z
    .strictObject({
      ssim: z.number().min(0).max(1).optional().describe('least SSIM; default 0.95'),
      chroma: z.number().min(0).max(255).optional().describe('largest mean distance of chroma, of 255; default 4'),
      pdq: z.int().min(0).max(256).optional().describe('largest PDQ distance, in bits of 256; default 10'),
    })
    .optional()
    .describe('visually similar'),
  related: z
    .strictObject({
      pdq: z.int().min(0).max(256).optional().describe('largest PDQ distance, in bits of 256; default 31'),
    })
    .optional()
    .describe('recognisably related'),
});
