import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { Verdict } from '../../src/analysis/verdict.ts';
import { scoreCommand } from '../../src/commands/score/score.ts';
import type { Baseline } from '../../src/record/kept-run.ts';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type ImageServer, serveImages, writePainter } from '../fixtures/image-server.ts';
import { memoryEdge } from '../fixtures/memory-edge.ts';
import { type Ended, retakeHere } from '../fixtures/retake-process.ts';
import { chance } from '../fixtures/scripted-run.ts';

/* Values of a file, on runs of every kind: measured whole, in shards, under open load, beside a stored baseline. */

const suiteOf = (load: string) => `suite: 1
name: scored
variants:
  fast: { target: ./painter.yaml, const: { model: fast }, baseline: true }
  fast-lcm: { target: ./painter.yaml, const: { model: fast-lcm } }
prompts:
  - { id: fox, text: A red fox in snow }
  - { id: cat, text: A cat }
seeds: [1, 2, 3]
repeats: 2
load: ${load}
scorers:
  hps: { use: file, gives: { hps: { better: higher, range: [0, 1] } } }
  text: { use: file, gives: { cer: { better: lower, unit: 1 } } }
gate: [{ metric: score.hps, max_decrease: 0.02 }, { metric: score.text, max_increase: 0.02 }]
reports: [csv, html, json, junit, markdown, bencher, github-action-benchmark]
`;

const REPORTS = [
  'samples.csv',
  'measures.csv',
  'comparisons.csv',
  'report.html',
  'analysis.json',
  'junit.xml',
  'summary.md',
  'bencher.json',
  'github-action-benchmark.bigger.json',
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

async function measure(suite: string, run: string, more: readonly string[] = []): Promise<void> {
  const ended = await retakeHere(['run', suite, '--run', run, '--quiet', ...more], folder);
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
  writeFileSync(join(folder, 'suite.yaml'), suiteOf('{ concurrency: 4 }'));
  writeFileSync(join(folder, 'open.yaml'), suiteOf('{ mode: open, rate: 40/s }'));
});

afterAll(() => server.close());

describe('retake score --from', () => {
  it('a run in shards, each scored by itself: merged, it has the scores of both, and keeps them without its facts', async () => {
    for (const shard of ['1/2', '2/2']) await measure('suite.yaml', 'whole', ['--shard', shard]);
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

  it('a merged run that waits for values names the command that adds them', async () => {
    const shards = ['whole-1of2', 'whole-2of2'];
    for (const shard of shards) rmSync(results(shard, 'scores.jsonl'));
    const args = ['merge', ...shards.map((shard) => results(shard)), '--out', 'again', '--quiet'];
    expect(await retakeHere(args, folder)).toMatchObject({
      code: 4,
      stderr: 'some outputs were not scored; to score them: retake score again/scored/whole --from FILE.csv\n',
    });
  });

  it('a run under open load has the interval of a score over its cell pairs', async () => {
    await measure('open.yaml', 'open');
    const scored = await score('open');
    expect(scored.code).toBe(0);
    expect(scored.stderr).toContain('score.hps: values for 12 outputs\n');
    expectIntervals('open');
    const lines = read('history.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ run }) => run === 'open').map(({ verdict }) => verdict)).toEqual(['inconclusive', 'fail']);
  });

  it('a run beside a stored baseline compares the scores of its twins too', async () => {
    expect(await retakeHere(['baseline', results('whole'), '--quiet', '--force'], folder)).toMatchObject({ code: 0 });
    const baseline: Baseline = JSON.parse(read('baseline.json'));
    expect(baseline.cells.filter(({ values }) => 'score.hps' in values)).toHaveLength(12);
    await measure('suite.yaml', 'beside', ['--against', results('baseline.json'), '--allow-origin', server.url]);
    expect(await score('beside')).toMatchObject({ code: 0 });
    expectIntervals('beside');
    const twins = wholeOf('beside', 'score.hps').filter(({ baseline: other = '' }) => other.endsWith('@baseline'));
    expect(twins).toHaveLength(2);
    // They send the same requests, so the service gives them the same images.
    for (const twin of twins) expect(twin).toMatchObject({ units: 'cells', n_units: '6', value: '0' });
  });

  it('an interrupt before all outputs are examined: the exit code says so, and nothing is written', async () => {
    rmSync(results('open', 'facts.jsonl'));
    const before = read('open', 'scores.jsonl');
    const edge = { ...memoryEdge(folder), drain: AbortSignal.abort(), abort: AbortSignal.abort() };
    const args = { from: 'values.csv', allowCommands: false, allowOrigin: [], yes: false, quiet: false };
    expect(await scoreCommand({ run: results('open'), ...args }, edge)).toBe(3);
    expect(edge.stderr()).toBe('interrupted: some outputs were not examined; retake report examines the rest\n');
    expect(read('open', 'scores.jsonl')).toBe(before);
  });

  it('the values of a second file take the place of the first, and a file that is there already writes nothing', async () => {
    const before = read('open', 'scores.jsonl');
    const again = await score('open');
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('the run already has these values') });
    expect(read('open', 'scores.jsonl')).toBe(before);
    const [row] = readTable(read('open', 'samples.csv')).filter(({ phase }) => phase === 'trial');
    writeFileSync(join(folder, 'values.csv'), `trial,metric,value\n${row?.trial},score.hps,0.9\n`);
    const one = await retakeHere(['score', results('open'), '--from', 'values.csv'], folder);
    expect(one).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('score.hps: values for 1 output; 5 outputs have none'),
    });
    expect(read('open', 'scores.jsonl').startsWith(before)).toBe(true);
    const analysis: Analysis = JSON.parse(read('open', 'analysis.json'));
    expect(analysis.scorers?.[0]?.variants.map(({ scored }) => scored).toSorted()).toEqual([0, 2]);
    expect(readdirSync(results('open'))).not.toContain('lock');
  });
});
