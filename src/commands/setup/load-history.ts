import { join } from 'node:path';
import { metricsOf } from '../../analysis/metrics.ts';
import { assess } from '../../compare/assess.ts';
import { lineOfRun } from '../../compare/history/line-of-run.ts';
import { findBaseline } from '../../record/baseline-file.ts';
import { runsIn } from '../../record/find-run.ts';
import { checkUnlocked } from '../../record/lock.ts';
import type { Baseline } from '../../record/model/baseline.ts';
import type { HistoryLine } from '../../record/model/history-line.ts';
import { readHistory, readRecord } from '../../record/read-record.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';
import { visibleLine } from '../../text/visible.ts';
import type { Edge } from '../edge.ts';
import { keepLines } from './keep-history.ts';

/**
 * The lines of a suite's runs. history.jsonl is a cache: lines that it lacks are made from the records of their runs and
 * appended. Runs that cannot be read, and those that another process writes, are left out.
 *
 * @param folder of the suite: `results/<suite>`
 */
export async function loadHistory(folder: string, edge: Edge): Promise<Checked<readonly HistoryLine[]>> {
  const stored = await readHistory(folder);
  if (!stored.ok) return stored;
  const known = new Set(stored.value.values.map(({ run }) => run));
  const lines = [...stored.value.values];
  const made: HistoryLine[] = [];
  const baseline = await findBaseline(folder);
  const stands = baseline.ok ? baseline.value : null;
  for (const name of runsIn(folder).filter((each) => !known.has(each))) {
    const line = await makeLine(join(folder, name), { lines, baseline: stands }, edge);
    if (line === null || known.has(line.run)) continue;
    lines.push(line);
    made.push(line);
  }
  keepLines(folder, made, edge);
  return { ok: true, value: lines };
}

/** The line of a run from its record, by the lines of those before it; null where it cannot be read now. */
async function makeLine(
  folder: string,
  { lines, baseline }: { readonly lines: readonly HistoryLine[]; readonly baseline: Baseline | null },
  edge: Edge,
): Promise<HistoryLine | null> {
  // The run that this process measures gets its line when it has its verdict.
  if (!checkUnlocked(folder, NO_PROCESS, edge.isRunning).ok) return null;
  const read = await readRecord(folder);
  if (!read.ok) {
    edge.err.write(`${visibleLine(`left out of the history: ${folder} cannot be read`)}\n`);
    return null;
  }
  const { run } = read.value;
  const metrics = metricsOf(run.gate);
  const { analysed, verdict } = assess(read.value, metrics, baseline, lines);
  return lineOfRun(run, analysed, verdict, metrics);
}

/** A lock of this process counts as one of another. */
const NO_PROCESS = -1;
