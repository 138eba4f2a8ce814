import { z } from 'zod';
import { unfitnessSchema } from '../../record/schemas/calibration-schema.ts';
import { uncomparedSchema, undecodableSchema, unexaminedSchema } from '../../record/schemas/decode-fault-schema.ts';
import { schemaOf } from '../../record/schemas/exact-schema.ts';
import { count, json, milliseconds } from '../../record/schemas/field-schemas.ts';
import { PROBES } from '../../suite/format/suite.ts';
import type { Warning } from '../analysis.ts';
import { EFFECTIVE_OUTCOMES } from '../effective-outcomes.ts';
import {
  cacheFindingSchema,
  loadFindingSchema,
  probeReasonSchema,
  seedFindingSchema,
} from '../probes/probe-finding-schema.ts';
import { runWarnings } from './run-warning-schema.ts';

const variant = z.string();
const variants = z.array(variant);
const step = z.int().min(1).nullable();
const mode = z.enum(['closed', 'open']);

/** The numbers are not fit for use: always, or as found. */
const unfit = z.literal(true);
const everyWarning = { unfit: unfit.exactOptional() };

/** p99, or the largest where there are too few for one. */
const statistic = z.enum(['p99', 'max']);
const media = z.enum(['image', 'video']);

export const warningSchema = schemaOf<Warning>('Warning')(
  z.discriminatedUnion('code', [
    z.strictObject({
      ...everyWarning,
      code: z.literal('too_many_late_stamps'),
      variants: z.array(z.strictObject({ variant, late: count, samples: count, agree: z.boolean().nullable() })),
      ofVariants: count,
      loopDelay: z.strictObject({ p99Ms: milliseconds, maxMs: milliseconds }).nullable(),
      mode,
      concurrency: count,
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('flags_disagree'),
      variant,
      step,
      withFlaggedMs: milliseconds.nullable(),
      withoutFlaggedMs: milliseconds.nullable(),
    }),
    z.strictObject({ ...everyWarning, code: z.literal('seed_not_honoured'), variant, cells: count, ofCells: count }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('other_seed_echoed'),
      variant,
      samples: count,
      ofSamples: count,
      sent: z.number(),
      echoed: z.number(),
      kept: z.strictObject({ how: z.enum(['modulo', 'clamp', 'signed']), size: z.number() }).nullable(),
    }),
    z.strictObject({ ...everyWarning, code: z.literal('no_seed_sent'), variants, seeds: z.array(count) }),
    z.strictObject({ ...everyWarning, code: z.literal('same_for_all_seeds'), variants, prompts: count }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('equal_variants'),
      variants,
      cells: count,
      constants: z.array(z.strictObject({ name: z.string(), values: z.array(json) })),
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('many_failures'),
      variant,
      failed: count,
      takes: count,
      mostOften: z
        .strictObject({
          outcome: z.enum(EFFECTIVE_OUTCOMES),
          errorCode: z.string(),
          httpStatus: z.int().nullable(),
          count,
          message: z.string(),
          undecodable: undecodableSchema.nullable(),
        })
        .nullable(),
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('undecodable_outputs'),
      variants,
      outputs: count,
      reason: undecodableSchema,
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('not_decoded'),
      variants,
      outputs: count,
      media: z.enum(['image', 'video']),
      reason: unexaminedSchema.nullable(),
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('not_compared'),
      variants,
      pairs: count,
      reason: uncomparedSchema,
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('rate_limited'),
      variants,
      trials: count,
      waitedMs: milliseconds,
      mode,
      concurrency: z.int().min(1),
      servedPerSecond: z.number().nullable(),
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('dependent_takes'),
      variant,
      step,
      r: z.number(),
      n: count,
      effectiveN: z.number(),
    }),
    z.strictObject({
      code: z.literal('queue_grows'),
      unfit,
      variant,
      stage: z.int().min(1).nullable(),
      offeredPerSecond: z.number(),
      donePerSecond: z.number(),
      firstMs: milliseconds.nullable(),
      lastMs: milliseconds.nullable(),
    }),
    z.strictObject({ ...everyWarning, code: z.literal('served_from_cache'), variant, cache: cacheFindingSchema }),
    z.strictObject({
      ...everyWarning,
      code: z.enum(['seed_ignored', 'seed_unstable', 'seed_similar']),
      variant,
      claim: z.enum(['exact', 'similar', 'none']),
      seed: seedFindingSchema,
    }),
    z.strictObject({ ...everyWarning, code: z.enum(['omitted_seed_constant', 'omitted_seed_random']), variant }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('batch_dependent'),
      variant,
      concurrency: z.int().min(1),
      load: loadFindingSchema,
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('probe_not_testable'),
      variant,
      probe: z.enum(PROBES),
      reason: probeReasonSchema,
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('probe_left_out'),
      probe: z.enum(PROBES),
      whole: z.boolean(),
      variants,
      reason: probeReasonSchema,
    }),

    z.strictObject({ ...everyWarning, code: z.literal('defects'), trials: count }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('missing_pairs'),
      variant,
      baseline: z.string(),
      pairs: count,
      variantMissing: count,
      baselineMissing: count,
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('late_starts'),
      variant,
      lagMs: milliseconds,
      statistic,
      limitMs: milliseconds,
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('dropped_starts'),
      variant,
      dropped: count,
      starts: count,
      concurrency: z.int().min(1),
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('abandoned_requests'),
      requests: count.nullable(),
      samples: count,
      variants,
      interrupted: z.boolean(),
      withoutCancel: variants,
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('unfit_machine'),
      shards: z.array(z.int().min(1)).nullable(),
      reason: unfitnessSchema,
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('blank_outputs'),
      variant,
      outputs: count,
      prompts: count,
      media,
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('other_size'),
      variant,
      outputs: count,
      asked: z.string(),
      width: count,
      height: count,
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('flagged_samples'),
      flag: z.enum(['harness_lag', 'resumed', 'cached', 'slowed']),
      variants,
      samples: count,
      blocks: count,
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('service_stalled'),
      variant,
      step,
      takes: count,
      longestMs: milliseconds,
      medianMs: milliseconds,
      hiddenCalls: z.number(),
      calls: count,
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('coarse_polls'),
      variant,
      target: z.string(),
      step,
      gapMs: milliseconds,
      medianMs: milliseconds,
    }),
    z.strictObject({ ...everyWarning, code: z.literal('contended') }),
    z.strictObject({ ...everyWarning, code: z.literal('drift_confounded'), mode }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('concurrency_not_reached'),
      largestSlice: count,
      concurrency: z.int().min(1),
      sweep: z.boolean(),
    }),
    z.strictObject({
      ...everyWarning,
      code: z.literal('measured_in_shards'),
      shards: z.int().min(1),
      concurrency: z.int().min(1),
      mode: z.enum(['closed', 'open']),
    }),
    ...runWarnings,
  ]),
);
