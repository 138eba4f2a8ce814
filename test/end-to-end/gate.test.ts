import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RuleResult, Verdict } from '../../src/gate/verdict.ts';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type Ended, retakeHere, type ServedService, serveHere } from '../fixtures/retake-process.ts';

/* What a gate decides on a real run: a variant that was slowed, one that was not, one that fails and one that is blocked. */

const PACE = (medianMs: number) => `latency: { lognormal: { median: ${medianMs}ms, sigma: 0.05 } }`;

/** What was drawn once is not drawn again: nothing here is of how an image comes about. */
const CACHED = 'cached: {}';

/** What a service needs that refuses every image: some by an error, some by moderation. */
const REFUSALS = [
  CACHED,
  'error: { status: 500, code: overloaded, message: Try later }\n    when: { prompt: lighthouse }',
  'moderation: { answer: refuse }\n    when: { prompt: fox }',
];

const variant = (name: string, { url }: ServedService, more = '') =>
  `  ${name}: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${url}'${more} }\n`;

const REST = `prompts:
  - { id: fox, text: A red fox in snow }
  - { id: lighthouse, text: A lighthouse in a storm }
seeds: [1, 2, 3, 4, 5, 6, 7]
repeats: 1
load: { warmup: 0 }
limits: { requests: 200 }
`;

const suiteOf = (name: string, variants: string, gate: string) =>
  `suite: 1\nname: ${name}\nvariants:\n${variants}${REST}gate:\n${gate}`;

const LATENCY = '  - { metric: latency.total, max_increase: 5% }\n';

const verdictOf = (run: string): Verdict => JSON.parse(readFileSync(join(run, 'verdict.json'), 'utf8'));
const ruleOf = ({ rules }: Verdict, index: number, name: string): RuleResult => {
  const found = rules.find((rule) => rule.index === index && rule.variant === name);
  if (found === undefined) throw new Error(`rule ${index} has no result for ${name}`);
  return found;
};

