import { basename } from 'node:path';
import { METRICS } from '../../../analysis/metrics.ts';
import { type Trend, trendOf } from '../../../compare/history/trend.ts';
import { findBaseline } from '../../../record/baseline-file.ts';
import { type Checked, type Diagnostic, refused } from '../../../suite/document/diagnostic.ts';
import type { Edge } from '../../edge.ts';
import { baseStart, loadHistory, rebuildHistory } from './load-history.ts';

/**
 * What the runs of a suite measured, one after the other.
 *
 * @param folder of the suite: `results/<suite>`
 * @param options.rebuild whether history.jsonl is made again
 * @param options.warn is told why the stored baseline of the suite cannot be read
 */
export async function loadTrend(
  folder: string,
  { rebuild, warn }: { readonly rebuild: boolean; readonly warn: (diagnostics: readonly Diagnostic[]) => void },
  edge: Edge,
): Promise<Checked<Trend>> {
  const lines = rebuild ? await rebuildHistory(folder, edge) : await loadHistory(folder, edge);
  if (!lines.ok) return lines;
  if (lines.value.length === 0) {
    return refused(`${folder} has no run that can be read`, 'measure the suite with retake run, or merge its shards');
  }
  const baseline = await findBaseline(folder);
  // The series are the same without it; only what they are held against is not.
  if (!baseline.ok) warn(baseline.diagnostics);
  const baseFrom = baseline.ok && baseline.value !== null ? baseStart(lines.value, baseline.value) : null;
  return { ok: true, value: trendOf(basename(folder), lines.value, { metrics: METRICS, baseFrom }) };
}
