import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { DeclaredScorer } from '../../../src/suite/scorer.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { retakeHere } from '../../fixtures/retake-process.ts';
import { ORDINARY, scriptedRun, type Telling } from '../../fixtures/scripted-run.ts';
import { storeRun } from '../../fixtures/stored-suite.ts';
import { expectFaults } from '../../fixtures/told-faults.ts';

const TELLING: Telling = { ...ORDINARY, seeds: [1, 2], repeats: 2 };
const SMALL: Telling = {
  ...TELLING,
  variants: TELLING.variants.slice(0, 2),
  prompts: TELLING.prompts.slice(0, 1),
  seeds: [1],
};
const { samples } = scriptedRun(TELLING);

const trialOf = (variant: string, prompt: string, seed: number, repeat: number): string =>
  samples.find(
    ({ trial }) =>
      trial.phase === 'trial' &&
      trial.variant === variant &&
      trial.prompt === prompt &&
      trial.seed === seed &&
      trial.repeat === repeat,
  )?.trial.id ?? '';

const FOX = trialOf('fast', 'fox', 1, 1);
const SAME_FOX = trialOf('fast', 'fox', 1, 2);
const HARBOUR = trialOf('fast-lcm', 'harbour', 1, 1);
const REFUSED = trialOf('anime-fast', 'market', 2, 1);

const given = (value: string) => ({ value, better: null, range: null, unit: 'score', meaning: null }) as const;
/** One value from 1 to 5, two values, and one that a program makes. */
const SCORERS: readonly DeclaredScorer[] = [
  { use: 'file', name: 'rated', gives: [{ ...given('stars'), better: 'higher', range: [1, 5], unit: 'score' }] },
  { use: 'file', name: 'face', gives: [given('eyes'), given('hands')] },
  {
    use: 'command',
    name: 'text',
    gives: [given('cer')],
    command: ['node', 'text.mjs'],
    env: [],
    timeoutMs: 60_000,
    frames: 8,
    original: false,
  },
];

let results: string;
let plain: string;
let declaring: string;

beforeAll(() => {
  results = freshFolder();
  plain = join(storeRun(results, 'plain', '2026-11-20T15:45:00.000Z', { examined: true, telling: TELLING }), 'plain');
  declaring = join(
    storeRun(results, 'declaring', '2026-11-20T15:45:00.000Z', { examined: true, telling: TELLING }),
    'declaring',
  );
  const header = JSON.parse(readFileSync(join(declaring, 'run.json'), 'utf8'));
  writeFileSync(join(declaring, 'run.json'), JSON.stringify({ ...header, scorers: SCORERS }));
});

/** The bytes of all its files. */
function bytesOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true }).map(String).sort();
  return Object.fromEntries(
    files.flatMap((file) => {
      const path = join(folder, file);
      return statSync(path).isFile() ? [[file, readFileSync(path, 'base64')]] : [];
    }),
  );
}

it('the metrics of several files count together, and a later file of the same metrics takes their place', async () => {
  const folder = join(
    storeRun(results, 'many', '2026-11-20T15:45:00.000Z', { examined: true, telling: SMALL }),
    'many',
  );
  const add = (from: number, length: number) => {
    const rows = Array.from({ length }, (_, at) => `${FOX},m${from + at},1\n`).join('');
    writeFileSync(join(results, 'scores.csv'), `trial,metric,value\n${rows}`);
    return retakeHere(['score', folder, '--from', 'scores.csv', '--quiet'], results);
  };
  expect(await add(0, 110)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('scores.csv:102:1: the run gets'),
  });
  expect(await add(0, 60)).toMatchObject({ code: 0 });
  expect(await add(50, 50)).toMatchObject({ code: 0 });
  expect(await add(100, 1)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('scores.csv:2:1: the run gets'),
  });
});

it('equal outputs whose values differ in the last digits get their mean, with one warning', async () => {
  const telling = { examined: true, telling: SMALL };
  const folder = join(storeRun(results, 'shaky', '2026-11-20T15:45:00.000Z', telling), 'shaky');
  writeFileSync(join(results, 'scores.csv'), `trial,metric,value\n${FOX},hps,0.2810\n${SAME_FOX},hps,0.2812\n`);
  const { code, stderr } = await retakeHere(['score', folder, '--from', 'scores.csv', '--quiet'], results);
  expect(code).toBe(0);
  const said =
    '1 output has several values that differ by at most 0.1 %, and their mean is used; give equal outputs one value';
  expect(stderr).toBe(`warning: scores.csv: ${said}\n`);
  expect(JSON.parse(readFileSync(join(folder, 'scores.jsonl'), 'utf8').split('\n')[0] ?? '').values.hps).toBeCloseTo(
    0.2811,
    12,
  );
});

/** What is printed of a file of values, which changes nothing of the record. */
async function refusalOf(folder: string, text: string | Buffer): Promise<string> {
  writeFileSync(join(results, 'scores.csv'), text);
  const before = bytesOf(folder);
  const scored = await retakeHere(['score', folder, '--from', 'scores.csv'], results);
  expect(scored).toMatchObject({ code: 2, stdout: '' });
  expect(bytesOf(folder)).toEqual(before);
  return scored.stderr;
}

it('a file of values is refused whole, with its place', async () => {
  const trials = Object.entries({ FOX, SAME: SAME_FOX, HARBOUR, REFUSED });
  await expectFaults('value-files', async (file, suite) => {
    const text = trials.reduce((sum, [name, id]) => sum.replaceAll(name, id), file);
    const told = await refusalOf(suite === 'plain' ? plain : declaring, text);
    return [trials.reduce((sum, [name, id]) => sum.replaceAll(id, name), told.trimEnd())];
  });
  expect(await refusalOf(plain, Buffer.from([0x74, 0xff, 0x0a]))).toMatch(/^cannot read scores\.csv: it is not UTF-8/);
});
