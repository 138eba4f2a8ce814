import { resolve } from 'node:path';
import { metricsOf } from '../analysis/metrics.ts';
import { compareRuns } from '../compare/baseline/two-runs.ts';
import { findRun } from '../record/find-run.ts';
import { lockToRead } from '../record/lock.ts';
import { twoRunsSentences } from '../report/statements/two-runs-statement.ts';
import { type Checked, refused } from '../suite/document/diagnostic.ts';
import { visibleLine } from '../text/visible.ts';
import { NOT_EXAMINED, printDiagnostics } from './display/print.ts';
import { type Edge, EXIT, type ExitCode } from './edge.ts';
import { type AssessedRun, assessRun } from './setup/assess-run.ts';

export interface CompareArguments {
  readonly a: string;
  readonly b: string;
  readonly json: boolean;
  readonly quiet: boolean;
}

/**
 * `retake compare`: two runs, one after the other, by the cells that both have: latency, errors and blocked takes, and whether
 * the usual outputs still match.
 * Decides nothing.
 */
export async function compareCommand({ a, b, json, quiet }: CompareArguments, edge: Edge): Promise<ExitCode> {
  const earlier = await assessed(a, quiet, edge);
  if (!earlier.ok) return printDiagnostics(edge, earlier.diagnostics);
  const later = await assessed(b, quiet, edge);
  if (!later.ok) return printDiagnostics(edge, later.diagnostics);
  for (const { examined } of [earlier.value, later.value]) if (!examined) edge.err.write(`${NOT_EXAMINED}\n`);
  const [one, other] = [earlier.value, later.value].map(({ record, analysed }) => ({ run: record.run, analysed }));
  if (one === undefined || other === undefined) throw new Error('two runs are compared');
  const found = compareRuns(one, other, metricsOf([]));
  if (found.commonCells === 0) {
    const refusal = refused(`${a} and ${b} have no cell in common`, 'name two runs of one suite');
    return printDiagnostics(edge, refusal.diagnostics);
  }
  if (json) edge.out.write(`${JSON.stringify(found)}\n`);
  else for (const sentence of twoRunsSentences(found)) edge.out.write(`${visibleLine(sentence)}\n`);
  return EXIT.ok;
}

/** A run with everything that follows from it, without a stored baseline. */
async function assessed(path: string, quiet: boolean, edge: Edge): Promise<Checked<AssessedRun>> {
  const found = findRun(resolve(edge.cwd, path));
  if (!found.ok) return found;
  const lock = lockToRead(found.value.folder, edge.processes);
  if (!lock.ok) return lock;
  try {
    return await assessRun(found.value.folder, { quiet, baseline: 'none' }, edge);
  } finally {
    lock.value.release();
  }
}
