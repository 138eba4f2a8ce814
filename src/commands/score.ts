import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lockRecord } from '../record/lock.ts';
import { writtenScores } from '../record/outputs/score-key.ts';
import { appendScores } from '../record/store.ts';
import { readValues, type ScoredMetric } from '../score/from-file/read-values.ts';
import { type Checked, refused } from '../suite/document/diagnostic.ts';
import { loadValues } from '../suite/load.ts';
import { plural } from '../text/wording.ts';
import { printSummary } from './display/conclude.ts';
import { exitCodeOf, NOT_EXAMINED } from './display/print.ts';
import { publish } from './display/publish.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from './edge.ts';
import { examineStored } from './setup/assess-run.ts';
import { withRun } from './setup/with-run.ts';

interface ScoreArguments {
  readonly run: string;
  /** A CSV file of values. */
  readonly from?: string | undefined;
  readonly quiet: boolean;
}

/** `retake score`: adds values to the outputs of a run and reports it again. Sends nothing and starts no program. */
export async function scoreCommand(args: ScoreArguments, edge: Edge): Promise<ExitCode> {
  const { run, from, quiet } = args;
  if (from === undefined) {
    return exitCodeOf(refused('retake score needs a file of values', 'name it: --from scores.csv'), edge);
  }
  const use = { lock: lockRecord, saysLatest: !quiet };
  return exitCodeOf(await withRun(run, use, edge, (folder) => scoreFrom(from, folder, args, edge)), edge);
}

async function scoreFrom(
  path: string,
  folder: string,
  { quiet }: ScoreArguments,
  edge: Edge,
): Promise<Checked<ExitCode>> {
  const loaded = await loadValues(path, edge.cwd);
  if (!loaded.ok) return loaded;
  const examined = await examineStored(folder, { quiet }, edge);
  if (!examined.ok) return examined;
  if (!examined.value.complete) {
    printSentence(edge.err, NOT_EXAMINED);
    return { ok: true, value: EXIT.incomplete };
  }
  const { record } = examined.value;
  const scores = readValues(loaded.value, record);
  if (!scores.ok) return scores;
  const missing = writtenScores(record.scores).missing(scores.value.lines);
  appendScores(folder, missing);
  const published = await publish(folder, { formats: null, out: folder, quiet }, edge);
  if (!published.ok) return published;
  if (!quiet) {
    for (const sentence of scores.value.metrics.flatMap(sayScored)) printSentence(edge.err, sentence);
    if (missing.length === 0) printSentence(edge.err, 'the run has these values already');
  }
  const page = join(folder, 'report.html');
  printSummary(published.value, existsSync(page) ? page : null, edge.out, published.value.files);
  if (published.value.examined) return { ok: true, value: EXIT.ok };
  printSentence(edge.err, NOT_EXAMINED);
  return { ok: true, value: EXIT.incomplete };
}

function sayScored({ metric, better, outputs, without }: ScoredMetric): readonly string[] {
  const rest = without === 0 ? '' : `; ${plural(without, 'output')} ${without === 1 ? 'has' : 'have'} none`;
  const scored = `${metric}: values for ${plural(outputs, 'output')}${rest}`;
  return better === null ? [scored, `${metric} has no direction: ${DIRECTION_REMEDY}`] : [scored];
}

const DIRECTION_REMEDY = 'to say which values are better, write higher or lower into a column better';
