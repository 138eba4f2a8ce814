import { dirname, resolve } from 'node:path';
import { metricsOf } from '../analysis/metrics.ts';
import { baselineFrom } from '../compare/baseline/keep.ts';
import { writeBaseline } from '../record/baseline-file.ts';
import { findRun } from '../record/find/find-run.ts';
import { lockRecord } from '../record/lock.ts';
import { refused } from '../suite/document/diagnostic.ts';
import { plural } from '../text/wording.ts';
import { NOT_EXAMINED, printDiagnostics } from './display/print.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from './edge.ts';
import { assessRun } from './setup/assess-run.ts';

export interface BaselineArguments {
  readonly run: string;
  /** Accept an incomplete run. */
  readonly force: boolean;
  readonly quiet: boolean;
}

/** `retake baseline`: stores what later runs of a suite are compared with, as `baseline.json` in the suite's folder. */
export async function baselineCommand({ run, force, quiet }: BaselineArguments, edge: Edge): Promise<ExitCode> {
  const found = findRun(resolve(edge.cwd, run));
  if (!found.ok) return printDiagnostics(edge, found.diagnostics);
  const { folder } = found.value;
  const lock = lockRecord(folder, edge.processes);
  if (!lock.ok) return printDiagnostics(edge, lock.diagnostics);
  try {
    const assessed = await assessRun(folder, { quiet, baseline: 'none' }, edge);
    if (!assessed.ok) return printDiagnostics(edge, assessed.diagnostics);
    const { record, analysed, verdict, examined } = assessed.value;
    if (record.run.shard !== null) {
      const refusal = refused(`${folder} is a shard of a run`, 'merge the shards, then keep the merged run');
      return printDiagnostics(edge, refusal.diagnostics);
    }
    if (!examined) {
      printSentence(edge.err, NOT_EXAMINED);
      return EXIT.incomplete;
    }
    if (!verdict.complete && !force) {
      printSentence(edge.err, 'the run is incomplete: keep a complete run, or keep this one with --force');
      return EXIT.incomplete;
    }
    const baseline = baselineFrom(record.run, analysed, metricsOf(record.run.gate));
    const path = writeBaseline(dirname(folder), baseline);
    const kept = `${plural(baseline.cells.length, 'cell')} of ${plural(baseline.variants.length, 'variant')}`;
    if (!quiet)
      printSentence(edge.err, `run ${baseline.run} is the stored baseline of ${baseline.suite.name}: ${kept}`);
    edge.out.write(`${path}\n`);
    return EXIT.ok;
  } finally {
    lock.value.release();
  }
}
