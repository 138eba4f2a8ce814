import type { ComparisonNote, NumberedComparisonNoteCode, PlainComparisonNoteCode } from '../../analysis/comparison.ts';
import type {
  Note,
  NumberedMeasureNoteCode,
  NumberedProbeNoteCode,
  PlainMeasureNoteCode,
  PlainProbeNoteCode,
} from '../../analysis/note.ts';
import { count, duration, plural, probability, shareAtMost } from '../../kit/wording.ts';

const PLAIN_MEASURE_WORDS: Readonly<Record<PlainMeasureNoteCode, string>> = {
  no_trial: 'no take to count',
  no_delivered_trial: 'no take delivered',
  no_ok_trial: 'no take was ok',
  not_scored: 'no score or vote yet; run "retake score" or "retake vote"',
  control_failed: 'the scorer does not find copies that are known to be worse',
  too_few_for_control: 'fewer than 16 outputs: too few to test the scorer',
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
  warmup_ok: 'first warm-up: ok',
  warmup_moderated: 'first warm-up: moderated',
  warmup_blank: 'first warm-up: blank',
  warmup_throttled: 'first warm-up: throttled',
  warmup_no_credit: 'first warm-up: no credit',
  warmup_rejected: 'first warm-up: rejected',
  warmup_error: 'first warm-up: error',
  warmup_invalid_media: 'first warm-up: invalid media',
  warmup_unknown_charged: 'first warm-up: unknown, may have been charged',
  warmup_cancelled: 'first warm-up: cancelled',
  warmup_dropped: 'first warm-up: dropped',
  warmup_defect: 'first warm-up: defect',
};

const NUMBERED_MEASURE_WORDS: Readonly<Record<NumberedMeasureNoteCode, (value: number) => string>> = {
  needs_n: noIntervalBelow,
  value_needs_n: (n) => `no value: n < ${count(n)}`,
  needs_prompts: (n) => `no interval: fewer than ${count(n)} prompts`,
  needs_seeds: (n) => `no value: fewer than ${count(n)} seeds of a prompt with an output`,
  needs_slices: (slices) => `no interval: fewer than ${count(slices)} slices`,
  needs_steps: (steps) => `no knee: fewer than ${count(steps)} steps delivered`,
  unscored: (n) => `${count(n)} without a score or an answer`,
  censored_above_ms: above,
  ci_high_above_ms: (ms) => `interval up to ${above(ms)}`,
  ci_above_ms: (ms) => `both ends of the interval ${above(ms)}`,
  timed_out: (n) => `${count(n)} timed out`,
  timed_out_left_out: (n) => `${count(n)} timed out, left out`,
  not_compared_left_out: (takes) => `${plural(takes, 'take')} not compared, left out`,
  unpriced_left_out: (takes) => `${plural(takes, 'failed take')} of unknown cost left out`,
  unknown_cost: (requests) => `${plural(requests, 'request')} of unknown cost not counted`,
  short_slices_left_out: (slices) => `shorter slices left out: ${count(slices)}`,
  effective_n: (n) => `interval as for ${n} independent takes`,
  ceiling: (inFlight) => `at most ${count(inFlight)} in flight`,
  slices_too_short: (takes) => `slices < ${count(takes)}`,
  rises_to_step: (step) => `no knee up to concurrency ${count(step)}: throughput / latency still rises`,
  falls_from_step: (step) => `no knee from concurrency ${count(step)} on: throughput / latency falls`,
  steps_without_interval: (steps) => `no knee: throughput or latency has no interval at ${plural(steps, 'step')}`,
  likeness_baseline_missing: (pairs) => `${plural(pairs, 'cell pair')} without an output of the baseline`,
  likeness_candidate_missing: (pairs) => `${plural(pairs, 'cell pair')} without an output of the variant`,
  likeness_both_missing: (pairs) => `${plural(pairs, 'cell pair')} without outputs`,
  likeness_not_compared: (pairs) => `${plural(pairs, 'cell pair')} not compared`,
  likeness_baseline_varies: (pairs) => `${plural(pairs, 'cell pair')} left out: repeats of the baseline differ`,
  likeness_candidate_varies: (pairs) => `${plural(pairs, 'cell pair')} left out: repeats of the variant differ`,
  likeness_seed_unused: (pairs) => `${plural(pairs, 'cell pair')} left out: a seed is ignored or not sent`,
  not_told_from_step: (step) => `not separable from concurrency ${count(step)}`,
};

export const PLAIN_PROBE_WORDS: Readonly<Record<PlainProbeNoteCode, string>> = {
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
  seen_exact: 'observed: exact',
  seen_similar: 'observed: similar',
  seen_ignored: 'observed: ignored',
  seen_unstable: 'observed: unstable',
  within_byte: 'lowest level: byte',
  within_pixel: 'lowest level: pixel',
  within_near: 'lowest level: near',
  within_similar: 'lowest level: similar',
  within_related: 'lowest level: related',
  within_different: 'lowest level: different',
  most_often_moderated: 'most often moderated',
  most_often_throttled: 'most often throttled',
  most_often_no_credit: 'most often no credit',
  most_often_rejected: 'most often rejected',
  most_often_error: 'most often error',
  most_often_timed_out: 'most often timed out',
  most_often_invalid_media: 'most often invalid media',
  most_often_unknown_charged: 'most often unknown, may have been charged',
  most_often_cancelled: 'most often cancelled',
  most_often_dropped: 'most often dropped',
  most_often_defect: 'most often defect',
  most_often_blank: 'most often blank',
};

