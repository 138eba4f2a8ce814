import { count, duration, plural, shareAtMost } from '../kit/wording.ts';
import { LEVELS } from '../media/level.ts';
import { EFFECTIVE_OUTCOMES, type EffectiveOutcome } from './effective-sample.ts';

/*
 * What must be known to read a measure: codes, each with its words. Some have a number. analysis.json and CSV have the
 * codes.
 */

const PLAIN_MEASURE = {
  no_trial: 'no take to count',
  no_delivered_trial: 'no take delivered',
  no_ok_trial: 'no take was ok',
  no_price: 'no price known',
  no_repeated_cell: 'no cell has two takes',
  next_to_time_outs: 'only time-outs are slower',
  no_interval: 'no interval',
  closed_load: 'closed load drops nothing',
  mixed_order: 'no rate: order is mixed',
  sharded: 'no rate: shards have no common clock',
  all_timed_out: 'no knee: more than half timed out at every step',
  steps_not_told_apart: 'no knee: the intervals of throughput do not separate the steps',
  no_likeness: 'no likeness',
  first_takes: 'first takes only: cached',
  cached_repeats: 'includes repeats from a cache',
  no_warmup: 'no warm-up',
  not_scored: 'no score or vote yet; run "retake score" or "retake vote"',
  control_failed: 'the scorer does not find copies that are known to be worse',
  too_few_for_control: 'fewer than 16 outputs: too few to test the scorer',
  ...prefixed(
    'warmup_',
    EFFECTIVE_OUTCOMES.filter((outcome) => outcome !== 'timed_out'),
    (outcome) => `first warm-up: ${plainOutcome(outcome)}`,
  ),
};

/** Also results of probes, and why something is not testable. */
export const PLAIN_PROBE_WORDS = {
  exact: 'exact',
  similar: 'similar',
  ignored: 'ignored: one image for all seeds',
  unstable: 'unstable: takes of one seed differ',
  not_claimed: 'not claimed',
  not_testable: 'not testable',
  random: 'random',
  constant: 'constant',
  not_supported: 'not supported',
  cached: 'repeats come from a cache',
  no_sign: 'no sign',
  batch_dependent: 'concurrency changes the output (batch-dependent)',
  too_few_discordant: 'inconclusive: too few cells disagree',
  no_seed: 'the target takes no seed',
  no_spare_seed: 'the target takes no seeds besides those of the suite',
  seed_required: 'the target always sends a seed',
  concurrency_1: 'load.concurrency is 1, so requests never run together',
  one_cell: 'the plan has one prompt and seed, so requests never run together',
  not_sent: 'the run ended before its requests were sent',
  not_compared: 'takes were not compared',
  ...prefixed('seen_', ['exact', 'similar', 'ignored', 'unstable'], (effect) => `observed: ${effect}`),
  ...prefixed('within_', LEVELS, (level) => `lowest level: ${level}`),
  ...prefixed(
    'most_often_',
    EFFECTIVE_OUTCOMES.filter((outcome) => outcome !== 'ok'),
    (outcome) => `most often ${plainOutcome(outcome)}`,
  ),
};

const NUMBERED_MEASURE = {
  needs_n: noIntervalBelow,
  value_needs_n: (n: number) => `no value: n < ${count(n)}`,
  needs_prompts: (n: number) => `no interval: fewer than ${count(n)} prompts`,
  needs_slices: (slices: number) => `no interval: fewer than ${count(slices)} slices`,
  needs_steps: (steps: number) => `no knee: fewer than ${count(steps)} steps delivered`,
  censored_above_ms: above,
  ci_high_above_ms: (ms: number) => `interval up to ${above(ms)}`,
  ci_above_ms: (ms: number) => `both ends of the interval ${above(ms)}`,
  timed_out: (n: number) => `${count(n)} timed out`,
  timed_out_left_out: (n: number) => `${count(n)} timed out, left out`,
  not_compared_left_out: (takes: number) => `${plural(takes, 'take')} not compared, left out`,
  unpriced_left_out: (takes: number) => `${plural(takes, 'failed take')} of unknown cost left out`,
  unknown_cost: (requests: number) => `${plural(requests, 'request')} of unknown cost not counted`,
  short_slices_left_out: (slices: number) => `shorter slices left out: ${count(slices)}`,
  effective_n: (n: number) => `interval as for ${n} independent takes`,
  ceiling: (inFlight: number) => `at most ${count(inFlight)} in flight`,
  slices_too_short: (takes: number) => `slices < ${count(takes)}`,
  rises_to_step: (step: number) => `no knee up to concurrency ${count(step)}: throughput / latency still rises`,
  falls_from_step: (step: number) => `no knee from concurrency ${count(step)} on: throughput / latency falls`,
  not_told_from_step: (step: number) => `not separable from concurrency ${count(step)}`,
  steps_without_interval: (steps: number) =>
    `no knee: throughput or latency has no interval at ${plural(steps, 'step')}`,
  unscored: (n: number) => `${count(n)} without a score or an answer`,
  likeness_baseline_missing: (pairs: number) => `${plural(pairs, 'cell pair')} without an output of the baseline`,
  likeness_candidate_missing: (pairs: number) => `${plural(pairs, 'cell pair')} without an output of the variant`,
  likeness_both_missing: (pairs: number) => `${plural(pairs, 'cell pair')} without outputs`,
  likeness_not_compared: (pairs: number) => `${plural(pairs, 'cell pair')} not compared`,
  likeness_baseline_varies: (pairs: number) => `${plural(pairs, 'cell pair')} left out: repeats of the baseline differ`,
  likeness_candidate_varies: (pairs: number) => `${plural(pairs, 'cell pair')} left out: repeats of the variant differ`,
  likeness_seed_unused: (pairs: number) => `${plural(pairs, 'cell pair')} left out: a seed is ignored or not sent`,
};

