import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { scoringsOf } from '../../src/analysis/scores/scoring.ts';
import { readScores } from '../../src/record/read-record.ts';
import type { ScoreLine } from '../../src/record/score.ts';
import { placeOf } from '../../src/record/score-key.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { retakeHere, startRetake } from '../fixtures/retake-process.ts';
import {
  byContrast,
  inRun,
  judgedRecord,
  QUESTIONS,
  questionOf,
  scoreLines,
  servePaintings,
  writeJudging,
} from '../fixtures/scored-run.ts';
import { serveJudge, writeJudge } from '../fixtures/scripted-judge.ts';
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

/** Kills a command once it has written so many bytes of scores, if it lives so long. */
async function killAt(scores: string, bytes: number, ...started: Parameters<typeof startRetake>): Promise<void> {
  const sizeOf = () => statSync(scores, { throwIfNoEntry: false })?.size ?? 0;
  const most = sizeOf() + bytes;
  const { kill, ended } = startRetake(...started);
  let isAlive = true;
  const over = ended.then(() => {
    isAlive = false;
  });
  while (isAlive && sizeOf() < most) await turn();
  if (isAlive) kill('SIGKILL');
  await over;
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
    const bytes = 1 + Math.floor(chance('kill', kill) * 40_000);
    await killAt(join(run, 'scores.jsonl'), bytes, ['score', run, '--from', 'second.csv', '--quiet'], folder);
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

/** Questions in flight at once. */
const IN_FLIGHT = 4;

it('a judge whose asking is killed loses no answer that was written, and is asked again only what was in flight', async () => {
  const paintings = await servePaintings();
  const folder = await judgedRecord(paintings.url);
  await paintings.close();
  // So slow that each kill meets questions under way.
  const judge = await serveJudge(async (asked) => {
    await wait(30);
    return byContrast(asked);
  });
  writeJudge(folder, judge.url);
  writeJudging(folder);
  const words = ['score', 'results/judged', '--suite', 'judging.yaml', '--quiet'];
  const env = { JUDGE_KEY: 'key-of-the-judge' };

  let known = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const bytes = 200 + Math.floor(chance('judge', kill) * (NIGHTLY ? 1500 : 12_000));
    await killAt(inRun(folder, 'scores.jsonl'), bytes, words, folder, env);
    const answered = scoreLines(folder).filter(({ line }) => line === 'preference').length;
    expect(answered).toBeGreaterThanOrEqual(known);
    known = answered;
  }
  expect(known).toBeGreaterThan(0);
  expect(await retakeHere(words, folder, env)).toMatchObject({ code: 0 });

  const lines = scoreLines(folder);
  const answers = lines.filter(({ line }) => line === 'preference');
  expect(answers).toHaveLength(QUESTIONS);
  expect(new Set(answers.map(placeOf)).size).toBe(QUESTIONS);
  // Every request has its line before it is sent.
  expect(lines.filter(({ line }) => line === 'asked').length).toBeGreaterThanOrEqual(judge.requests.length);
  expect(new Set(judge.requests.map((each) => questionOf(each).key)).size).toBe(QUESTIONS);
  expect(judge.requests.length).toBeLessThanOrEqual(QUESTIONS + IN_FLIGHT * KILLS);
  await judge.close();
});
