import { basename, dirname, resolve } from 'node:path';
import { findRun } from '../../../record/find/find-run.ts';
import { lockToRead } from '../../../record/lock.ts';
import type { Diagnostic } from '../../../suite/document/diagnostic.ts';
import { plural } from '../../../text/wording.ts';
import { type Edge, type ExitCode, printSentence } from '../../edge.ts';

/** @param refuse prints why the run cannot be used, and gives the exit code */
export async function withRun(
  run: string,
  { quiet }: { readonly quiet: boolean },
  edge: Edge,
  refuse: (edge: Edge, diagnostics: readonly Diagnostic[]) => ExitCode,
  use: (folder: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  const found = findRun(resolve(edge.cwd, run));
  if (!found.ok) return refuse(edge, found.diagnostics);
  const { folder, latestOf } = found.value;
  if (latestOf !== null && latestOf > 1 && !quiet) {
    printSentence(edge.err, `${basename(folder)} is the latest of ${plural(latestOf, 'run')} in ${dirname(folder)}`);
  }
  const lock = lockToRead(folder, edge.processes);
  if (!lock.ok) return refuse(edge, lock.diagnostics);
  try {
    return await use(folder);
  } finally {
    lock.value.release();
  }
}
