import { z } from 'zod';
import { count, part, type Recorded, variantName } from '../../kit/declare.ts';
import { abandonmentSchema, stopSchema } from '../../record/journal.ts';
import { leftOutReasonSchema } from '../../record/run.ts';
import { everyWarning, shardNumber, variants } from './warning-fields.ts';

export const runWarnings = [
  part('Trials were not measured.', {
    ...everyWarning,
    code: z.literal('incomplete'),
    stop: stopSchema.nullable().describe('Why measuring ended; null: its process was killed.'),
    abandoned: z
      .array(z.strictObject({ variant: variantName, why: abandonmentSchema }))
      .describe('Variants that were abandoned.'),
    shards: z
      .strictObject({
        of: shardNumber.describe('How many shards the run has.'),
        missing: z.array(shardNumber).describe('The numbers of those that were not merged.'),
        stopped: z
          .array(
            z.strictObject({
              index: shardNumber.describe('From 1.'),
              stop: stopSchema.nullable().describe('Why measuring ended; null: its process was killed.'),
            }),
          )
          .describe('Those that were stopped.'),
      })
      .nullable()
      .describe('Of a merged run; else null.'),
    missing: count.describe('Trials that were not measured.'),
    planned: count.describe('Planned trials.'),
    missingProbes: count.describe('Trials of probes that were not sent.'),
  }),
  part('Variants that this machine cannot measure.', {
    ...everyWarning,
    code: z.literal('variants_left_out'),
    variants,
    reason: leftOutReasonSchema,
  }),
  part('With `--against`: environment variables that had another value when the stored baseline was measured.', {
    ...everyWarning,
    code: z.literal('changed_environment'),
    baselineRun: z.string().describe('The run of the baseline.'),
    names: z.array(z.string()).describe('The names of the variables.'),
  }),
  part('Requests sent by a process that was killed.', {
    ...everyWarning,
    code: z.literal('unanswered_requests'),
    requests: count.describe('How many requests.'),
  }),
  part('One repeat: determinism cannot be measured.', { ...everyWarning, code: z.literal('single_takes') }),
  part('No warm-up was planned.', { ...everyWarning, code: z.literal('not_warmed_up') }),
  part('No warm-up succeeded.', { ...everyWarning, code: z.literal('warmup_failed'), variants }),
] as const;
export type RunWarning = Recorded<(typeof runWarnings)[number]>;
