import { joinedNotes } from '../../analysis/noted.ts';
import type { Comparison, Scope } from '../../compare/comparison.ts';
import type { RuleVerdict } from '../../compare/gate/verdict.ts';
import type { CsvColumn } from './table.ts';

/** The verdict is null where no rule is about the comparison. */
export interface ComparisonRow extends Comparison {
  readonly verdict: RuleVerdict | null;
}

export const COMPARISON_COLUMNS: readonly CsvColumn<ComparisonRow>[] = [
  ['variant', (row) => row.variant],
  ['baseline', (row) => row.baseline],
  ['kind', (row) => row.kind],
  ['scope', (row) => scopeText(row.scope)],
  ['metric', (row) => row.metric],
  ['statistic', (row) => row.statistic],
  ['effect', (row) => row.effect],
  ['value', (row) => row.value],
  ['ci_low', (row) => row.ciLow],
  ['ci_high', (row) => row.ciHigh],
  ['n_pairs', (row) => row.cellPairs],
  ['missing_pairs', (row) => row.missingBlocks],
  ['p', (row) => row.p],
  ['p_adjusted', (row) => row.pAdjusted],
  ['verdict', (row) => row.verdict],
  ['baseline_run', (row) => row.baselineRun],
  ['note', (row) => joinedNotes(row.notes)],
  ['unit', (row) => row.unit],
  ['better', (row) => row.better],
  ['ci_level', (row) => row.ciLevel],
  ['method', (row) => row.method],
  ['step', (row) => row.step],
  ['n_better', (row) => row.cellPairsBetter],
  ['censored_pairs', (row) => row.censoredBlocks],
  ['value_unflagged', (row) => row.valueUnflagged],
  ['finding', (row) => row.finding],
  ['units', (row) => row.units],
  ['n_units', (row) => row.nUnits],
];

/** `blocks`, `rounds`, `cells`, `prompts`, `prompt:<id>`, `tag:<tag>`. */
function scopeText(scope: Scope): string {
  if (scope.of === 'prompt') return `prompt:${scope.id}`;
  return scope.of === 'tag' ? `tag:${scope.tag}` : scope.of;
}
