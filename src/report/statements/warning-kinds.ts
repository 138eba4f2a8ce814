import { groupBy } from '../../analysis/grouping.ts';
import type { Warning } from '../../analysis/warning-codes/coded-warning.ts';
import { count, plural } from '../../text/wording.ts';

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
