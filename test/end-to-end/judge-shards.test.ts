import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { writePainter } from '../fixtures/image-server.ts';
import { retakeHere } from '../fixtures/retake-process.ts';
import { byContrast, copyOf, PAIRS, QUESTIONS, servePaintings, writeJudging } from '../fixtures/scored-run.ts';
import { type ScriptedJudge, serveJudge, writeJudge } from '../fixtures/scripted-judge.ts';

/* A run in shards with a judge, which is asked before the shards are merged or afterwards. */

const ENV = { JUDGE_KEY: 'key-of-the-judge' };
const SHARDS = ['whole-1of2', 'whole-2of2'];

let paintings: Awaited<ReturnType<typeof servePaintings>>;
let judge: ScriptedJudge;
/** The folder of the suite and of both shards as they were measured. */
let measured: string;

beforeAll(async () => {
  paintings = await servePaintings();
  judge = await serveJudge(byContrast);
  measured = freshFolder();
  writePainter(measured, paintings.url);
  writeJudge(measured, judge.url);
  writeJudging(measured);
  for (const shard of ['1/2', '2/2']) {
    const args = ['run', 'judging.yaml', '--shard', shard, '--run', 'whole', '--quiet'];
    const ended = await retakeHere(args, measured, ENV);
    if (ended.code !== 0) throw new Error(ended.stderr);
  }
});

afterAll(() => Promise.all([judge.close(), paintings.close()]));

const results = (folder: string, ...path: readonly string[]) => join(folder, 'results', 'judged', ...path);
const score = (folder: string, run: string) => retakeHere(['score', results(folder, run)], folder, ENV);
const merge = (folder: string) => retakeHere(['merge', ...SHARDS.map((shard) => results(folder, shard))], folder);

const said = ({ stdout }: { readonly stdout: string }) => stdout.replace(/\s+/g, ' ');
const PREFERRED = `the judge prefers careful-one to hasty-one: ${PAIRS} of ${PAIRS} pairs`;

it('a judge is asked by no shard and by no merge, which prints the command that asks it', async () => {
  const folder = copyOf(measured);
  for (const shard of SHARDS) expect(existsSync(results(folder, shard, 'scores.jsonl'))).toBe(false);
  const merged = await merge(folder);
  // A rule waits for the judge.
  expect(merged).toMatchObject({ code: 4 });
  expect(merged.stderr).toContain('some outputs were not scored; to score them: retake score results/judged/whole\n');
  expect(merged.stderr).not.toContain('--allow-commands');
  expect(judge.requests).toHaveLength(0);

  const ended = await score(folder, 'whole');
  expect(ended).toMatchObject({ code: 0 });
  expect(said(ended)).toContain(PREFERRED);
  expect(judge.requests).toHaveLength(QUESTIONS);
});

it('what a judge said of shards one by one is joined by their merge, and is not asked again', async () => {
  const folder = copyOf(measured);
  const before = judge.requests.length;
  for (const shard of SHARDS) expect(await score(folder, shard)).toMatchObject({ code: 0 });
  // Each shard has copies of its own.
  expect(judge.requests).toHaveLength(before + QUESTIONS + 2 * 3 * 16);
  const merged = await merge(folder);
  expect(merged).toMatchObject({ code: 1 });
  expect(merged.stderr).not.toContain('not scored');
  expect(said(merged)).toContain(PREFERRED);
  expect(readFileSync(results(folder, 'whole', 'report.html'), 'utf8')).toContain('Its control passed');

  expect(await score(folder, 'whole')).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing to score') });
  expect(judge.requests).toHaveLength(before + QUESTIONS + 2 * 3 * 16);
});
