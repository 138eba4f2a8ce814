import { z } from 'zod';
import { LEVELS } from '../../media/compare/level.ts';
import { schemaOf } from '../../record/schemas/exact-schema.ts';
import { KINDS } from '../../suite/format/suite.ts';
import type { Measure, MeasuredMetric } from '../analysis.ts';
import { EFFECTIVE_OUTCOMES } from '../effective-outcomes.ts';
import type { Note } from '../note.ts';
import {
  cacheFindingSchema,
  loadFindingSchema,
  omittedSeedSchema,
  SEED_EFFECTS,
  seedFindingSchema,
} from '../probes/probe-finding-schema.ts';
import type { MethodCode } from './method.ts';
import type { Unit } from './unit.ts';

const outcomes = z.enum(EFFECTIVE_OUTCOMES);

const plainNotes = [
  'no_trial',
  'no_delivered_trial',
  'no_ok_trial',
  'no_price',
  'no_repeated_cell',
  'next_to_time_outs',
  'no_interval',
  'closed_load',
  'mixed_order',
  'sharded',
  'all_timed_out',
  'steps_not_told_apart',
  'first_takes',
  'cached_repeats',
  'no_warmup',
  ...prefixed('warmup_', outcomes.exclude(['timed_out']).options),
] as const;

const plainProbeNotes = [
  ...seedFindingSchema.shape.code.options,
  ...omittedSeedSchema.shape.code.options,
  ...cacheFindingSchema.shape.code.options,
  ...loadFindingSchema.shape.code.options,
  'no_seed',
  'no_spare_seed',
  'seed_required',
  'concurrency_1',
  'one_cell',
  'cached',
  'not_sent',
  'not_compared',
  ...prefixed('seen_', SEED_EFFECTS),
  ...prefixed('within_', LEVELS),
  ...prefixed('most_often_', outcomes.exclude(['ok']).options),
] as const;

const numberedNotes = [
  'needs_n',
  'value_needs_n',
  'needs_prompts',
  'needs_slices',
  'needs_steps',
  'censored_above_ms',
  'ci_high_above_ms',
  'ci_above_ms',
  'timed_out',
  'timed_out_left_out',
  'not_compared_left_out',
  'unpriced_left_out',
  'unknown_cost',
  'short_slices_left_out',
  'effective_n',
  'ceiling',
  'slices_too_short',
  'rises_to_step',
  'falls_from_step',
  'not_told_from_step',
  'steps_without_interval',
] as const;

const numberedProbeNotes = [
  'requests_failed',
  'requests_sent',
  'no_take',
  'one_take',
  'needs_pairs',
  'too_few_seeds',
  'takes',
  'bound',
  'pairs',
  'equal',
  'p',
  'detectable_ratio',
  'said_of_repeats',
  'said_of_fresh',
  'changed_concurrent',
  'changed_alone',
] as const;

function prefixed<P extends string, T extends string>(prefix: P, codes: readonly T[]): readonly `${P}${T}`[] {
  return codes.map((code): `${P}${T}` => `${prefix}${code}`);
}

const noteSchema = schemaOf<Note>('Note')(
  z.discriminatedUnion('code', [
    z.strictObject({ code: z.enum([...plainNotes, ...plainProbeNotes]) }),
    z.strictObject({ code: z.enum([...numberedNotes, ...numberedProbeNotes]), value: z.number() }),
  ]),
);

const methodSchema = schemaOf<MethodCode>('MethodCode')(
  z.enum([
    'order_statistics',
    'mean',
    'minimum',
    'maximum',
    'clopper_pearson',
    'clopper_pearson_upper',
    'korn_graubard',
    'jackknife_t',
    'bracket',
    'full_slots',
    'done_while_due',
    'power',
    'hodges_lehmann',
    'count',
    'equal_pairs',
    'departures_of_takes',
    'distinct_outputs',
    'first_warmup',
    'spend_per_output',
    'sum',
    'over_outputs',
  ]),
);

export const unitSchema = schemaOf<Unit>('Unit')(
  z.enum(['ms', '1', '1/s', 'usd', 'outputs', 'in_flight', 'levels', 'levels2']),
);

export const better = z.enum(['lower', 'higher']).nullable();

export const measuredMetricSchema = schemaOf<MeasuredMetric>('MeasuredMetric')(
  z.strictObject({ name: z.string(), meaning: z.string(), unit: unitSchema, better }),
);

export const measureSchema = schemaOf<Measure>('Measure')(
  z.strictObject({
    variant: z.string(),
    kind: z.enum(KINDS),
    prompt: z.string().nullable(),
    step: z.int().min(1).nullable(),
    metric: z.string(),
    statistic: z.string(),
    value: z.number().nullable(),
    unit: unitSchema,
    better,
    n: z.number().min(0),
    ciLow: z.number().nullable(),
    ciHigh: z.number().nullable(),
    ciLevel: z.number().min(0).max(1).nullable(),
    method: methodSchema,
    notes: z.array(noteSchema),
  }),
);
