import { resolve } from 'node:path';
import { refusal } from '../../kit/diagnostic.ts';
import { REPORT_FORMATS } from '../../suite/report-format.ts';
import { withRun } from '../../workflow/with-run.ts';
import type { report } from '../declared/record-commands.ts';
import { finish } from '../display/conclude.ts';
import { publish } from '../display/publish.ts';
import { openFolder } from '../display/write-file.ts';
import type { Edge, ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

type ReportArguments = ArgumentsOf<typeof report>;

/** `retake report`: the reports of a run again, from the record alone. Prints their paths, or the summary. */
export async function reportCommand(args: ReportArguments, edge: Edge): Promise<ExitCode> {
  return withRun(args.run, { saysLatest: !args.quiet }, edge, (folder) => reportRun(folder, args, edge));
}

async function reportRun(folder: string, { format, out, quiet }: ReportArguments, edge: Edge): Promise<ExitCode> {
  const formats = format === undefined ? null : REPORT_FORMATS.filter((name) => format.includes(name));
  const target = targetOf(formats?.length === 0, folder, out === undefined ? null : resolve(edge.cwd, out));
  const published = await publish(folder, { formats, out: target, quiet }, edge);
  const code = finish(folder, published, { summary: format?.includes('terminal') === true, files: [] }, edge);
  for (const file of published.files) edge.out.write(`${file}\n`);
  return code;
}

/** The folder to write to; null: nothing is written. */
function targetOf(isOnlyPrinted: boolean, folder: string, out: string | null): string | null {
  if (isOnlyPrinted) {
    if (out === null) return null;
    throw refusal('--out has nothing to write: --format terminal only prints', 'leave out --out, or add a format');
  }
  if (out !== null) openFolder(out);
  return out ?? folder;
}
