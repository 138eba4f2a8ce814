import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Trend } from '../../analysis/series.ts';
import { accepted, refusal } from '../../kit/diagnostic.ts';
import { nearest } from '../../kit/nearest.ts';
import { historyPage } from '../../page/history-page.ts';
import { isRunName } from '../../record/codes.ts';
import { findSuiteFolder } from '../../record/find-run.ts';
import { historyCsv } from '../../report/history-csv.ts';
import { renderHistory } from '../../report/terminal-history.ts';
import { loadTrend } from '../../workflow/history.ts';
import type { history } from '../declared/record-commands.ts';
import { printDiagnostics } from '../display/print.ts';
import { writeFile } from '../display/write-file.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

export type HistoryArguments = ArgumentsOf<typeof history>;

/** `retake history`: what the runs of a suite measured, in order. Decides nothing. */
export async function historyCommand(args: HistoryArguments, edge: Edge): Promise<ExitCode> {
  const { suite, out, csv, html, json, quiet } = args;
  if (json && csv === '-') {
    throw refusal('--json and --csv - both print to standard output', 'write the CSV to a file');
  }
  const suiteFolder = accepted(findSuiteFolder(suite, { cwd: edge.cwd, results: out }));
  const trend = await loadTrend(suiteFolder, (faults) => printDiagnostics(edge, faults), edge);
  const metrics = metricsIn(trend, args.metric);
  if (json) edge.out.write(`${JSON.stringify(trend)}\n`);
  if (csv === '-') for (const piece of historyCsv(trend)) edge.out.write(piece);
  const isPrinted = json || csv === '-';
  if (!isPrinted && !quiet) {
    const { colour, width, ascii } = edge.out;
    edge.out.write(renderHistory(trend, { colour, width, ascii, metrics }));
  }
  const paths: string[] = [];
  if (csv !== undefined && csv !== '-') paths.push(await writeFile(resolve(edge.cwd, csv), historyCsv(trend)));
  if (html !== undefined || !isPrinted) {
    const defaultPage = join(suiteFolder, 'history.html');
    // A link in a folder that came from somebody else may lead to any file of this machine.
    const isTaken = html === undefined && lstatSync(defaultPage, { throwIfNoEntry: false })?.isFile() === false;
    if (isTaken) {
      throw refusal(`${defaultPage} is not a regular file`, 'move it away, or write the page elsewhere with --html');
    }
    const page = html === undefined ? defaultPage : resolve(edge.cwd, html);
    paths.push(await writeFile(page, historyPage({ trend, reportOf: reportsFrom(page, suiteFolder) })));
  }
  for (const path of paths) (isPrinted ? edge.err : edge.out).write(`${path}\n`);
  return EXIT.ok;
}

function reportsFrom(page: string, suiteFolder: string): (run: string) => string | null {
  return (run) => {
    const report = join(suiteFolder, run, 'report.html');
    // The name comes from history.jsonl: it may be anything.
    if (!isRunName(run) || !existsSync(report)) return null;
    const parts = relative(dirname(page), report).split(sep);
    return parts.map(encodeURIComponent).join('/');
  };
}

/** Null: none is named. Refuses a metric that no run has. */
function metricsIn({ variants }: Trend, asked: readonly string[] | undefined): readonly string[] | null {
  if (asked === undefined || asked.length === 0) return null;
  const known = [...new Set(variants.flatMap(({ series }) => series.map(({ metric }) => metric)))];
  const unknown = asked.find((metric) => !known.includes(metric));
  if (unknown === undefined) return asked;
  const near = nearest(unknown, known);
  const remedy = near === null ? `name one of ${known.join(', ')}` : `did you mean "${near}"?`;
  throw refusal(`no run has a series of ${unknown}`, remedy);
}
