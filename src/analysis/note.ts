import { count, duration, plural } from '../kit/wording.ts';
import { CONTROL_SAMPLES } from '../record/codes.ts';
import { EFFECTIVE_OUTCOMES, type EffectiveOutcome } from './effective-sample.ts';
import { FROM_CACHE } from './probe-untestable.ts';

/*
 * What must be known to read a measure or a comparison: codes, each with its words. Some have a number. analysis.json
 * and CSV have the codes.
 */

type WarmupFailure = Exclude<EffectiveOutcome, 'timed_out'>;

const WARMUP_FAILURES = Object.fromEntries(
  EFFECTIVE_OUTCOMES.filter((outcome) => outcome !== 'timed_out').map((outcome) => {
    const words = outcome === 'unknown_charged' ? 'unknown, may have been charged' : outcome.replaceAll('_', ' ');
    return [`warmup_${outcome}`, `first warm-up: ${words}`];
  }),
) as Readonly<Record<`warmup_${WarmupFailure}`, string>>;

export const TOO_SMALL = "too small to trust: this machine's own timing varies more";

/** Flags are of this machine, of requests that were left running, and of a service that refused. */
export const WITHOUT_FLAGGED = 'the result changes without the disturbed (flagged) takes';

export const NOT_KEPT_UP = 'this machine could not keep up';

export const PLAIN_NOTES = {
  no_trial: 'no take to count',
  no_delivered_trial: 'no take delivered',
  no_ok_trial: 'no take was ok',
  no_price: 'no price known',
  no_repeated_cell: 'no prompt x seed has two takes',
  next_to_time_outs: 'only time-outs are slower',
  no_interval: 'no interval',
  closed_load: 'closed load drops nothing',
  mixed_order: 'no rate: order is mixed',
  sharded: 'no rate: shards have no common clock',
  no_likeness: 'no likeness',
  not_compared: 'takes were not compared',
  not_testable: 'not testable',
  cached: FROM_CACHE,
  first_takes: 'first takes only: cached',
  cached_repeats: 'includes repeats from a cache',
  no_warmup: 'no warm-up',
  not_scored: 'no score or vote yet; run "retake score" or "retake vote"',
  control_failed: 'the scorer does not find copies that are known to be worse',
  too_few_for_control: `fewer than ${count(CONTROL_SAMPLES)} outputs: too few to test the scorer`,
  load_holds: 'holds',
  load_fails: 'fails',
  late_load: 'not decided: this machine was too busy',
  short_load: 'not decided: the load was too short',
  queue_grew: 'the queue grew to the end',
  no_load_holds: 'no load was shown to hold',
  no_load_fails: 'no load was shown to fail',
  holds_above_fails: 'a load holds above one that fails',
  ...WARMUP_FAILURES,
  no_pair: 'no pair of takes has both values',
  candidate_timed_out: 'most pairs timed out',
  baseline_timed_out: 'the baseline variant timed out in most pairs',
  baseline_zero: 'the baseline variant is 0 in some pairs, so their ratio has no end',
  ci_low_open: 'time-outs leave the lower end of the interval open',
  ci_high_open: 'time-outs leave the upper end of the interval open',
  contended: 'variants were in flight together',
  sequential: 'variants were sent one after the other: drift is in the difference',
  /** Decides nothing: the floor is of single calls. */
  below_noise_floor: TOO_SMALL,
  /** The latencies of one side are not to be used. */
  unfit_machine: NOT_KEPT_UP,
  flagged_disagree: WITHOUT_FLAGGED,
  all_flagged: 'all takes were disturbed (flagged)',
};

