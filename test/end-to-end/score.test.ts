import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { scoringsOf } from '../../src/analysis/scores/scoring.ts';
import { scoreCommand } from '../../src/commands/score/score.ts';
import type { Verdict } from '../../src/gate/verdict.ts';
import type { Baseline } from '../../src/record/kept-run.ts';
import { readLines } from '../../src/record/read-record.ts';
import type { ScoreLine } from '../../src/record/score.ts';
import { placeOf } from '../../src/record/score-key.ts';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type ImageServer, serveImages, writePainter } from '../fixtures/image-server.ts';
import { memoryEdge } from '../fixtures/memory-edge.ts';
import { type Ended, retakeHere, startRetake } from '../fixtures/retake-process.ts';
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

/* Values of a file, on a run in shards and on one beside a stored baseline; and a scoring that is killed. */

const SUITE = `suite: 1
name: scored
variants:
  fast: { target: ./painter.yaml, const: { model: fast }, baseline: true }
  fast-lcm: { target: ./painter.yaml, const: { model: fast-lcm } }
prompts:
  - { id: fox, text: A red fox in snow }
  - { id: cat, text: A cat }
seeds: [1, 2, 3]
repeats: 2
load: { concurrency: 4 }
scorers:
  hps: { use: file, gives: { hps: { better: higher, range: [0, 1] } } }
  text: { use: file, gives: { cer: { better: lower, unit: 1 } } }
gate: [{ metric: score.hps, max_decrease: 0.02 }, { metric: score.text, max_increase: 0.02 }]
reports: [csv, html, json, junit, markdown]
`;

const REPORTS = [
  'samples.csv',
  'measures.csv',
  'comparisons.csv',
  'report.html',
  'analysis.json',
  'junit.xml',
  'summary.md',
  'verdict.json',
];

let server: ImageServer;
let folder: string;

const results = (...path: readonly string[]) => join(folder, 'results', 'scored', ...path);
const read = (...path: readonly string[]) => readFileSync(results(...path), 'utf8');
const rulesOf = (run: string): Verdict['rules'] => JSON.parse(read(run, 'verdict.json')).rules;
/** How variants compare over all their cell pairs. */
const wholeOf = (run: string, metric: string) =>
  readTable(read(run, 'comparisons.csv')).filter((row) => row.metric === metric && row.scope === 'cells');

/** Scores each output a little apart from the others; those of fast-lcm are 0.05 worse in hps, and equal in text. */
async function score(run: string): Promise<Ended> {
  const rows = readTable(read(run, 'samples.csv')).filter(
    ({ phase, outcome }) => phase === 'trial' && outcome === 'ok',
  );
  const lines = rows.flatMap(({ trial = '', variant = '', pixel_sha256: pixels = '' }) => {
    const hps = 0.6 + 0.004 * chance(pixels) - (variant.startsWith('fast-lcm') ? 0.05 : 0);
    return [`hps,${hps},${trial}\n`, `text,${0.02 * chance('text', pixels)},${trial}\n`];
  });
  writeFileSync(join(folder, 'values.csv'), `metric,value,trial\n${lines.join('')}`);
  return retakeHere(['score', results(run), '--from', 'values.csv'], folder);
}

async function measure(run: string, more: readonly string[] = []): Promise<void> {
  const ended = await retakeHere(['run', 'suite.yaml', '--run', run, '--quiet', ...more], folder);
  // A shard decides nothing, and without values no rule can be decided.
  expect(ended).toMatchObject({ code: more.includes('--shard') ? 0 : 4 });
}

/** Of both scores, over all cell pairs; and what their rules say. */
function expectIntervals(run: string): void {
  for (const metric of ['score.hps', 'score.text']) {
    const [found] = wholeOf(run, metric).filter(({ baseline }) => baseline === 'fast');
    expect(found).toMatchObject({ units: 'cells', n_units: '6', method: 'student', effect: 'difference' });
    expect(Number(found?.ci_low)).toBeLessThan(Number(found?.ci_high));
  }
  expect(rulesOf(run)).toMatchObject([
    { index: 0, variant: 'fast-lcm', verdict: 'fail', code: 'beyond_limit' },
    { index: 1, variant: 'fast-lcm', verdict: 'pass', code: 'within_limit' },
  ]);
}

