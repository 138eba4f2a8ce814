import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isShardName } from '../../record/codes.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../../workflow/edge.ts';
import { keepHistory } from '../../workflow/history.ts';
import { printSummary } from './conclude.ts';
import { NOT_EXAMINED } from './print.ts';
import { publish } from './publish.ts';

/** Writes the reports of a run again, after something was added to its record, and prints their summary. */
export async function reportAgain(folder: string, quiet: boolean, edge: Edge): Promise<ExitCode> {
  const published = await publish(folder, { formats: null, out: folder, quiet }, edge);
  // The line of the run has its verdict.
  const { line } = published;
  if (!isShardName(line.run)) keepHistory(folder, line, edge);
  const page = join(folder, 'report.html');
  printSummary(published, existsSync(page) ? page : null, edge.out, published.files);
  if (published.examined) return EXIT.ok;
  printSentence(edge.err, NOT_EXAMINED);
  return EXIT.incomplete;
}
