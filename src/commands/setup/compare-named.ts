import { metricsOf } from '../../analysis/metrics.ts';
import { compareRuns, type TwoRuns } from '../../compare/baseline/two-runs.ts';
import { type Checked, refused } from '../../suite/document/diagnostic.ts';
import type { Edge } from '../edge.ts';
import { assessNamed } from './assess-named.ts';
import type { AssessedRun } from './assess-run.ts';

export interface ComparedRuns {
  readonly found: TwoRuns;
  readonly earlier: AssessedRun;
  readonly later: AssessedRun;
}

/** Refuses runs without a common cell. */
export async function compareNamed(
  a: string,
  b: string,
  options: { readonly quiet: boolean },
  edge: Edge,
): Promise<Checked<ComparedRuns>> {
  const earlier = await assessNamed(a, options, edge);
  if (!earlier.ok) return earlier;
  const later = await assessNamed(b, options, edge);
  if (!later.ok) return later;
  const sideOf = ({ record, analysed }: AssessedRun) => ({ run: record.run, analysed });
  const found = compareRuns(sideOf(earlier.value), sideOf(later.value), metricsOf([]));
  if (found.commonCells === 0) return refused(`${a} and ${b} have no cell in common`, 'name two runs of one suite');
  return { ok: true, value: { found, earlier: earlier.value, later: later.value } };
}