describe('a gate on the reference service', () => {
  /** Three of one interface: `slow` needs far more than the limit allows, also where this machine is busy. */
  let usual: ServedService;
  let slow: ServedService;
  let faulty: ServedService;
  let folder: string;
  let slowed: Ended;
  let faults: Ended;

  const run = (suite: string, ...more: readonly string[]) =>
    retakeHere(['run', suite, '--run', 'r', '--label', 'eu west, build 7', '--quiet', ...more], folder, usual.env);
  const runFolder = (suite: string) => join(folder, 'results', suite, 'r');

  beforeAll(async () => {
    [usual, slow, faulty] = await Promise.all([
      serveHere([PACE(300), CACHED]),
      serveHere([PACE(900), CACHED]),
      serveHere(REFUSALS),
    ]);
    folder = freshFolder();
    const pair = variant('usual', usual, ', baseline: true') + variant('slow', slow);
    writeFileSync(join(folder, 'slowed.yaml'), suiteOf('slowed', `${pair}${variant('again', usual)}`, LATENCY));
    writeFileSync(
      join(folder, 'faults.yaml'),
      suiteOf(
        'faults',
        variant('usual', usual, ', baseline: true') + variant('faulty', faulty),
        `  - { metric: error_rate, max: 40% }
  - { metric: error_rate, prompts: [lighthouse], none: error }
  - { metric: block_rate, max_rise: 20% }
  - { metric: block_rate, prompts: [lighthouse], none: blocked }
`,
      ),
    );
    slowed = await run('slowed.yaml');
    faults = await run('faults.yaml');
  });

  afterAll(() => Promise.all([usual, slow, faulty].map((service) => service.close())));

  it('a slowed variant: fails with exit code 1', () => {
    expect(slowed.stderr).toBe('');
    expect(slowed.code).toBe(1);
    const verdict = verdictOf(runFolder('slowed'));
    expect(verdict).toMatchObject({ verdict: 'fail', exitCode: 1, complete: true });
    const found = ruleOf(verdict, 0, 'slow');
    expect(found).toMatchObject({ verdict: 'fail', code: 'beyond_limit', against: 'usual', n: 14, units: 'blocks' });
    expect(found.estimate).toBeGreaterThan(1.1);
    expect(found.estimate).toBeLessThan(4);
    expect(slowed.stdout.replaceAll(/\s+/g, ' ')).toMatch(/^slowed .*slow takes [1-3]\.\d+x as long as usual/);
  });

  it('the same model twice: does not fail', () => {
    const verdict = verdictOf(runFolder('slowed'));
    const again = ruleOf(verdict, 0, 'again');
    expect(again.verdict).not.toBe('fail');
    expect(again.estimate).toBeLessThan(ruleOf(verdict, 0, 'slow').estimate ?? 0);
  });

  it('the label of a run is in its record, in every report that names the run, and with every sample', () => {
    const read = (file: string) => readFileSync(join(runFolder('slowed'), file), 'utf8');
    expect(JSON.parse(read('run.json')).label).toBe('eu west, build 7');
    expect(new Set(readTable(read('samples.csv')).map(({ label }) => label))).toEqual(new Set(['eu west, build 7']));
    expect(read('report.html')).toContain('<span>eu west, build 7</span>');
  });

  it('retake gate: gives the same verdict from the record alone', async () => {
    const before = readFileSync(join(runFolder('slowed'), 'verdict.json'), 'utf8');
    rmSync(join(runFolder('slowed'), 'verdict.json'));
    const gated = await retakeHere(['gate', 'results/slowed'], folder);
    expect(gated.code).toBe(1);
    expect(gated.stdout).toMatch(/FAIL +latency\.total, slow against usual: \d\.\d\dx as long/);
    expect(readFileSync(join(runFolder('slowed'), 'verdict.json'), 'utf8')).toBe(before);
    const { stdout, code } = await retakeHere(['gate', 'results/slowed/r', '--json'], folder);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(before));
  });

  it('errors and newly blocked prompts: fail, each at its own prompt only', () => {
    expect(faults.stderr).toBe('');
    expect(faults.code).toBe(1);
    const verdict = verdictOf(runFolder('faults'));
    const found = verdict.rules.map(({ index, variant: name, verdict: decided, code }) => [index, name, decided, code]);
    expect(found).toEqual([
      [0, 'usual', 'pass', 'within_limit'],
      [0, 'faulty', 'inconclusive', 'spans_limit'],
      [1, 'usual', 'pass', 'no_event'],
      [1, 'faulty', 'fail', 'event_found'],
      [2, 'faulty', 'fail', 'beyond_limit'],
      [3, 'usual', 'pass', 'no_event'],
      [3, 'faulty', 'inconclusive', 'nothing_to_count'],
    ]);
  });

  it('a gate that decides nothing: ends with 0 where the suite lets that pass, and says so', async () => {
    const undecided = '  - { metric: error_rate, max: 40% }\n';
    writeFileSync(join(folder, 'undecided.yaml'), suiteOf('undecided', variant('faulty', faulty), undecided));
    const passed = await run('undecided.yaml', '--set', 'on_inconclusive=pass');
    expect(passed).toMatchObject({ code: 0 });
    expect(passed.stdout).toMatch(/^undecided .*GATE NOT JUDGED [\s\S]*\nNOT JUDGED +error_rate: at most 40 %; faulty/);
  });

  it('a rule that its plan could never decide: is refused where it is written, with what it needs', async () => {
    writeFileSync(
      join(folder, 'undecidable.yaml'),
      suiteOf(
        'undecidable',
        variant('usual', usual, ', baseline: true') + variant('slow', slow),
        `${LATENCY.replace('5%', '5%, prompts: [fox]')}  - { metric: error_rate, max: 1% }
`,
      ).replace('[1, 2, 3, 4, 5, 6, 7]', '[1, 2, 3, 4]'),
    );
    for (const command of ['validate', 'plan', 'run']) {
      const { code, stderr, stdout } = await retakeHere([command, 'undecidable.yaml'], folder, usual.env);
      expect(code).toBe(2);
      const said = stderr + stdout;
      expect(said).toMatch(/undecidable\.yaml:\d+:\d+:? .*with 4 pairs of takes of slow the rule can never fail/);
      expect(said).toContain('it needs 5 pairs of takes');
      expect(said).toMatch(/with 8 takes of usual the rule can never pass/);
      expect(said).toContain('it needs 299 takes');
    }
    expect(existsSync(join(folder, 'results', 'undecidable'))).toBe(false);
  });
});
