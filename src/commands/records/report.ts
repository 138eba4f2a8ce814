import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Checked, refused } from '../../kit/diagnostic.ts';
import type { ReportFormat } from '../../suite/suite.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../../workflow/edge.ts';
import { withRun } from '../../workflow/with-run.ts';
import { printSummary } from '../display/conclude.ts';
import { exitCodeOf, NOT_EXAMINED } from '../display/print.ts';
import { publish } from '../display/publish.ts';
import { findChromium } from '../display/screenshot.ts';
import { openFolder } from '../display/write-file.ts';

interface ReportArguments {
  readonly run: string;
  readonly format?: readonly (ReportFormat | 'png' | 'terminal')[] | undefined;
  readonly out?: string | undefined;
  readonly quiet: boolean;
}

/** `retake report`: the reports of a run again, from the record alone. Prints their paths, or the summary. */
export async function reportCommand(args: ReportArguments, edge: Edge): Promise<ExitCode> {
  const reported = withRun(args.run, { saysLatest: !args.quiet }, edge, (folder) => reportRun(folder, args, edge));
  return exitCodeOf(await reported, edge);
}

async function reportRun(
  folder: string,
  { format, out, quiet }: ReportArguments,
  edge: Edge,
): Promise<Checked<ExitCode>> {
  const files = format?.filter((each) => each !== 'terminal') ?? null;
  const target = targetOf(files?.length === 0, folder, out === undefined ? null : resolve(edge.cwd, out));
  if (!target.ok) return target;
  const found = files?.includes('png') === true ? findChromium(edge) : null;
  if (found?.ok === false) return found;
  const formats = files?.filter((each) => each !== 'png') ?? null;
  const options = { formats, out: target.value, quiet, browser: found?.value };
  const published = await publish(folder, options, edge);
  if (!published.ok) return published;
  if (format?.includes('terminal') === true) {
    const page = join(folder, 'report.html');
    printSummary(published.value, existsSync(page) ? page : null, edge.out);
  }
  for (const file of published.value.files) edge.out.write(`${file}\n`);
  if (published.value.examined) return { ok: true, value: EXIT.ok };
  printSentence(edge.err, NOT_EXAMINED);
  return { ok: true, value: EXIT.incomplete };
}

/** Null: nothing is written. */
function targetOf(isOnlyPrinted: boolean, folder: string, out: string | null): Checked<string | null> {
  if (!isOnlyPrinted) return out === null ? { ok: true, value: folder } : openFolder(out);
  return out === null
    ? { ok: true, value: null }
    : refused('--out has nothing to write: --format terminal only prints', 'leave out --out, or add a format');
}
