import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/gate/verdict.ts';
import type { Baseline } from '../../src/record/kept-run.ts';
import type { Run } from '../../src/record/run.ts';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type Ended, filesBelow, retakeHere, type ServedService, serveHere } from '../fixtures/retake-process.ts';

/* A deployment that is twice as slow as the one a baseline was kept from: measured beside it in one run. */

const suiteOf = (variants: readonly string[], gate: string) => `suite: 1
name: kept
variants:
${variants.map((variant) => `  ${variant}\n`).join('')}prompts:
  - { id: fox, text: A red fox in snow }
  - { id: cat, text: A cat }
seeds: [1, 2, 3, 4, 5]
repeats: 1
load: { warmup: 1 }
limits: { requests: 60 }
reports: [csv, html, markdown]
gate: ${gate}
`;

const PAINTER = 'painter: { target: reference/text-to-image, const: { model: fast-lcm } }';
const MOVED = 'painter: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: "${env.NEW_URL}" }';
const RULES =
  '[{ metric: latency.total, max_increase: 5%, against: baseline }, { metric: error_rate, max_rise: 30%, against: baseline }]';
const ROUTE = 'POST /v2/image/generations';

describe('retake run --against', () => {
  let quick: ServedService;
  let slow: ServedService;
  let folder: string;
  let slower: Ended;

  const results = (...path: readonly string[]) => join(folder, 'results', 'kept', ...path);
  const read = (...path: readonly string[]) => readFileSync(results(...path), 'utf8');
  const verdictOf = (run: string): Verdict => JSON.parse(read(run, 'verdict.json'));
  const runOf = (run: string): Run => JSON.parse(read(run, 'run.json'));
  const envOf = (url: string) => ({ ...quick.env, NEW_URL: url });
  const against = ['--against', 'results/kept/baseline.json'];
  const run = (name: string, url: string, more: readonly string[] = []) =>
    retakeHere(
      ['run', 'suite.yaml', '--run', name, '--quiet', ...against, '--allow-origin', quick.url, ...more],
      folder,
      envOf(url),
    );

  beforeAll(async () => {
    [quick, slow] = await Promise.all([
      serveHere(['{ latency: { constant: 100ms } }', '{ cached: {} }']),
      // Far more than what a busy machine adds.
      serveHere(['{ latency: { constant: 1500ms } }', '{ cached: {} }']),
    ]);
    folder = freshFolder();
    writeFileSync(
      join(folder, 'first.yaml'),
      suiteOf([PAINTER, 'gone: { target: reference/text-to-image, const: { model: fast-lcm } }'], '[]'),
    );
    writeFileSync(join(folder, 'suite.yaml'), suiteOf([MOVED], RULES));
    const set = ['--set', 'seeds=[1, 9]', '--set', 'reports=[]'];
    expect(
      await retakeHere(['run', 'first.yaml', '--run', 'first', '--quiet', ...set], folder, quick.env),
    ).toMatchObject({ code: 0 });
    expect(await retakeHere(['baseline', 'results/kept', '--quiet'], folder)).toMatchObject({ code: 0 });
    slower = await run('slower', slow.url);
  });

  afterAll(() => Promise.all([quick, slow].map((service) => service.close())));

  it('the plan: names what is sent again and what is missing, and sends nothing', async () => {
    const before = (await slow.stats()).routes[ROUTE];
    const { code, stdout } = await retakeHere(['plan', 'suite.yaml', ...against], folder, envOf(slow.url));
    expect(code).toBe(0);
    expect(stdout).toContain(
      `painter@baseline (model fast-lcm): reference/text-to-image (text-to-image) at ${quick.url}`,
    );
    expect(stdout).toContain('compared with the stored baseline (run first, ');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`the stored baseline adds requests, RETAKE_API_KEY (key)`);
    expect(stdout).toContain(`a run needs --allow-origin ${quick.url}`);
    const json = await retakeHere(['plan', 'suite.yaml', '--json', ...against], folder, envOf(slow.url));
    const additions = json.stdout.split('\n').filter((line) => line.startsWith('{"addition"'));
    expect(additions.map((line) => JSON.parse(line).addition)).toEqual([
      {
        origin: quick.url,
        what: expect.arrayContaining(['RETAKE_API_KEY (key)']),
        needs: `--allow-origin ${quick.url}`,
      },
    ]);
    expect(stdout).toContain('this suite lacks variant gone; seed 9');
    expect(stdout).toMatch(
      /latency\.total new against in use may increase by at most 5 %\n +painter: 10 pairs of takes, finds/,
    );
    expect((await slow.stats()).routes[ROUTE]).toEqual(before);
    expect(await retakeHere(['validate', 'suite.yaml', ...against], folder, envOf(slow.url))).toMatchObject({
      code: 0,
    });
  });

  it('a rule about a stored baseline: is refused without it, with the remedy', async () => {
    for (const command of ['plan', 'validate', 'run']) {
      const { code, stderr } = await retakeHere([command, 'suite.yaml'], folder, envOf(slow.url));
      expect({ command, code }).toEqual({ command, code: 2 });
      expect(stderr).toMatch(
        /suite\.yaml:\d+:\d+: the rule compares latency\.total with the stored baseline, which must be sent again in the same run; add --against results\/SUITE\/baseline\.json; to measure without the gate, add --set "gate=\[\]"/,
      );
    }
  });

  it('a slower deployment: fails the rule, and is said in words', () => {
    expect(slower.code).toBe(1);
    const said = slower.stdout.replaceAll(/\s+/g, ' ');
    expect(said).toMatch(/^kept GATE FAILED painter takes [\d.]+x as long as in use \[/);
    expect(said).toMatch(/painter \(new\) takes [\d.]+x as long as painter \(in use\) \[/);
    expect(said).toMatch(/FAIL latency\.total new against in use: at most 1\.05x as long; painter [\d.]+x/);
    expect(said).toContain('In use: the stored baseline of run first, sent again');
    expect(slower.stderr).toContain('its variants are sent again as painter@baseline');
    const { baselineRun, rules, missing } = verdictOf('slower');
    expect({ baselineRun, missing }).toEqual({
      baselineRun: 'first',
      missing: [
        { what: 'variant', id: 'gone', side: 'run' },
        { what: 'seed', id: '9', side: 'run' },
      ],
    });
    expect(rules).toMatchObject([
      { verdict: 'fail', variant: 'painter', against: 'painter@baseline', n: 10 },
      { verdict: 'pass', variant: 'painter', against: 'painter@baseline' },
    ]);
    expect(read('slower', 'summary.md')).toContain('as long as painter (in use)');
    expect(read('slower', 'report.html')).toContain('new against in use');
  });

  it('a take of the stored baseline: alternates with those of today, at its own server, and is a row of every table', async () => {
    const samples = readTable(read('slower', 'samples.csv'));
    const twins = samples.filter(({ variant }) => variant === 'painter@baseline');
    expect(twins.map(({ phase }) => phase)).toEqual(['warmup', ...Array(10).fill('against')]);
    const blocks = samples.filter(({ phase }) => phase !== 'warmup').map(({ block }) => block);
    for (let at = 0; at < blocks.length; at += 2) expect(blocks[at]).toBe(blocks[at + 1]);
    expect((await slow.stats()).routes[ROUTE]).toMatchObject({ started: 11 });
    const measures = readTable(read('slower', 'measures.csv'));
    expect(measures.some(({ variant, metric }) => variant === 'painter@baseline' && metric === 'latency.total')).toBe(
      true,
    );
    const whole = readTable(read('slower', 'comparisons.csv')).filter(
      ({ metric, scope }) => metric === 'latency.total' && scope === 'blocks',
    );
    expect(whole).toMatchObject([
      { variant: 'painter', baseline: 'painter@baseline', baseline_run: 'first', verdict: 'fail', n_pairs: '10' },
    ]);
  });

  it('the record alone: gives the same verdict and tables again, without the stored baseline', async () => {
    const files = ['verdict.json', 'comparisons.csv', 'report.html'];
    const before = files.map((file) => read('slower', file));
    const kept = read('baseline.json');
    writeFileSync(results('baseline.json'), '');
    try {
      expect(await retakeHere(['gate', 'results/kept/slower'], folder)).toMatchObject({ code: 1 });
      expect(await retakeHere(['report', 'results/kept/slower'], folder)).toMatchObject({ code: 0 });
    } finally {
      writeFileSync(results('baseline.json'), kept);
    }
    expect(files.map((file) => read('slower', file))).toEqual(before);
  });

  it('the key: is in no file', () => {
    for (const path of filesBelow(results())) expect(readFileSync(path).includes(quick.key)).toBe(false);
  });

  it('the same deployment in two shards: is merged with its twins, does not fail, and the baseline kept of it holds its own variants alone', async () => {
    const overrides = ['load.concurrency=2', 'repeats=3', 'limits.requests=100', 'reports=[csv]'];
    const set = overrides.flatMap((override) => ['--set', override]);
    for (const shard of ['1/2', '2/2']) {
      expect(await run('same', quick.url, ['--shard', shard, ...set])).toMatchObject({ code: 0 });
    }
    const { code, stdout } = await retakeHere(['merge', results('same-1of2'), results('same-2of2')], folder);
    expect([0, 4]).toContain(code);
    expect(stdout).toMatch(/GATE/);
    expect(stdout).not.toContain('FAIL');
    const { against: stored, variants } = runOf('same');
    expect(stored?.run).toBe('first');
    expect(variants.map(({ name, twinOf, plannedTrials }) => ({ name, twinOf, plannedTrials }))).toEqual([
      { name: 'painter', twinOf: null, plannedTrials: 30 },
      { name: 'painter@baseline', twinOf: 'painter', plannedTrials: 30 },
    ]);
    expect(readTable(read('same', 'comparisons.csv')).some(({ baseline_run }) => baseline_run === 'first')).toBe(true);
    expect(await retakeHere(['baseline', 'results/kept/same', '--quiet'], folder)).toMatchObject({ code: 0 });
    const kept: Baseline = JSON.parse(read('baseline.json'));
    expect(kept.variants.map(({ name }) => name)).toEqual(['painter']);
    expect(new Set(kept.cells.map(({ variant }) => variant))).toEqual(new Set(['painter']));
  });

  it('a file that is no stored baseline: is refused before anything is sent', async () => {
    const refused = await retakeHere(
      ['run', 'suite.yaml', '--run', 'never', '--against', 'first.yaml'],
      folder,
      envOf(slow.url),
    );
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('first.yaml is not JSON');
    expect(existsSync(results('never'))).toBe(false);
  });
});