export const NUMBERED_PROBE_WORDS: Readonly<Record<NumberedProbeNoteCode, (value: number) => string>> = {
  requests_failed: (n) => `${plural(n, 'request')} failed`,
  requests_sent: (n) => `${count(n)} sent`,
  no_take: (sent) => `no take of the first prompt and seed was delivered (${count(sent)} sent)`,
  one_take: (sent) => `only one of ${plural(sent, 'take')} of the first prompt and seed was delivered`,
  needs_pairs: (pairs) => `needs ${plural(pairs, 'pair')}`,
  too_few_seeds: (seeds) => `the target takes only ${plural(seeds, 'seed')}, too few to draw fresh ones`,
  takes: (n) => `${plural(n, 'take')} of a seed`,
  bound: (share) => `at most ${shareAtMost(share)} of further takes would differ (one-sided 95 % bound)`,
  pairs: (n) => plural(n, 'pair'),
  equal: (n) => `${plural(n, 'repeat')} byte-identical`,
  p: (p) => `p = ${p}`,
  detectable_ratio: (ratio) =>
    `a cache that makes every repeat ${ratio} times as fast would be found in 80 of 100 runs`,
  said_of_repeats: (n) => `the service reports a cache hit for ${plural(n, 'repeat')}`,
  said_of_fresh: (n) => `the service reports a cache hit for ${plural(n, 'fresh request')}`,
  changed_concurrent: (cells) => `${plural(cells, 'cell')} changed only under concurrency`,
  changed_alone: (cells) => `${plural(cells, 'cell')} changed only without concurrency`,
};

const PLAIN = { ...PLAIN_MEASURE_WORDS, ...PLAIN_PROBE_WORDS };
const NUMBERED = { ...NUMBERED_MEASURE_WORDS, ...NUMBERED_PROBE_WORDS };

/** Why takes are too few for an interval, in tables and of rules. */
export function noIntervalBelow(n: number): string {
  return `no interval: n < ${count(n)}`;
}

/** Where takes depend on each other, how many they are worth is why they are too few for an interval. */
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

/** The first clause where it is a lower bound, as `> 120 s`, and the clauses after it. */
export function lowerBoundOf(
  notes: readonly Note[],
): { readonly bound: string; readonly rest: readonly Note[] } | null {
  const [first, ...rest] = notes;
  return first?.code === 'censored_above_ms' ? { bound: above(first.value), rest } : null;
}

function above(ms: number): string {
  return `> ${trimmed(duration(ms))}`;
}

/** `120 s`, `2 s`: limits are round numbers. */
function trimmed(words: string): string {
  return words.replace(/\.0+ s$/, ' s');
}

export const BY_LESS_THAN_NOISE = "by less than this machine's noise";

export const NOT_KEPT_UP = 'this machine could not keep up';

const PLAIN_COMPARISON_WORDS: Readonly<Record<PlainComparisonNoteCode, string>> = {
  no_pair: 'no pair of takes has both values',
  candidate_timed_out: 'most pairs timed out',
  baseline_timed_out: 'the baseline variant timed out in most pairs',
  ci_low_open: 'time-outs leave the lower end of the interval open',
  ci_high_open: 'time-outs leave the upper end of the interval open',
  contended: 'variants were in flight together',
  sequential: 'variants were sent one after the other: drift is in the difference',
  below_noise_floor: BY_LESS_THAN_NOISE,
  unfit_machine: NOT_KEPT_UP,
  flagged_disagree: 'flagged takes change it',
  all_flagged: 'nothing is left of it without flagged takes',
};

const NUMBERED_COMPARISON_WORDS: Readonly<Record<NumberedComparisonNoteCode, (value: number) => string>> = {
  needs_blocks: (n) => `no interval: fewer than ${plural(n, 'block')}`,
  needs_cell_pairs: (n) => `no interval: fewer than ${plural(n, 'cell pair')}`,
  needs_rounds: (n) => `no interval: fewer than ${plural(n, 'round')}`,
  needs_prompts: (n) => `no interval: fewer than ${plural(n, 'prompt')}`,
  rounds: (n) => plural(n, 'round'),
  differs_by_prompt: (p) => `the difference depends on the prompt (p ${probability(p)})`,
};

export function comparisonNoteWords(notes: readonly ComparisonNote[]): string {
  return notes
    .map((note) =>
      'value' in note ? NUMBERED_COMPARISON_WORDS[note.code](note.value) : PLAIN_COMPARISON_WORDS[note.code],
    )
    .join('; ');
}
