import { z } from 'zod';
import {
  count,
  errorCode,
  httpStatus,
  message,
  milliseconds,
  part,
  type Recorded,
  variantName,
} from '../../kit/declare.ts';
import { undecodableSchema } from '../../record/fact.ts';
import { EFFECTIVE_OUTCOMES } from '../effective-sample.ts';
import { everyWarning, mode, variants } from './warning-fields.ts';

export const failureWarnings = [
  part('Trials that failed inside Retake.', {
    ...everyWarning,
    code: z.literal('defects'),
    trials: count.describe('How many trials.'),
  }),
  part('More than 5 % of takes failed.', {
    ...everyWarning,
    code: z.literal('many_failures'),
    variant: variantName,
    failed: count.describe('Failed takes.'),
    takes: count.describe('Takes that the service could answer.'),
    mostOften: z
      .strictObject({
        outcome: z.enum(EFFECTIVE_OUTCOMES),
        errorCode,
        httpStatus,
        count: count.describe('How many of them.'),
        message,
        undecodable: undecodableSchema.nullable().describe('Why the first does not decode; else null.'),
      })
      .nullable()
      .describe('The most frequent failure; null if no group of them is known.'),
  }),
  part('More than 5 % of pairs have a latency on one side only.', {
    ...everyWarning,
    code: z.literal('missing_pairs'),
    variant: variantName,
    baseline: z.string().describe('The baseline variant.'),
    pairs: count.describe('Blocks in which either has a latency.'),
    variantMissing: count.describe('Pairs in which the variant has none.'),
    baselineMissing: count.describe('Pairs in which the baseline has none.'),
  }),
  part('Outputs that do not decode.', {
    ...everyWarning,
    code: z.literal('undecodable_outputs'),
    variants,
    outputs: count.describe('How many outputs.'),
    reason: undecodableSchema.describe('Why the first of the most frequent kind does not decode.'),
  }),
  part('Rate-limited trials.', {
    ...everyWarning,
    code: z.literal('rate_limited'),
    variants,
    trials: count.describe('How many trials.'),
    waitedMs: milliseconds.describe('How long they waited, in all.'),
    mode: mode.describe('The mode of the load.'),
    concurrency: z.int().min(1).describe('The most in flight.'),
    servedPerSecond: z
      .number()
      .nullable()
      .describe(
        'Requests that got through, per second, from the first start to the last end; null where that is not known.',
      ),
  }),
] as const;
export type FailureWarning = Recorded<(typeof failureWarnings)[number]>;
export type FailureKind = NonNullable<Extract<FailureWarning, { code: 'many_failures' }>['mostOften']>;
