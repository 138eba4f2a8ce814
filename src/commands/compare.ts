import { resolve } from 'node:path';
import { levelsOf } from '../analysis/cells/pair-levels.ts';
import { metricsOf } from '../analysis/metrics.ts';
import { againstBaseline } from '../compare/baseline/against-baseline.ts';
import { baselineFrom } from '../compare/baseline/keep.ts';
import { sequentialRatios } from '../compare/baseline/sequential.ts';
import { DIGEST_LEVELS, stabilityOf } from '../compare/baseline/stability.ts';
import { findRun } from '../record/find-run.ts';
import { lockRecord } from '../record/lock.ts';
import { missingBetween, sequentialSentence, stabilitySentence } from '../report/statements/baseline-statement.ts';
import { type Checked, refused } from '../suite/document/diagnostic.ts';
import { visibleLine } from '../text/visible.ts';
import { NOT_EXAMINED, printDiagnostics } from './display/print.ts';
import { type Edge, EXIT, type ExitCode } from './edge.ts';
import { type AssessedRun, assessRun } from './setup/assess-run.ts';

export interface CompareArguments {
  readonly a: string;
  readonly b: string;
  readonly quiet: boolean;
}

/**
 * `retake compare`: two runs, one after the other, by the cells that both have: latency, and whether the usual outputs still match.
 * Decides nothing.
 */
export async function compareCommand({ a, b, quiet }: CompareArguments, edge: Edge): Promise<ExitCode> {
  const earlier = await assessed(a, quiet, edge);
  if (!earlier.ok) return printDiagnostics(edge, earlier.diagnostics);
  const later = await assessed(b, quiet, edge);
  if (!later.ok) return printDiagnostics(edge, later.diagnostics);
  for (const { examined } of [earlier.value, later.value]) if (!examined) edge.err.write(`${NOT_EXAMINED}\n`);
  const metrics = metricsOf([]);
  const { record, analysed } = later.value;
  const baseline = baselineFrom(earlier.value.record.run, earlier.value.analysed, metrics);
  const { cells, missing } = againstBaseline(baseline, record.run, analysed, metrics);
  const { variants } = analysed.analysis;
  const found = variants.flatMap((variant) => {
    const own = cells.filter((cell) => cell.variant === variant.name);
    return DIGEST_LEVELS.map((level) => ({
      variant: variant.name,
      level,
      ...stabilityOf(own, baseline.cells, level, {
        limits: variant.levels,
        levelOf: levelsOf(analysed.levelOf, variant.name),
      }),
    }));
  });
  if (found.every(({ common }) => common === 0)) {
    const refusal = refused(`${a} and ${b} have no cell in common`, 'name two runs of one suite');
    return printDiagnostics(edge, refusal.diagnostics);
  }
  const [before, after] = [baseline.run, record.run.id];
  const sentences = [
    ...sequentialRatios(baseline.cells, cells, record.run.plan.load).map((each) => sequentialSentence(each, before)),
    ...found.filter(({ stable }) => stable > 0).map(stabilitySentence),
    ...missingBetween(missing, { run: after, baseline: before }),
  ];
  edge.out.write(`${visibleLine(`${after} against ${before}`)}\n`);
  for (const sentence of sentences) edge.out.write(`${visibleLine(sentence)}\n`);
  return EXIT.ok;
}

/** A run with everything that follows from it, without a stored baseline. */
async function assessed(path: string, quiet: boolean, edge: Edge): Promise<Checked<AssessedRun>> {
  const found = findRun(resolve(edge.cwd, path));
  if (!found.ok) return found;
  const lock = lockRecord(found.value.folder, edge.pid, edge.isRunning);
  if (!lock.ok) return lock;
  try {
    return await assessRun(found.value.folder, { quiet, baseline: 'none' }, edge);
  } finally {
    lock.value.release();
  }
}
