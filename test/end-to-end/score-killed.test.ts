import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { scoringsOf } from '../../src/analysis/scores/scoring.ts';
import { readScores } from '../../src/record/read-record.ts';
import type { ScoreLine } from '../../src/record/score.ts';
import { placeOf } from '../../src/record/score-key.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { retakeHere } from '../fixtures/retake-here.ts';
import { startRetake } from '../fixtures/retake-process.ts';
import { chance, largeTelling, scriptedRun } from '../fixtures/scripted-run.ts';
import { storeRun } from '../fixtures/stored-suite.ts';
import { NIGHTLY } from '../test-options.ts';

const KILLS = NIGHTLY ? 50 : 1;
const METRICS = Array.from({ length: 20 }, (_, at) => `m${at + 1}`);
const TELLING = { ...largeTelling(270), repeats: 1 };

const { samples } = scriptedRun(TELLING);
const trials = samples.flatMap(({ trial, outcome }) => (outcome === 'ok' && trial.phase === 'trial' ? [trial.id] : []));

function writeValues(folder: string, file: string): void {
  const rows = trials.flatMap((trial) =>
    METRICS.map((metric) => `${trial},${metric},${chance(file, trial, metric)}\n`),
  );
  writeFileSync(join(folder, file), `trial,metric,value\n${rows.join('')}`);
}

async function scoresOf(run: string): Promise<readonly ScoreLine[]> {
  const read = await readScores(run);
  if (!read.ok) throw new Error(read.diagnostics[0]?.cause);
  return read.value.values;
}

/** The file that the counting values of every scorer come from. */
const countingFiles = (lines: readonly ScoreLine[]) =>
  new Set(scoringsOf([], lines).flatMap(({ by }) => Object.keys(by?.files ?? {})));

/** Kills an import once it has written so many bytes. */
async function killAt(run: string, file: string, bytes: number, cwd: string): Promise<void> {
  const path = join(run, 'scores.jsonl');
  const sizeOf = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const before = sizeOf();
  const started = startRetake(['score', run, '--from', file, '--quiet'], cwd);
  let isAlive = true;
  const ended = started.ended.then(() => {
    isAlive = false;
  });
  while (isAlive && sizeOf() < before + bytes) await turn();
  if (isAlive) started.kill('SIGKILL');
  await ended;
}

it('an import that is killed while it writes loses no value and writes none twice, and the next one completes it', async () => {
  const folder = freshFolder();
  const suite = storeRun(folder, 'run', '2026-11-20T15:45:00.000Z', { examined: true, telling: TELLING });
  const run = join(suite, 'run');
  writeValues(folder, 'first.csv');
  writeValues(folder, 'second.csv');
  expect(await retakeHere(['score', run, '--from', 'first.csv', '--quiet'], folder)).toMatchObject({ code: 0 });
  const first = await scoresOf(run);
  const values = trials.length * METRICS.length;
  expect(first).toHaveLength(values + METRICS.length);

  let known = first;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await killAt(run, 'second.csv', 1 + Math.floor(chance('kill', kill) * 40_000), folder);
    const now = await scoresOf(run);
    expect(now.slice(0, known.length)).toEqual(known);
    // Scorers come last: until then the values of the first file count.
    if (now.length <= first.length + values) expect(countingFiles(now)).toEqual(new Set(['first.csv']));
    known = now;
  }
  expect(known.length).toBeGreaterThan(first.length);

  expect(await retakeHere(['score', run, '--from', 'second.csv', '--quiet'], folder)).toMatchObject({ code: 0 });
  const whole = await scoresOf(run);
  expect(whole).toHaveLength(2 * first.length);
  expect(new Set(whole.map((line) => (line.line === 'scorer' ? line.by : placeOf(line)))).size).toBe(whole.length);
  expect(countingFiles(whole)).toEqual(new Set(['second.csv']));
});
