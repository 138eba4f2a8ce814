import { z } from 'zod';
import { duration, percentage } from '../document/scalars.ts';
import { PROBES } from './suite.ts';

/** `probes:` of a suite. */
export const probesSchema = z.array(z.enum(PROBES));

const BOUNDS = ['max', 'min', 'max_increase', 'max_rise', 'none'] as const;
const bound = z.union([z.number(), duration, percentage], {
  error: 'must be a number, a duration or a percentage; write 0.1, 20s or 10%',
});

/** One rule of `gate:`. */
const ruleSchema = z
  .strictObject({
    metric: z.string().describe('the metric: latency.total, error_rate, determinism.pixel'),
    statistic: z
      .enum(['p50', 'p90', 'p95', 'p99', 'mean', 'min', 'max', 'rate', 'share'])
      .optional()
      .describe('the statistic of the metric'),
    against: z
      .enum(['variant', 'baseline', 'history'])
      .optional()
      .describe(
        'variant: the baseline variant of this run; baseline: the kept baseline; history: the same variant in earlier runs',
      ),
    over: duration.optional().describe('slow_rate: slower than this counts as slow'),
    max: bound.optional().describe('the largest value that passes'),
    min: bound.optional().describe('the smallest value that passes'),
    max_increase: percentage.optional().describe('the largest increase over the reference'),
    max_rise: percentage.optional().describe('the largest rise of a rate, in percentage points'),
    none: z.enum(['departure', 'error', 'blocked', 'change']).optional().describe('fails on the first such event'),
  })
  .superRefine((rule, context) => {
    const given = BOUNDS.filter((key) => rule[key] !== undefined);
    if (given.length === 1) return;
    const cause = given.length === 0 ? 'has no bound' : `has ${given.length} bounds`;
    context.addIssue({ code: 'custom', message: `${cause}; write one of ${BOUNDS.join(', ')}` });
  });

/** `gate:` of a suite. */
export const gateSchema = z.array(ruleSchema);

/** `levels:` of a suite or variant: where the levels between two outputs begin. */
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
