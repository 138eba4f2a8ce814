import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { type ComparedOutputs, comparedOutputs, foundDifference } from '../../page/compared-outputs.ts';
import { embeddedMedia, MOST_PAIRS, type TwoRunsSource, twoRunsPage } from '../../page/two-runs-page.ts';
import { readHeatMap, readSmall } from '../../record/output-files.ts';
import { factsByDigest } from '../../record/output-pairs.ts';
import type { PairDifference } from '../../report/level-words.ts';
import { renderTwoRuns } from '../../report/two-runs.ts';
import { type ComparedRuns, compareNamed } from '../../workflow/assess-run.ts';
import type { compare } from '../declared/record-commands.ts';
import { NOT_EXAMINED } from '../display/print.ts';
import { writeFile } from '../display/write-file.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';
import { openScratch } from '../scratch.ts';

/** `retake compare`: latency, errors, blocked takes, scores and usual outputs of two runs. Decides nothing. */
export async function compareCommand(
  { a, b, json, html, quiet }: ArgumentsOf<typeof compare>,
  edge: Edge,
): Promise<ExitCode> {
  const compared = await compareNamed(a, b, { quiet }, edge);
  const { comparison, earlier, later } = compared;
  for (const { examined } of [earlier, later]) if (!examined) edge.say(NOT_EXAMINED);
  edge.out.write(json ? `${JSON.stringify(comparison)}\n` : renderTwoRuns(comparison, edge.out));
  if (html === undefined) return EXIT.ok;
  const path = await writePage(resolve(edge.cwd, html), compared, { quiet }, edge);
  (json ? edge.err : edge.out).write(`${path}\n`);
  return EXIT.ok;
}

async function writePage(
  path: string,
  compared: ComparedRuns,
  { quiet }: { readonly quiet: boolean },
  edge: Edge,
): Promise<string> {
  const { earlier, later } = compared;
  const folders = { earlier: earlier.folder, later: later.folder };
  const mediaOf = embeddedMedia((side, sha256, format) => readSmall(folders[side], sha256, format));
  const shown = { mediaOf, reportOf: () => null, isServed: false };
  const count = (done: number, all: number) => (quiet ? undefined : edge.count('comparing', done, all));
  return writeFile(path, await pageOfRuns(compared, shown, count, edge));
}

/**
 * The page of two runs, in pieces. Compares the outputs that it shows; nothing else keeps what that finds.
 * @param count is told how many pairs of outputs are compared, of all
 */
export async function pageOfRuns(
  { comparison, ...runs }: ComparedRuns,
  shown: Pick<TwoRunsSource, 'mediaOf' | 'reportOf' | 'isServed'>,
  count: (done: number, all: number) => void,
  { idleExaminers, drain }: Pick<Edge, 'idleExaminers' | 'drain'>,
): Promise<readonly string[]> {
  const [earlier, later] = [runs.earlier.record, runs.later.record];
  const folders = [runs.earlier.folder, runs.later.folder];
  const workers = availableParallelism();
  const { folder: heatFolder, ...scratch } = openScratch({ idle: idleExaminers, signal: drain }, workers);
  try {
    const facts = factsByDigest([...earlier.facts, ...later.facts]);
    const found = comparedOutputs(earlier, later);
    const unknown = found.filter(({ difference }) => difference === null).slice(0, MOST_PAIRS);
    const differences = new Map<ComparedOutputs, PairDifference>();
    const compare = async (pair: ComparedOutputs, at: number): Promise<void> => {
      const [one, other] = pair.outputs.map(({ sha256 }) => facts.get(sha256));
      const fact = await scratch.compare(folders, one, other, { heatFolder, worker: at % workers });
      if (drain.aborted) return;
      differences.set(pair, foundDifference(fact, pair.limits));
      count(differences.size, unknown.length);
    };
    await Promise.all(unknown.map(compare));
    const pairs = found.map((pair) => ({ ...pair, difference: differences.get(pair) ?? pair.difference }));
    const heatMap = (one: string, other: string) => readHeatMap([...folders, heatFolder], one, other);
    return [...twoRunsPage({ comparison, earlier, later, pairs, heatMap, ...shown })];
  } finally {
    await scratch.close();
  }
}
