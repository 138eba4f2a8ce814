import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Checked, refused } from '../suite/document/diagnostic.ts';
import type { ReportFormat } from '../suite/format/suite.ts';
import { printSummary } from './display/conclude.ts';
import { openFolder } from './display/open-folder.ts';
import { NOT_EXAMINED, printDiagnostics } from './display/print.ts';
import { publish } from './display/publish.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from './edge.ts';
import { findChromium } from './setup/machine/find-chromium.ts';
import { withRun } from './setup/record/with-run.ts';

export interface ReportArguments {
  readonly run: string;
  readonly format?: readonly (ReportFormat | 'png' | 'terminal')[] | undefined;
  readonly out?: string | undefined;
  readonly quiet: boolean;
}

/** `retake report`: the reports of a run again, from the record alone. Prints their paths, or the summary. */
export function reportCommand({ run, format, out, quiet }: ReportArguments, edge: Edge): Promise<ExitCode> {
  return withRun(run, { quiet }, edge, printDiagnostics, async (folder) => {
    const files = format?.filter((each) => each !== 'terminal') ?? null;
    const target = targetOf(files?.length === 0, folder, out === undefined ? null : resolve(edge.cwd, out));
    if (!target.ok) return printDiagnostics(edge, target.diagnostics);
    const found = files?.includes('png') === true ? findChromium(edge) : null;
    if (found?.ok === false) return printDiagnostics(edge, found.diagnostics);
    const formats = files?.filter((each) => each !== 'png') ?? null;
    const options = { formats, out: target.value, quiet, browser: found?.value };
    const published = await publish(folder, options, edge);
    if (!published.ok) return printDiagnostics(edge, published.diagnostics);
    if (format?.includes('terminal') === true) {
      printSummary(published.value, existsSync(join(folder, 'report.html')), edge.out);
    }
    for (const file of published.value.files) edge.out.write(`${file}\n`);
    if (published.value.examined) return EXIT.ok;
    printSentence(edge.err, NOT_EXAMINED);
    return EXIT.incomplete;
  });
}

/** Null: nothing is written. */
function targetOf(isOnlyPrinted: boolean, folder: string, out: string | null): Checked<string | null> {
  if (!isOnlyPrinted) return out === null ? { ok: true, value: folder } : openFolder(out);
  return out === null
    ? { ok: true, value: null }
    : refused('--out has nothing to write: --format terminal only prints', 'leave out --out, or add a format');
}