beforeAll(async () => {
  server = await serveImages();
  folder = freshFolder();
  writePainter(folder, server.url);
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
});

afterAll(() => server.close());

describe('retake score --from', () => {
  it('a run in shards, each scored by itself: merged, it has the scores of both, and keeps them without its facts', async () => {
    for (const shard of ['1/2', '2/2']) await measure('whole', ['--shard', shard]);
    const shards = ['whole-1of2', 'whole-2of2'];
    for (const shard of shards) expect(await score(shard)).toMatchObject({ code: 0 });
    const merged = await retakeHere(['merge', ...shards.map((shard) => results(shard)), '--quiet'], folder);
    expect(merged).toMatchObject({ code: 1, stderr: '' });
    expectIntervals('whole');

    const before = REPORTS.map((file) => read('whole', file));
    expect(before.filter((text) => text.includes('score.hps'))).toHaveLength(REPORTS.length - 1);
    const scores = read('whole', 'scores.jsonl');
    rmSync(results('whole', 'facts.jsonl'));
    expect(await retakeHere(['report', results('whole'), '--quiet'], folder)).toMatchObject({ code: 0 });
    expect(REPORTS.map((file) => read('whole', file))).toEqual(before);
    expect(read('whole', 'scores.jsonl')).toBe(scores);
  });

  it('a run beside a stored baseline compares the scores of its twins too', async () => {
    expect(await retakeHere(['baseline', results('whole'), '--quiet', '--force'], folder)).toMatchObject({ code: 0 });
    const baseline: Baseline = JSON.parse(read('baseline.json'));
    expect(baseline.cells.filter(({ values }) => 'score.hps' in values)).toHaveLength(12);
    await measure('beside', ['--against', results('baseline.json'), '--allow-origin', server.url]);
    expect(await score('beside')).toMatchObject({ code: 0 });
    expectIntervals('beside');
    const twins = wholeOf('beside', 'score.hps').filter(({ baseline: other = '' }) => other.endsWith('@baseline'));
    expect(twins).toHaveLength(2);
    // They send the same requests, so the service gives them the same images.
    for (const twin of twins) expect(twin).toMatchObject({ units: 'cells', n_units: '6', value: '0' });
    const lines = read('history.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ run }) => run === 'beside').map(({ verdict }) => verdict)).toEqual(['inconclusive', 'fail']);
  });

  it('an interrupt before all outputs are examined: the exit code says so, and nothing is written', async () => {
    rmSync(results('beside', 'facts.jsonl'));
    const before = read('beside', 'scores.jsonl');
    const edge = { ...memoryEdge(folder), drain: AbortSignal.abort(), abort: AbortSignal.abort() };
    const args = { from: 'values.csv', allowCommands: false, allowOrigin: [], yes: false, quiet: false };
    expect(await scoreCommand({ run: results('beside'), ...args }, edge)).toBe(3);
    expect(edge.stderr()).toBe('interrupted: some outputs were not examined; retake report examines the rest\n');
    expect(read('beside', 'scores.jsonl')).toBe(before);
  });

  it('the values of a second file take the place of the first, and a file that is there already writes nothing', async () => {
    const before = read('beside', 'scores.jsonl');
    const again = await score('beside');
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('the run already has these values') });
    expect(read('beside', 'scores.jsonl')).toBe(before);
    const [row] = readTable(read('beside', 'samples.csv')).filter(({ phase }) => phase === 'trial');
    writeFileSync(join(folder, 'values.csv'), `trial,metric,value\n${row?.trial},score.hps,0.9\n`);
    const one = await retakeHere(['score', results('beside'), '--from', 'values.csv'], folder);
    expect(one).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('score.hps: values for 1 output; 5 outputs have none'),
    });
    expect(read('beside', 'scores.jsonl').startsWith(before)).toBe(true);
    const analysis: Analysis = JSON.parse(read('beside', 'analysis.json'));
    expect(analysis.scorers?.[0]?.variants.map(({ scored }) => scored).toSorted()).toEqual([0, 0, 2, 2]);
    expect(readdirSync(results('beside'))).not.toContain('lock');
  });
});

