import { resolve } from 'node:path';
import type { Checked } from '../suite/document/diagnostic.ts';
import type { ReportFormat } from '../suite/format/suite.ts';
import { openFolder } from './display/open-folder.ts';
import { NOT_EXAMINED, printDiagnostics } from './display/print.ts';
import { publish } from './display/publish.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from './edge.ts';
import { findChromium } from './setup/machine/find-chromium.ts';
import { withRun } from './setup/record/with-run.ts';

export interface ReportArguments {
  readonly run: string;
  readonly format?: readonly (ReportFormat | 'png')[] | undefined;
  readonly out?: string | undefined;
  readonly quiet: boolean;
}

/** `retake report`: the reports of a run again, from the record alone. Prints their paths. */
export function reportCommand({ run, format, out, quiet }: ReportArguments, edge: Edge): Promise<ExitCode> {
  return withRun(run, { quiet }, edge, printDiagnostics, async (folder) => {
    const target: Checked<string> =
      out === undefined ? { ok: true, value: folder } : openFolder(resolve(edge.cwd, out));
    if (!target.ok) return printDiagnostics(edge, target.diagnostics);
    const found = format?.includes('png') === true ? findChromium(edge) : null;
    if (found?.ok === false) return printDiagnostics(edge, found.diagnostics);
    const formats = format?.filter((each) => each !== 'png') ?? null;
    const options = { formats, out: target.value, quiet, browser: found?.value };
    const published = await publish(folder, options, edge);
    if (!published.ok) return printDiagnostics(edge, published.diagnostics);
    for (const file of published.value.files) edge.out.write(`${file}\n`);
    if (published.value.examined) return EXIT.ok;
    printSentence(edge.err, NOT_EXAMINED);
    return EXIT.incomplete;
  });
}
