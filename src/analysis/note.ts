import { z } from 'zod';
import { choice, type Recorded } from '../kit/declare.ts';
import { LEVELS } from '../media/compare/level.ts';
import { UNLIKENESS } from './cells/likeness.ts';
import { EFFECTIVE_OUTCOMES } from './effective-sample.ts';
import {
  cacheFindingSchema,
  loadFindingSchema,
  omittedSeedSchema,
  SEED_EFFECTS,
  seedFindingSchema,
} from './probes/probe-finding.ts';

const outcomes = z.enum(EFFECTIVE_OUTCOMES);

const plainNotes = [
  'no_trial',
  'no_delivered_trial',
  'no_ok_trial',
  'no_price',
  'no_repeated_cell',
  /** The value lies between the last take that came in time and those that did not. */
  'next_to_time_outs',
  /** No number of takes would give one. */
  'no_interval',
  'closed_load',
  'mixed_order',
  /** Several machines without a common clock. */
  'sharded',
  'all_timed_out',
  'steps_not_told_apart',
  /** No cell pair has a likeness. */
  'no_likeness',
  /** Repeats come from a cache: the measure is of first takes, or counts repeats. */
  'first_takes',
  'cached_repeats',
  'no_warmup',
  'not_scored',
  /** The scorer did not find copies that are known to be worse, or there were too few outputs to try. */
  'control_failed',
  'too_few_for_control',
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
  /** Too few trials counted for an interval, or for a value at all. */
  'needs_n',
  'value_needs_n',
  'needs_prompts',
  'needs_seeds',
  'needs_slices',
  'needs_steps',
  /** Time-outs leave it open: it lies above so many milliseconds. */
  'censored_above_ms',
  'ci_high_above_ms',
  'ci_above_ms',
  'timed_out',
  'timed_out_left_out',
  'not_compared_left_out',
  'unpriced_left_out',
  'unknown_cost',
  'short_slices_left_out',
  /** Takes depend on those before, and are worth so many independent ones. */
  'effective_n',
  /** The most calls that open load may have in flight. */
  'ceiling',
  'slices_too_short',
  'rises_to_step',
  'falls_from_step',
  'not_told_from_step',
  'steps_without_interval',
  /** Outputs without a value. */
  'unscored',
  /** Cell pairs without a likeness, by what kept them from it. */
  ...prefixed('likeness_', UNLIKENESS),
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

export const noteSchema = choice('Note', 'What must be known to read a measure: a code, some with a number.', 'code', [
  z.strictObject({ code: z.enum([...plainNotes, ...plainProbeNotes]) }),
  z.strictObject({
    code: z.enum([...numberedNotes, ...numberedProbeNotes]),
    value: z.number().describe('The number that belongs to the code.'),
  }),
]);
export type Note = Recorded<typeof noteSchema>;

export type PlainNoteCode = PlainMeasureNoteCode | PlainProbeNoteCode;
export type PlainMeasureNoteCode = (typeof plainNotes)[number];
export type PlainProbeNoteCode = (typeof plainProbeNotes)[number];

export type NumberedNoteCode = NumberedMeasureNoteCode | NumberedProbeNoteCode;
export type NumberedMeasureNoteCode = (typeof numberedNotes)[number];
export type NumberedProbeNoteCode = (typeof numberedProbeNotes)[number];

export type NoteCode = Note['code'];
