import { basename, dirname, resolve } from 'node:path';
import { findRun } from '../record/find-run.ts';
import { lockRecord } from '../record/lock.ts';
import type { Checked } from '../suite/document/diagnostic.ts';
import type { ReportFormat } from '../suite/format/suite.ts';
import { plural } from '../text/quantity.ts';
import { openFolder } from './display/open-folder.ts';
import { NOT_EXAMINED, printDiagnostics } from './display/print.ts';
import { publish } from './display/publish.ts';
import { type Edge, EXIT, type ExitCode } from './edge.ts';

export interface ReportArguments {
  readonly run: string;
  readonly format?: readonly ReportFormat[] | undefined;
  readonly out?: string | undefined;
  readonly quiet: boolean;
}

/** `retake report`: the reports of a run again, from the record alone. Prints their paths. */
export async function reportCommand({ run, format, out, quiet }: ReportArguments, edge: Edge): Promise<ExitCode> {
  const found = findRun(resolve(edge.cwd, run));
  if (!found.ok) return printDiagnostics(edge, found.diagnostics);
  const { folder, latestOf } = found.value;
  if (latestOf !== null && !quiet) {
    edge.err.write(`${basename(folder)} is the latest of ${plural(latestOf, 'run')} in ${dirname(folder)}\n`);
  }
  const lock = lockRecord(folder, edge.pid, edge.isRunning);
  if (!lock.ok) return printDiagnostics(edge, lock.diagnostics);
  try {
    const target: Checked<string> =
      out === undefined ? { ok: true, value: folder } : openFolder(resolve(edge.cwd, out));
    if (!target.ok) return printDiagnostics(edge, target.diagnostics);
    const published = await publish(folder, { formats: format ?? null, out: target.value, quiet }, edge);
    if (!published.ok) return printDiagnostics(edge, published.diagnostics);
    for (const file of published.value.files) edge.out.write(`${file}\n`);
    if (published.value.examined) return EXIT.ok;
    edge.err.write(`${NOT_EXAMINED}\n`);
    return EXIT.incomplete;
  } finally {
    lock.value.release();
  }
}