const NUMBERED_NOTES = {
  needs_n: needsTakes,
  value_needs_n: needsTakes,
  needs_cells: (n: number) => `needs ${plural(n, 'prompt x seed')}`,
  censored_above_ms: above,
  ci_high_above_ms: (ms: number) => `interval up to ${above(ms)}`,
  ci_above_ms: (ms: number) => `both ends of the interval ${above(ms)}`,
  timed_out: (n: number) => `${count(n)} timed out`,
  timed_out_left_out: (n: number) => `${count(n)} timed out, left out`,
  not_compared_left_out: (takes: number) => `${plural(takes, 'take')} not compared, left out`,
  other_shape_left_out: (edits: number) => `${plural(edits, 'edit')} of another shape than the input left out`,
  unknown_cost: (requests: number) => `${plural(requests, 'request')} of unknown cost not counted`,
  amount_unknown: (takes: number) => `${plural(takes, 'take')} with outputs of unknown size or length`,
  short_slices_left_out: (slices: number) => `shorter groups left out: ${count(slices)}`,
  holds_from_n: (takes: number) => `needs ${plural(takes, 'take')} to be shown to hold`,
  rate_limited: (takes: number) => `${plural(takes, 'take')} refused or delayed by a rate limit`,
  effective_n: (n: number) => `interval as for ${n} independent takes`,
  ceiling: (inFlight: number) => `at most ${count(inFlight)} in flight`,
  slices_too_short: (takes: number) =>
    `needs groups of ${plural(takes, 'take')}: use a sweep with more repeats, or open load`,
  unscored: (n: number) => `${count(n)} without a score or an answer`,
  likeness_baseline_missing: (pairs: number) => `${plural(pairs, 'pair')} without an output of the baseline variant`,
  likeness_candidate_missing: (pairs: number) => `${plural(pairs, 'pair')} without an output of the variant`,
  likeness_both_missing: (pairs: number) => `${plural(pairs, 'pair')} without outputs`,
  likeness_not_compared: (pairs: number) => `${plural(pairs, 'pair')} not compared`,
  likeness_baseline_varies: (pairs: number) =>
    `${plural(pairs, 'pair')} left out: the baseline variant gives another output each time`,
  likeness_candidate_varies: (pairs: number) =>
    `${plural(pairs, 'pair')} left out: the variant gives another output each time`,
  likeness_seed_unused: (pairs: number) => `${plural(pairs, 'pair')} left out: a seed is ignored or not sent`,
  needs_blocks: (n: number) => `needs ${plural(n, 'pair of takes')}`,
  needs_cell_pairs: (n: number) => `needs ${plural(n, 'pair')}`,
  needs_rounds: (n: number) => `needs ${plural(n, 'group of pairs')}`,
  rounds: (n: number) => plural(n, 'group of pairs'),
};

type PlainNoteCode = keyof typeof PLAIN_NOTES;
type NumberedNoteCode = keyof typeof NUMBERED_NOTES;

export const PLAIN_NOTE_CODES = Object.keys(PLAIN_NOTES) as PlainNoteCode[];
export const NUMBERED_NOTE_CODES = Object.keys(NUMBERED_NOTES) as NumberedNoteCode[];

export type Note = { readonly code: PlainNoteCode } | { readonly code: NumberedNoteCode; readonly value: number };
export type NoteCode = Note['code'];

export function noted(
  ...[code, value]: readonly [code: PlainNoteCode, value?: undefined] | readonly [code: NumberedNoteCode, value: number]
): Note {
  return value === undefined ? { code } : { code, value };
}

/** Joins codes by `;`, each with its number behind `=`: `needs_n=59;no_interval`. */
export function joinedNotes(notes: readonly { readonly code: string; readonly value?: number }[]): string {
  return notes.map(({ code, value }) => (value === undefined ? code : `${code}=${value}`)).join(';');
}

export function hasNote(notes: readonly Note[], code: NoteCode): boolean {
  return notes.some((note) => note.code === code);
}

/** The number of a note; null without that note. */
export function noteNumber(notes: readonly Note[], code: NumberedNoteCode): number | null {
  return notes.flatMap((note) => (note.code === code && 'value' in note ? [note.value] : []))[0] ?? null;
}

/** Why there is no interval, in tables and rules. */
export function needsTakes(n: number): string {
  return `needs ${plural(n, 'take')}`;
}

/** If takes depend on each other, their effective number explains a missing interval. */
export function noteClauses(notes: readonly Note[]): readonly string[] {
  const isTooFew = notes.some(({ code }) => code === 'needs_n');
  return notes.map((note) => {
    if (!('value' in note)) return PLAIN_NOTES[note.code];
    if (note.code === 'effective_n' && isTooFew) return `these takes are worth ${note.value} independent ones`;
    return NUMBERED_NOTES[note.code](note.value);
  });
}

/** As one sentence. */
export function noteWords(notes: readonly Note[]): string {
  return noteClauses(notes).join('; ');
}

/** The first clause if it is a lower bound, as `> 120 s`, and the clauses after it. */
export function lowerBoundOf(
  notes: readonly Note[],
): { readonly bound: string; readonly rest: readonly Note[] } | null {
  const [first, ...rest] = notes;
  return first?.code === 'censored_above_ms' ? { bound: above(first.value), rest } : null;
}

function above(ms: number): string {
  return `> ${trimmed(duration(ms))}`;
}

/** Makes `120 s`, `2 s`: limits are round numbers. */
function trimmed(words: string): string {
  return words.replace(/\.0+ s$/, ' s');
}

/** Copies of one kind that a scorer must find: a coin finds this many of 16 in 0.2 %. */
export const CONTROL_FOUND = 14;

/** Why a pass on latencies says less than it seems: waits are left out of them. */
export function waitedWords(takes: number, of: number): string {
  return `${count(takes)} of ${plural(of, 'take')} waited for a rate limit, and the waits do not count here`;
}

/** How the variants of the suite against their twins of the stored baseline are called. */
export const NEW_AGAINST_IN_USE = 'new against in use';

/** One unit of a kind, in words. */
export const UNIT_NOUNS = {
  blocks: 'pair of takes',
  rounds: 'group of pairs',
  cells: 'pair',
} as const;
