import type { Note, NumberedMeasureNoteCode, PlainMeasureNoteCode } from '../../../analysis/note.ts';
import { count, duration, plural } from '../../../text/wording.ts';
import { NUMBERED_PROBE_WORDS, PLAIN_PROBE_WORDS } from '../probes/probe-note-words.ts';

const PLAIN_WORDS: Readonly<Record<PlainMeasureNoteCode, string>> = {
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

const NUMBERED_WORDS: Readonly<Record<NumberedMeasureNoteCode, (value: number) => string>> = {
  needs_n: (n) => `no interval: n < ${count(n)}`,
  value_needs_n: (n) => `no value: n < ${count(n)}`,
  needs_prompts: (n) => `no interval: fewer than ${count(n)} prompts`,
  needs_slices: (slices) => `no interval: fewer than ${count(slices)} slices`,
  needs_steps: (steps) => `no knee: fewer than ${count(steps)} steps delivered`,
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
  not_told_from_step: (step) => `not separable from concurrency ${count(step)}`,
};

const PLAIN = { ...PLAIN_WORDS, ...PLAIN_PROBE_WORDS };
const NUMBERED = { ...NUMBERED_WORDS, ...NUMBERED_PROBE_WORDS };

export function noteClauses(notes: readonly Note[]): readonly string[] {
  return notes.map((note) => ('value' in note ? NUMBERED[note.code](note.value) : PLAIN[note.code]));
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
