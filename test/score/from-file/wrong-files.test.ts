import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { DeclaredScorer } from '../../../src/suite/scorer.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { retakeHere } from '../../fixtures/retake-process.ts';
import { ORDINARY, scriptedRun, type Telling } from '../../fixtures/scripted-run.ts';
import { storeRun } from '../../fixtures/stored-suite.ts';

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

/** Each wrong in one thing, and where that stands. */
const WRONG: readonly (readonly [why: string, text: string | Buffer, place: string | null, cause: RegExp])[] = [
  ['no line', '', '1:1', /the file is empty/],
  ['no value', 'trial,metric,value\n', '1:1', /no row below the header/],
  ['a column is missing', `trial,value\n${FOX},1\n`, '1:1', /no column "metric"/],
  ['a column is unknown', `trial,metric,value,why\n${FOX},hps,1,x\n`, '1:20', /unknown column "why"/],
  [
    'a column is misspelt',
    `trial,metrik,value\n${FOX},hps,1\n`,
    '1:7',
    /unknown column "metrik"; did you mean "metric"/,
  ],
  ['a column occurs twice', `trial,metric,value,value\n${FOX},hps,1,1\n`, '1:20', /"value" occurs twice/],
  ['semicolons', `trial;metric;value\n${FOX};hps;1\n`, '1:1', /separate columns with commas/],
  ['a row is too short', `trial,metric,value\n${FOX},hps\n`, '2:1', /2 cells, the header has 3; add the missing cells/],
  ['a quote is not closed', `trial,metric,value\n${FOX},"hps,1\n`, '2:26', /never closed/],
  ['text behind a quote', `trial,metric,value\n${FOX},"hps"x,1\n`, '2:31', /text after a closing quote/],
  ['a quote in a cell', `trial,metric,value\n${FOX},h"ps,1\n`, '2:27', /a quote inside/],
  ['not UTF-8', Buffer.from([0x74, 0xff, 0x0a]), null, /not UTF-8/],
  ['an unknown trial', `trial,metric,value\n${HARBOUR},hps,1\nnone,hps,1\nnone,hps,2\n`, '3:1', /unknown trial "none"/],
  ['a trial without an output', `trial,metric,value\n${REFUSED},hps,1\n`, '2:1', /has no output \(moderated\)/],
  ['an empty value', `trial,metric,value\n${FOX},hps,\n`, '2:30', /the value is empty/],
  ['not a number', `trial,metric,value\n${FOX},hps,nan\n`, '2:30', /"nan" is not a number/],
  ['infinite', `trial,metric,value\n${FOX},hps,inf\n`, '2:30', /"inf" is not a number/],
  ['a hexadecimal number', `trial,metric,value\n${FOX},hps,0x10\n`, '2:30', /"0x10" is not a number/],
  ['too large', `trial,metric,value\n${FOX},hps,1e300\n`, '2:30', /is not from -1e15 to 1e15/],
  ['the same row twice', `trial,metric,value\n${FOX},hps,1\n${FOX},score.hps,1\n`, '3:1', /in line 2 too; keep one/],
  [
    'two values of equal outputs',
    `trial,metric,value\n${FOX},hps,1\n${SAME_FOX},hps,1.01\n`,
    '3:1',
    /equal outputs and two/,
  ],
  ['no name of a metric', `trial,metric,value\n${FOX},HPS v2,1\n`, '2:26', /"HPS v2" is not a valid name/],
  [
    'an unknown direction',
    `trial,metric,value,better\n${FOX},hps,1,hihger\n`,
    '2:32',
    /better must not be "hihger"; write higher, or leave/,
  ],
  [
    'two directions',
    `trial,metric,value,better\n${FOX},hps,1,higher\n${HARBOUR},hps,1,lower\n`,
    '3:32',
    /"higher" in line 2/,
  ],
  [
    'an unknown unit',
    `trial,metric,value,unit\n${FOX},hps,1,ms\n`,
    '2:32',
    /unit must not be "ms"; write score or 1, or leave/,
  ],
  [
    'more metrics than a run may have',
    `trial,metric,value\n${Array.from({ length: 110 }, (_, at) => `${FOX},m${at},1\n`).join('')}`,
    '102:26',
    /the run gets more than 100 metrics; remove the rows/,
  ],
  ['two units', `trial,metric,value,unit\n${FOX},hps,1,1\n${HARBOUR},hps,1,score\n`, '3:32', /"1" in line 2/],
];

/** Wrong for a suite that declares scorers. */
const CONTRADICTING: typeof WRONG = [
  ['not declared', `trial,metric,value\n${FOX},ratet,1\n`, '2:26', /no metric "ratet"; did you mean "rated"/],
  [
    'a value that a program makes',
    `trial,metric,value\n${FOX},text,1\n`,
    '2:26',
    /the scorer "text" of the suite gives score.text already/,
  ],
  ['out of the range', `trial,metric,value\n${FOX},rated,5.1\n`, '2:32', /5.1 is not from 1 to 5/],
  [
    'another direction',
    `metric,trial,value,better\nrated,${FOX},2,lower\n`,
    '2:34',
    /"lower" here and "higher" in the suite/,
  ],
  [
    'a direction',
    `trial,metric,value,better\n${FOX},face.eyes,1,lower\n${FOX},face.hands,1,\n`,
    '2:38',
    /without a direction/,
  ],
  ['another unit', `trial,metric,value,unit\n${FOX},rated,1,1\n`, '2:34', /unit is "1" here and "score" in the suite/],
  [
    'a value of two is missing',
    `trial,metric,value\n${FOX},face.eyes,1\n`,
    '2:26',
    /the file lacks the value "hands" of the scorer "face"/,
  ],
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
  expect(await add(0, 60)).toMatchObject({ code: 0 });
  expect(await add(50, 50)).toMatchObject({ code: 0 });
  expect(await add(100, 1)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('scores.csv:2:26: the run gets'),
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

it.each([
  ...WRONG.map((each) => [...each, 'plain'] as const),
  ...CONTRADICTING.map((each) => [...each, 'declaring'] as const),
])('a file of values is refused whole, with its place: %s', async (_why, text, place, cause, name) => {
  const folder = name === 'plain' ? plain : declaring;
  const file = join(results, 'scores.csv');
  writeFileSync(file, text);
  const before = bytesOf(folder);
  const scored = await retakeHere(['score', folder, '--from', 'scores.csv'], results);
  expect(scored).toMatchObject({ code: 2, stdout: '' });
  expect(scored.stderr.match(/\n/g)).toHaveLength(1);
  expect(scored.stderr).toMatch(cause);
  expect(scored.stderr).toMatch(place === null ? /^cannot read scores\.csv: / : new RegExp(`^scores\\.csv:${place}: `));
  expect(bytesOf(folder)).toEqual(before);
});
