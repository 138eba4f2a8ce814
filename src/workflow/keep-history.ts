import { dirname } from 'node:path';
import type { Assessment } from '../analysis/assess.ts';
import { lineOfRun } from '../analysis/earlier-runs.ts';
import type { Metric } from '../analysis/metric.ts';
import { fileFaultOf } from '../kit/diagnostic.ts';
import { outputsShownFirst } from '../page/shown-outputs.ts';
import type { HistoryLine } from '../record/kept-run.ts';
import type { Run } from '../record/run.ts';
import { appendHistory } from '../record/store.ts';
import { type Edge, printSentence } from './edge.ts';

export function keepHistory(runFolder: string, line: HistoryLine, edge: Pick<Edge, 'err'>): void {
  keepLines(dirname(runFolder), [line], edge);
}

/** If the file cannot be written, only says so: its lines can be made again. */
export function keepLines(suiteFolder: string, lines: readonly HistoryLine[], { err }: Pick<Edge, 'err'>): void {
  try {
    appendHistory(suiteFolder, lines);
  } catch (error) {
    const fault = fileFaultOf(error);
    if (fault === null) throw error;
    printSentence(err, `history.jsonl was not written: ${fault.cause}`);
  }
}

/** The line that later runs read of a run, with the outputs that its report shows first. */
export function historyLineOf(
  run: Run,
  { analysed, comparisons, verdict }: Pick<Assessment, 'analysed' | 'comparisons' | 'verdict'>,
  metrics: readonly Metric[],
): HistoryLine {
  const shown = outputsShownFirst({ analysis: analysed.analysis, comparisons });
  return { ...lineOfRun(run, analysed, verdict, metrics), ...(shown !== null && { shown }) };
}
