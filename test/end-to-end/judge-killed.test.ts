import { statSync } from 'node:fs';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { placeOf } from '../../src/record/score-key.ts';
import {
  byContrast,
  inRun,
  judgedRecord,
  QUESTIONS,
  questionOf,
  scoreLines,
  servePaintings,
  writeJudging,
} from '../fixtures/judged-record.ts';
import { retakeHere } from '../fixtures/retake-here.ts';
import { startRetake } from '../fixtures/retake-process.ts';
import { serveJudge, writeJudge } from '../fixtures/scripted-judge.ts';
import { chance } from '../fixtures/scripted-run.ts';
import { NIGHTLY } from '../test-options.ts';

const KILLS = NIGHTLY ? 50 : 1;

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
  const sizeOf = () => statSync(inRun(folder, 'scores.jsonl'), { throwIfNoEntry: false })?.size ?? 0;

  let known = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = sizeOf();
    const started = startRetake(words, folder, env);
    let isAlive = true;
    const ended = started.ended.then(() => {
      isAlive = false;
    });
    const most = before + 200 + Math.floor(chance('judge', kill) * (NIGHTLY ? 1500 : 12_000));
    while (isAlive && sizeOf() < most) await turn();
    if (isAlive) started.kill('SIGKILL');
    await ended;
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
