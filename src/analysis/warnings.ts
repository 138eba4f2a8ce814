import { groupBy } from '../kit/grouping.ts';
import { shownName } from '../kit/names.ts';
import { count, plural } from '../kit/wording.ts';
import type { Warning } from './warning.ts';
import { RULES } from './warnings/rules.ts';
import type { Evidence } from './warnings/warning-rule.ts';

/** All warnings of a run, the most serious first. */
export function warningsOf(evidence: Evidence): readonly Warning[] {
  return RULES.flatMap(({ code, find }) =>
    find(evidence).map(({ what, brief, cause, remedy, ...found }): Warning => {
      const words = { what: shownName(what), ...(brief === undefined ? {} : { brief: shownName(brief) }) };
      return { code, ...found, ...words, cause: shownName(cause), remedy };
    }),
  );
}

export type WarningKind = readonly [Warning, ...Warning[]];

/** Warnings by code, in the order of the first of each. */
export function warningKinds(warnings: readonly Warning[]): readonly WarningKind[] {
  return [...groupBy(warnings, ({ code }) => code).values()];
}

/** What void numbers, to be told first: those of latencies each with its numbers, others by kind. */
export function unfitKinds(warnings: readonly Warning[]): readonly WarningKind[] {
  return warningKinds(warnings.filter(({ unfit }) => unfit !== undefined)).flatMap((kind) =>
    kind[0].unfit?.of === 'comparison' ? [kind] : kind.map((warning): WarningKind => [warning]),
  );
}

/** `2 warnings`, `43 warnings of 4 kinds`; counts the rows in analysis.json. */
export function warningCount(warnings: readonly Warning[]): string {
  const kinds = warningKinds(warnings).length;
  const all = plural(warnings.length, 'warning');
  if (kinds === warnings.length) return all;
  return `${all} of ${kinds === 1 ? 'one kind' : `${count(kinds)} kinds`}`;
}

/** Variants whose latencies are not fit for use, each with the last reason: comparisons, rules and sentences ask this. */
export function unfitLatencies(warnings: readonly Warning[]): ReadonlyMap<string, string> {
  return new Map(
    warnings.flatMap(({ unfit }) =>
      unfit?.of === 'latencies' ? unfit.variants.map((variant) => [variant, unfit.because] as const) : [],
    ),
  );
}
