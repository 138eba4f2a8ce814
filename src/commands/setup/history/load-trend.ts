import { basename } from 'node:path';
import { METRICS } from '../../../analysis/metrics.ts';
import { type Trend, trendOf } from '../../../compare/history/trend.ts';
import { findBaseline } from '../../../record/baseline-file.ts';
import { type Checked, type Diagnostic, refused } from '../../../suite/document/diagnostic.ts';
import type { Edge } from '../../edge.ts';
import { baseStart, loadHistory, rebuildHistory } from './load-history.ts';

/**
 * What the runs of a suite measured, in order.
 * @param folder `results/<suite>`
 * @param options.rebuild make history.jsonl again
 * @param options.warn called if the stored baseline cannot be read
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
  // The series do not need it; only their reference does.
  if (!baseline.ok) warn(baseline.diagnostics);
  const baseFrom = baseline.ok && baseline.value !== null ? baseStart(lines.value, baseline.value) : null;
  return { ok: true, value: trendOf(basename(folder), lines.value, { metrics: METRICS, baseFrom }) };
}
