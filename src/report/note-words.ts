import type { NoteCode } from '../analysis/note.ts';
import { count, duration } from './quantity.ts';

/** What a code says; the number of a code that has none is NaN. */
const WORDS: Readonly<Record<NoteCode, (value: number) => string>> = {
  needs_n: (n) => `no CI: n < ${count(n)}`,
  value_needs_n: (n) => `no value: n < ${count(n)}`,
  no_trial: () => 'no trial to count',
  no_delivered_trial: () => 'no trial delivered',
  censored_above_ms: above,
  next_to_time_outs: () => 'next to time-outs',
  ci_high_above_ms: (ms) => `CI up to ${above(ms)}`,
  ci_above_ms: (ms) => `both ends of the CI ${above(ms)}`,
  timed_out: (n) => `${count(n)} timed out`,
  timed_out_left_out: (n) => `${count(n)} timed out, left out`,
  autocorrelation: (r) => `r = ${r}`,
  effective_n: (n) => `CI as for ${n} independent takes`,
  too_dependent: () => 'no CI: takes depend on each other',
  needs_prompts: (n) => `no CI: fewer than ${count(n)} prompts`,
  no_interval: () => 'no CI',
  closed_load: () => 'closed load drops nothing',
  ceiling: (inFlight) => `at most ${count(inFlight)} in flight`,
  mixed_order: () => 'no rate: variants were mixed',
  slices_too_short: (takes) => `slices < ${count(takes)}`,
  needs_slices: (slices) => `no CI: fewer than ${count(slices)} slices`,
  short_slices_left_out: (slices) => `shorter slices left out: ${count(slices)}`,
  needs_steps: (steps) => `no knee: fewer than ${count(steps)} steps delivered`,
  all_timed_out: () => 'no knee: more than half timed out at every step',
  rises_to_step: (step) => `no knee up to ${count(step)} in flight: throughput per latency still rises`,
  falls_from_step: (step) => `no knee from ${count(step)} in flight on: throughput per latency falls from there`,
  steps_not_told_apart: () => 'no knee: the intervals of throughput do not separate the steps',
  not_told_from_step: (step) => `not separable from ${count(step)} in flight`,
};

/** A note in words; text that is no code of ours stands as it is. */
export function noteWords(note: string): string {
  return codesOf(note)
    .map(({ text, code, value }) => (code === null ? text : WORDS[code](value)))
    .join('; ');
}

/** Whether a note begins with a value's floor, as `> 120 s`; then what follows it. */
export function floorOf(note: string): { readonly floor: string; readonly rest: string } | null {
  const [first, ...rest] = codesOf(note);
  if (first?.code !== 'censored_above_ms') return null;
  return { floor: above(first.value), rest: noteWords(rest.map(({ text }) => text).join(';')) };
}

function codesOf(
  note: string,
): readonly { readonly text: string; readonly code: NoteCode | null; readonly value: number }[] {
  return note
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((text) => {
      const [name = '', number = ''] = text.split('=');
      return { text, code: isCode(name) ? name : null, value: number === '' ? Number.NaN : Number(number) };
    });
}

function isCode(name: string): name is NoteCode {
  return Object.hasOwn(WORDS, name);
}

function above(ms: number): string {
  return `> ${trimmed(duration(ms))}`;
}

/** `120 s`, `2 s`: limits are round numbers. */
function trimmed(words: string): string {
  return words.replace(/\.0+ s$/, ' s');
}
