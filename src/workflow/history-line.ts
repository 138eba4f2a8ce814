import type { Assessment } from '../analysis/assess.ts';
import { lineOfRun } from '../analysis/history/line-of-run.ts';
import type { Metric } from '../analysis/measures/metric.ts';
import { outputsShownFirst } from '../page/shown-outputs.ts';
import type { HistoryLine } from '../record/kept-run.ts';
import type { Run } from '../record/run.ts';

/** The line that later runs read of a run, with the outputs that its report shows first. */
export function historyLineOf(
  run: Run,
  { analysed, comparisons, verdict }: Pick<Assessment, 'analysed' | 'comparisons' | 'verdict'>,
  metrics: readonly Metric[],
): HistoryLine {
  const shown = outputsShownFirst({ analysis: analysed.analysis, comparisons });
  return { ...lineOfRun(run, analysed, verdict, metrics), ...(shown !== null && { shown }) };
}
