import type { Level } from '../media/compare/level.ts';
import type { EffectiveOutcome } from './effective-outcomes.ts';
import type {
  CacheFinding,
  LoadFinding,
  OmittedSeed,
  ProbeReason,
  RequestsFailed,
  SeedEffect,
  SeedFinding,
} from './probes/probe-finding.ts';

/**
 * What must be known to read a measure: a code, some with the number that belongs to it. Words for them are the reports'
 * business (report/words/measures/note-words.ts); results/README.md lists them.
 */
export type Note = { readonly code: PlainNoteCode } | { readonly code: NumberedNoteCode; readonly value: number };

export type NoteCode = PlainNoteCode | NumberedNoteCode;

/** Codes that stand alone. */
export type PlainNoteCode = PlainMeasureNoteCode | PlainProbeNoteCode;

/** Codes that a number belongs to. */
export type NumberedNoteCode = NumberedMeasureNoteCode | NumberedProbeNoteCode;

export type PlainMeasureNoteCode =
  | 'no_trial'
  | 'no_delivered_trial'
  | 'no_ok_trial'
  | 'no_price'
  /** No cell delivered two takes. */
  | 'no_repeated_cell'
  /** The value lies between the last take that came in time and those that did not. */
  | 'next_to_time_outs'
  /** There is none, whatever n. */
  | 'no_interval'
  | 'closed_load'
  | 'mixed_order'
  /** Several machines without a common clock. */
  | 'sharded'
  /** Of a knee. */
  | 'all_timed_out'
  | 'steps_not_told_apart'
  /** Where repeats come from a cache: the measure is of first takes; or repeats are counted in it. */
  | 'first_takes'
  | 'cached_repeats'
  /** Of `latency.cold`: there was no warm-up, or what became of it. */
  | 'no_warmup'
  | `warmup_${Exclude<EffectiveOutcome, 'timed_out'>}`;

export type NumberedMeasureNoteCode =
  /** Too few: of trials that counted, for an interval or for a value at all. */
  | 'needs_n'
  | 'value_needs_n'
  | 'needs_prompts'
  | 'needs_slices'
  | 'needs_steps'
  /** The value lies above so many milliseconds, among time-outs. */
  | 'censored_above_ms'
  | 'ci_high_above_ms'
  | 'ci_above_ms'
  | 'timed_out'
  /** So many are left out: takes, failed trials of unknown cost, slices. */
  | 'timed_out_left_out'
  | 'not_compared_left_out'
  | 'unpriced_left_out'
  /** Requests that are not counted, since their cost is not known. */
  | 'unknown_cost'
  | 'short_slices_left_out'
  /** Takes depend on those before: how many independent ones they are worth. */
  | 'effective_n'
  /** Of open load, the most calls in flight. */
  | 'ceiling'
  | 'slices_too_short'
  /** Of a knee, a step. */
  | 'rises_to_step'
  | 'falls_from_step'
  | 'not_told_from_step'
  /** Steps whose throughput or latency has no interval. */
  | 'steps_without_interval';

/** What a probe found, and why one is not testable. */
export type PlainProbeNoteCode =
  | SeedFinding['code']
  | OmittedSeed['code']
  | CacheFinding['code']
  | LoadFinding['code']
  | Exclude<ProbeReason['code'], 'requests_failed' | 'no_take' | 'one_take' | 'too_few_pairs' | 'too_few_seeds'>
  /** Where a target claims nothing of seeds, what is seen. */
  | `seen_${SeedEffect}`
  /** The lowest level among the takes of one seed. */
  | `within_${Level}`
  /** How most of a probe's requests failed. */
  | `most_often_${RequestsFailed['outcome']}`;

export type NumberedProbeNoteCode =
  | 'requests_failed'
  | 'requests_sent'
  | 'no_take'
  | 'one_take'
  | 'needs_pairs'
  | 'too_few_seeds'
  | 'takes'
  | 'bound'
  | 'pairs'
  | 'equal'
  | 'p'
  | 'detectable_ratio'
  | 'said_of_repeats'
  | 'said_of_fresh'
  | 'changed_concurrent'
  | 'changed_alone';

/** A note: a code, with its number where one belongs to it. */
export function noted(
  ...[code, value]: readonly [code: PlainNoteCode, value?: undefined] | readonly [code: NumberedNoteCode, value: number]
): Note {
  return value === undefined ? { code } : { code, value };
}

/** Notes as they stand in a table: codes joined by `;`, each with its number behind `=`: `needs_n=59;no_interval`. */
export function joinedNotes(notes: readonly { readonly code: string; readonly value?: number }[]): string {
  return notes.map(({ code, value }) => (value === undefined ? code : `${code}=${value}`)).join(';');
}

/** Whether a code is among notes. */
export function hasNote(notes: readonly Note[], code: NoteCode): boolean {
  return notes.some((note) => note.code === code);
}