const KILLS = NIGHTLY ? 50 : 1;
const METRICS = Array.from({ length: 20 }, (_, at) => `m${at + 1}`);
const TELLING = { ...largeTelling(NIGHTLY ? 270 : 90), repeats: 1 };

const { samples } = scriptedRun(TELLING);
const trials = samples.flatMap(({ trial, outcome }) => (outcome === 'ok' && trial.phase === 'trial' ? [trial.id] : []));

function writeValues(folder: string, file: string): void {
  const rows = trials.flatMap((trial) =>
    METRICS.map((metric) => `${trial},${metric},${chance(file, trial, metric)}\n`),
  );
  writeFileSync(join(folder, file), `trial,metric,value\n${rows.join('')}`);
}

async function scoresOf(run: string): Promise<readonly ScoreLine[]> {
  const read = await readLines(run, 'scores.jsonl');
  if (!read.ok) throw new Error(read.diagnostics[0]?.cause);
  return read.value.values;
}

/** The file that the counting values of every scorer come from. */
const countingFiles = (lines: readonly ScoreLine[]) =>
  new Set(scoringsOf([], lines).flatMap(({ by }) => Object.keys(by?.files ?? {})));

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Kills a command that writes a file once it is time, if it lives so long. */
async function killWhen(
  file: string,
  isTime: () => boolean,
  ...started: Parameters<typeof startRetake>
): Promise<void> {
  const before = sizeOf(file);
  const { kill, ended } = startRetake(...started);
  let isAlive = true;
  const over = ended.then(() => {
    isAlive = false;
  });
  // Until it writes, this waits; then it looks as often as it can.
  while (isAlive && !isTime()) await (sizeOf(file) === before ? wait(1) : turn());
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
    const scores = join(run, 'scores.jsonl');
    const most = sizeOf(scores) + 1 + Math.floor(chance('kill', kill) * 40_000);
    await killWhen(scores, () => sizeOf(scores) >= most, ['score', run, '--from', 'second.csv', '--quiet'], folder);
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
  // Of fewer seeds it is asked no copies.
  const folder = await (NIGHTLY ? judgedRecord(paintings.url) : judgedRecord(paintings.url, [1, 2]));
  const questionCount = NIGHTLY ? QUESTIONS : 8;
  await paintings.close();
  // So slow that each kill meets questions under way.
  const judge = await serveJudge(async (asked) => {
    await wait(NIGHTLY ? 30 : 300);
    return byContrast(asked);
  });
  writeJudge(folder, judge.url);
  writeJudging(folder);
  const words = ['score', 'results/judged', '--suite', 'judging.yaml', '--quiet'];
  const env = { JUDGE_KEY: 'key-of-the-judge' };

  let known = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const scores = inRun(folder, 'scores.jsonl');
    const answers = () =>
      existsSync(scores) ? (readFileSync(scores, 'utf8').match(/"line":"preference"/g) ?? []) : [];
    const most = sizeOf(scores) + Math.floor(chance('judge', kill) * 1500);
    await killWhen(scores, () => sizeOf(scores) >= most && answers().length > known, words, folder, env);
    expect(answers().length).toBeGreaterThanOrEqual(known);
    known = answers().length;
  }
  expect(known).toBeGreaterThan(0);
  expect(await retakeHere(words, folder, env)).toMatchObject({ code: 0 });

  const lines = scoreLines(folder);
  const answers = lines.filter(({ line }) => line === 'preference');
  expect(answers).toHaveLength(questionCount);
  expect(new Set(answers.map(placeOf)).size).toBe(questionCount);
  // Every request has its line before it is sent.
  expect(lines.filter(({ line }) => line === 'asked').length).toBeGreaterThanOrEqual(judge.requests.length);
  expect(new Set(judge.requests.map((each) => questionOf(each).key)).size).toBe(questionCount);
  expect(judge.requests.length).toBeLessThanOrEqual(questionCount + IN_FLIGHT * KILLS);
  await judge.close();
});
