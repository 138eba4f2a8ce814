import { groupBy } from '../../../analysis/grouping.ts';
import type { Warning } from '../../../analysis/warning-codes/coded-warning.ts';
import { count, plural } from '../../../kit/wording.ts';
import { FAILURE_WARNING_WORDS } from './failure-warning-words.ts';
import { HARNESS_WARNING_WORDS } from './harness-warning-words.ts';
import { LOAD_WARNING_WORDS } from './load-warning-words.ts';
import { OUTPUT_WARNING_WORDS } from './output-warning-words.ts';
import { PROBE_WARNING_WORDS } from './probe-warning-words.ts';
import { RUN_WARNING_WORDS } from './run-warning-words.ts';
import { SEED_WARNING_WORDS } from './seed-warning-words.ts';
import type { WarningText, Worded, WordsOf } from './warning-text.ts';

const WORDS: WordsOf<Warning['code']> = {
  ...RUN_WARNING_WORDS,
  ...FAILURE_WARNING_WORDS,
  ...HARNESS_WARNING_WORDS,
  ...LOAD_WARNING_WORDS,
  ...OUTPUT_WARNING_WORDS,
  ...SEED_WARNING_WORDS,
  ...PROBE_WARNING_WORDS,
};

export function warningWords(warning: Warning): WarningText {
  const words: Worded<Warning> = WORDS[warning.code];
  return words(warning);
}

export type WarningKind = readonly [Warning, ...Warning[]];

/** The codes in the order of their first warning. */
export function warningKinds(warnings: readonly Warning[]): readonly WarningKind[] {
  return [...groupBy(warnings, ({ code }) => code).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}

/** `2 warnings`, `43 warnings of 4 kinds`; counts the rows of `warnings` in analysis.json. */
export function warningCount(warnings: readonly Warning[]): string {
  const kinds = warningKinds(warnings).length;
  const all = plural(warnings.length, 'warning');
  if (kinds === warnings.length) return all;
  return `${all} of ${kinds === 1 ? 'one kind' : `${count(kinds)} kinds`}`;
}
