import { resolve } from 'node:path';
import { type ComparedOutputs, comparedOutputs, foundDifference } from '../../page/compared-outputs.ts';
import { embeddedMedia, MOST_PAIRS, twoRunsPage } from '../../page/two-runs-page.ts';
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

/** Compares the outputs that the page shows; nothing else keeps what that finds. */
async function writePage(
  path: string,
  { comparison, ...runs }: ComparedRuns,
  { quiet }: { readonly quiet: boolean },
  edge: Edge,
): Promise<string> {
  const [earlier, later] = [runs.earlier.record, runs.later.record];
  const folders = [runs.earlier.folder, runs.later.folder];
  const { folder: heatFolder, ...scratch } = openScratch({ idle: edge.idleExaminers, signal: edge.drain });
  try {
    const facts = factsByDigest([...earlier.facts, ...later.facts]);
    const found = comparedOutputs(earlier, later);
    const unknown = found.filter(({ difference }) => difference === null).slice(0, MOST_PAIRS);
    const differences = new Map<ComparedOutputs, PairDifference>();
    for (const pair of unknown) {
      const [one, other] = pair.outputs.map(({ sha256 }) => facts.get(sha256));
      const fact = await scratch.compare(folders, one, other, { heatFolder });
      if (edge.drain.aborted) break;
      differences.set(pair, foundDifference(fact, pair.limits));
      if (!quiet) edge.count('comparing', differences.size, unknown.length);
    }
    const page = twoRunsPage({
      comparison,
      earlier,
      later,
      pairs: found.map((pair) => ({ ...pair, difference: differences.get(pair) ?? pair.difference })),
      heatMap: (one, other) => readHeatMap([...folders, heatFolder], one, other),
      mediaOf: embeddedMedia((side, sha256, format) => readSmall(runs[side].folder, sha256, format)),
      reportOf: () => null,
      isServed: false,
    });
    return await writeFile(path, page);
  } finally {
    await scratch.close();
  }
}
