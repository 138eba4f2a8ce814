import { z } from 'zod';
import { count, milliseconds, part, type Recorded, step, variantName } from '../../kit/declare.ts';
import { unfitnessSchema } from '../../record/calibration.ts';
import { everyWarning, mode, statistic, variants } from './warning-fields.ts';

export const harnessWarnings = [
  part('This machine was late in stamping so many samples that their tails are not fit for use.', {
    ...everyWarning,
    code: z.literal('too_many_late_stamps'),
    variants: z
      .array(
        z.strictObject({
          variant: variantName,
          late: count.describe('Samples that were stamped late.'),
          samples: count.describe('Its samples.'),
          agree: z
            .boolean()
            .nullable()
            .describe('Whether p50 is the same without late samples; null if that cannot be told.'),
        }),
      )
      .describe('The variants with late samples.'),
    ofVariants: count.describe('Variants of the run.'),
    loopDelay: z
      .strictObject({
        p99Ms: milliseconds.describe('The 99th percentile.'),
        maxMs: milliseconds.describe('The largest.'),
      })
      .nullable()
      .describe('How late the event loop of the thread that stamps ran; null where it was not watched.'),
    mode: mode.describe('The mode of the load.'),
    concurrency: count.describe('The most in flight.'),
  }),
  part('The medians with and without flagged samples have disjoint intervals.', {
    ...everyWarning,
    code: z.literal('flags_disagree'),
    variant: variantName,
    step,
    withFlaggedMs: milliseconds.nullable().describe('Null: above the time limit.'),
    withoutFlaggedMs: milliseconds.nullable().describe('Null: above the time limit.'),
  }),
  part('Open load: this machine started calls late.', {
    ...everyWarning,
    code: z.literal('late_starts'),
    variant: variantName,
    lagMs: milliseconds.describe('Start lag: its p99, or the largest where there are too few calls for one.'),
    statistic: statistic.describe('`p99`, or `max` of few calls.'),
    limitMs: milliseconds.describe('The lag up to which the rate counts as kept.'),
  }),
  part('Open load: starts that were due while the ceiling was reached.', {
    ...everyWarning,
    code: z.literal('dropped_starts'),
    variant: variantName,
    dropped: count.describe('Starts that were dropped.'),
    starts: count.describe('Starts that were due.'),
    concurrency: z.int().min(1).describe('The most that may be in flight.'),
  }),
  part('Requests may still have run at the service; samples ran at the same time.', {
    ...everyWarning,
    code: z.literal('abandoned_requests'),
    requests: count.nullable().describe('Null where they were not counted.'),
    samples: count.describe('How many samples.'),
    variants: variants.describe('Variants of these samples.'),
    interrupted: z.boolean().describe('The user aborted them: no time limit did.'),
    withoutCancel: variants.describe('Those whose target does not say how to cancel a job.'),
  }),
  part('Calibration found it before the run.', {
    ...everyWarning,
    code: z.literal('unfit_machine'),
    shards: z
      .array(z.int().min(1))
      .nullable()
      .describe('Of a merged run, the shards whose machines it was found against, the worst first; null of any other.'),
    reason: unfitnessSchema.describe('Of several shards, that of the worst.'),
  }),
] as const;
export type HarnessWarning = Recorded<(typeof harnessWarnings)[number]>;
export type LateVariant = Extract<HarnessWarning, { code: 'too_many_late_stamps' }>['variants'][number];
