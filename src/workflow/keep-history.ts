import { dirname } from 'node:path';
import { fileFaultOf } from '../kit/diagnostic.ts';
import type { HistoryLine } from '../record/kept-run.ts';
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
