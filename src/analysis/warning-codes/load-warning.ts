import { z } from 'zod';
import { count, milliseconds, part, type Recorded, step, variantName } from '../../kit/declare.ts';
import { togetherSchema } from '../../record/run.ts';
import { everyWarning, mode } from './warning-fields.ts';

export const loadWarnings = [
  part('Takes depend on those sent before them, and intervals are wider for it.', {
    ...everyWarning,
    code: z.literal('dependent_takes'),
    variant: variantName,
    step: step.describe('Of a sweep, how many were in flight; null outside one.'),
    r: z
      .number()
      .describe("Lag-1 rank autocorrelation, in sending order, of how much longer than its cell's median each took."),
    n: count.describe('How many takes.'),
    effectiveN: z.number().describe('How many independent takes they are worth.'),
  }),
  part('Open load above capacity: the queue grew through the whole load, or a stage of it.', {
    code: z.literal('queue_grows'),
    unfit: z
      .literal(true)
      .describe("Latencies depend on how long the load lasted: no number of milliseconds is the service's."),
    variant: variantName,
    stage: z.int().min(1).nullable().describe('The stage of the load, from 1; null where it has one.'),
    offeredPerSecond: z.number().describe('Requests that were due, per second.'),
    donePerSecond: z.number().describe('Ok outputs while the stage lasted.'),
    firstMs: milliseconds
      .nullable()
      .describe('The median latency.response of the first eighth, by due time; null: above the time limit.'),
    lastMs: milliseconds
      .nullable()
      .describe('The median latency.response of the last eighth; null: above the time limit.'),
  }),
  part('Closed load: calls that were not made because of a stall (coordinated omission).', {
    ...everyWarning,
    code: z.literal('service_stalled'),
    variant: variantName,
    step: step.describe('Of a sweep, how many were in flight; null outside one.'),
    takes: count.describe('Takes of more than ten times the median, and half a second longer.'),
    longestMs: milliseconds.describe('The longest take.'),
    medianMs: milliseconds.describe('The median.'),
    hiddenCalls: z.number().describe('Calls that would have begun while those takes lasted, had they been ordinary.'),
    calls: count.describe('Calls that delivered.'),
  }),
  part('The gap between polls is more than 10 % of p50.', {
    ...everyWarning,
    code: z.literal('coarse_polls'),
    variant: variantName,
    target: z.string().describe('The target.'),
    step: step.describe('Of a sweep, how many were in flight; null outside one.'),
    gapMs: milliseconds.describe('From the last poll that said not yet to the one that said done, the median.'),
    medianMs: milliseconds.describe('The median.'),
  }),
  part('Variants ran at the same time.', { ...everyWarning, code: z.literal('contended') }),
  part('Variants ran one after the other.', {
    ...everyWarning,
    code: z.literal('drift_confounded'),
    mode: mode.describe('The mode of the load.'),
  }),
  part('Slices are smaller than load.concurrency.', {
    ...everyWarning,
    code: z.literal('concurrency_not_reached'),
    largestSlice: count.describe('Trials in the largest slice: more were never in flight.'),
    concurrency: z.int().min(1).describe('The most in flight.'),
    sweep: z.boolean().describe('Whether the load is a sweep.'),
  }),
  part('A merged run: the concurrency or rate at the service is not known.', {
    ...everyWarning,
    code: z.literal('measured_in_shards'),
    shards: z.int().min(1).describe('Shards that were merged.'),
    concurrency: z.int().min(1).describe('Of all shards together: more were never in flight.'),
    mode: z.enum(['closed', 'open']).describe('The mode of the load.'),
    together: togetherSchema.exactOptional().describe('How far the workers of a fleet kept in step.'),
  }),
] as const;
export type LoadWarning = Recorded<(typeof loadWarnings)[number]>;