export const NUMBERED_PROBE_WORDS = {
  requests_failed: (n: number) => `${plural(n, 'request')} failed`,
  requests_sent: (n: number) => `${count(n)} sent`,
  no_take: (sent: number) => `no take of the first prompt and seed was delivered (${count(sent)} sent)`,
  one_take: (sent: number) => `only one of ${plural(sent, 'take')} of the first prompt and seed was delivered`,
  needs_pairs: (pairs: number) => `needs ${plural(pairs, 'pair')}`,
  too_few_seeds: (seeds: number) => `the target takes only ${plural(seeds, 'seed')}, too few to draw fresh ones`,
  takes: (n: number) => `${plural(n, 'take')} of a seed`,
  bound: (share: number) => `at most ${shareAtMost(share)} of further takes would differ (one-sided 95 % bound)`,
  pairs: (n: number) => plural(n, 'pair'),
  equal: (n: number) => `${plural(n, 'repeat')} byte-identical`,
  p: (p: number) => `p = ${p}`,
  detectable_ratio: (ratio: number) =>
    `a cache that makes every repeat ${ratio} times as fast would be found in 80 of 100 runs`,
  said_of_repeats: (n: number) => `the service reports a cache hit for ${plural(n, 'repeat')}`,
  said_of_fresh: (n: number) => `the service reports a cache hit for ${plural(n, 'fresh request')}`,
  changed_concurrent: (cells: number) => `${plural(cells, 'cell')} changed only under concurrency`,
  changed_alone: (cells: number) => `${plural(cells, 'cell')} changed only without concurrency`,
};

const PLAIN = { ...PLAIN_MEASURE, ...PLAIN_PROBE_WORDS };
const NUMBERED = { ...NUMBERED_MEASURE, ...NUMBERED_PROBE_WORDS };
type PlainNoteCode = keyof typeof PLAIN;
type NumberedNoteCode = keyof typeof NUMBERED;

export const PLAIN_NOTE_CODES = Object.keys(PLAIN) as PlainNoteCode[];
export const NUMBERED_NOTE_CODES = Object.keys(NUMBERED) as NumberedNoteCode[];

export type Note =
  | { readonly code: PlainNoteCode }
  | {
      readonly code: NumberedNoteCode;
      readonly value: number;
    };
export type NoteCode = Note['code'];

function prefixed<P extends string, C extends string>(
  prefix: P,
  codes: readonly C[],
  words: (code: C) => string,
): Readonly<Record<`${P}${C}`, string>> {
  const entries = codes.map((code) => [`${prefix}${code}`, words(code)]);
  return Object.fromEntries(entries) as Record<`${P}${C}`, string>;
}

function plainOutcome(outcome: EffectiveOutcome): string {
  return outcome === 'unknown_charged' ? 'unknown, may have been charged' : outcome.replaceAll('_', ' ');
}

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

/** Reason for too few takes for an interval, in tables and rules. */
export function noIntervalBelow(n: number): string {
  return `no interval: n < ${count(n)}`;
}

/** If takes depend on each other, their effective number explains a missing interval. */
export function noteClauses(notes: readonly Note[]): readonly string[] {
  const isTooFew = notes.some(({ code }) => code === 'needs_n');
  return notes.map((note) => {
    if (!('value' in note)) return PLAIN[note.code];
    if (note.code === 'effective_n' && isTooFew) return `these takes are worth ${note.value} independent ones`;
    return NUMBERED[note.code](note.value);
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
