import { groupBy } from '../../analysis/grouping.ts';
import type { Warning } from '../../analysis/warning-codes/coded-warning.ts';
import { count, plural } from '../../text/quantity.ts';

/** Warnings of one code. */
export type WarningKind = readonly [Warning, ...Warning[]];

/** Warnings by their code, those kinds first whose first comes first. */
export function warningKinds(warnings: readonly Warning[]): readonly WarningKind[] {
  return [...groupBy(warnings, ({ code }) => code).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}

/**
 * How many warnings a run has. One is a code with what it is about, as a row of `warnings` in analysis.json, and every report counts
 * all of them: `2 warnings`, `43 warnings of 4 kinds`.
 */
export function warningCount(warnings: readonly Warning[]): string {
  const kinds = warningKinds(warnings).length;
  const all = plural(warnings.length, 'warning');
  if (kinds === warnings.length) return all;
  return `${all} of ${kinds === 1 ? 'one kind' : `${count(kinds)} kinds`}`;
}
