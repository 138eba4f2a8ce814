import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/gate/verdict.ts';
import type { Run } from '../../src/record/run.ts';
import { claimDigest } from '../../src/workflow/run-header.ts';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { only } from '../fixtures/only.ts';
import { journalOf, retakeHere, type ServedService, serveHere, startHere } from '../fixtures/retake-process.ts';
import { ROOT } from '../test-options.ts';

/* Claims about two deployments, one of which is much slower. */

describe('a claim', () => {
  let slow: ServedService;
  let quick: ServedService;
  let folder: string;

  const suiteOf = (name: string, claims: string, more = '', reports = 'csv') => `suite: 1
name: ${name}
variants:
  standard: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${slow.url}' }
  fast: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${quick.url}' }
prompts: [{ id: fox, text: A red fox }]
seeds: { first: 1, count: 30 }
repeats: 1
reports: [${reports}]
claim: [${claims}]
${more}`;
  const says = (what: string, pairs = 30) => `{ of: fast, against: standard, ${what}, pairs: ${pairs} }`;
  const measure = (name: string, claims: string, args: readonly string[] = [], more = '') => {
    writeFileSync(join(folder, `${name}.yaml`), suiteOf(name, claims, more));
    return retakeHere(['run', `${name}.yaml`, '--run', 'r', ...args], folder, slow.env);
  };
  const file = (name: string, of: string) => readFileSync(join(folder, 'results', name, 'r', of), 'utf8');
  const verdictOf = (name: string): Verdict => JSON.parse(file(name, 'verdict.json'));

  beforeAll(async () => {
    folder = freshFolder();
    [slow, quick] = await Promise.all([
      serveHere(['{ latency: { constant: 200ms } }', '{ cached: {} }']),
      serveHere(['{ latency: { constant: 30ms } }', '{ cached: {} }']),
    ]);
  });

  afterAll(() => Promise.all([slow, quick].map((service) => service.close())));

  it('a claim that is true ends the run as supported, with the digest that the plan printed, and a stranger recomputes it', async () => {
    writeFileSync(join(folder, 'shown.yaml'), suiteOf('shown', says('takes: at most 0.8x as long'), '', 'csv, html'));
    const plan = await retakeHere(['plan', 'shown.yaml'], folder, slow.env);
    expect(plan.stdout).toContain('fast takes at most 0.80x as long as standard in most pairs');
    expect(plan.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /4 of 5 runs are decided within 7 pairs at a true ratio of 0\.48x, .*not within 30 at/,
    );
    const [, digest] = /Digest to publish before the run: ([0-9a-f]{64})/.exec(plan.stdout) ?? [];
    const { code, stdout, stderr } = await retakeHere(['run', 'shown.yaml', '--run', 'r'], folder, slow.env);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /^shown CLAIM SUPPORTED.* Supported.* after \d+ pairs: fast takes at most 0\.80x as long as standard in most pairs \(median 0\.\d\dx, e = \d+/,
    );
    expect(stderr).toContain('every claim is decided, or has all its pairs; the rest is not sent');
    const run: Run = JSON.parse(file('shown', 'run.json'));
    expect([run.published, claimDigest(run)]).toEqual([digest, digest]);
    const result = only(verdictOf('shown').rules);
    const samples = readTable(file('shown', 'samples.csv')).filter(({ phase }) => phase === 'trial');
    expect(samples).toHaveLength(2 * result.n);
    expect(verdictOf('shown')).toMatchObject({ complete: true, question: 'claim', exitCode: 0 });
    expect(file('shown', 'report.html')).toContain('Is the claim true?');

    const follow = (published: string) => retakeHere(['follow', 'results/shown/r', '--published', published], folder);
    const followed = await follow(digest ?? '');
    expect(followed.stdout).toContain('Follows from the record.');
    expect(followed.stdout).not.toContain('are older than the run');
    expect((await follow('0'.repeat(64))).stdout).toMatch(
      /Does not follow: the published digest is 0+, and that of this suite/,
    );

    const header = join(folder, 'results', 'shown', 'r', 'run.json');
    writeFileSync(header, JSON.stringify({ ...run, published: '0'.repeat(64) }));
    expect((await follow('0'.repeat(64))).stdout).toMatch(
      /Does not follow: run\.json: published is "0+", and "[0-9a-f]{64}" follows/,
    );
    writeFileSync(header, JSON.stringify(run));

    const script = join(ROOT, 'test/report/recompute-claim.py');
    const csv = join(folder, 'results', 'shown', 'r', 'samples.csv');
    const python = spawnSync('python3', [script, csv, 'fast', 'standard', '0.8'], { encoding: 'utf8' });
    expect(python.stderr).toBe('');
    const [pairs, support, refute] = python.stdout.trim().split(' ').map(Number);
    expect(pairs).toBe(result.n);
    expect(support).toBeCloseTo(result.evidence?.support ?? 0, 9);
    expect(refute).toBeCloseTo(result.evidence?.refute ?? 0, 9);
  });

  it('a claim that is false fails, one without enough pairs stays undecided, and a gate needs the whole plan', async () => {
    const refuted = await measure('refuted', says('takes: at most 0.1x as long'));
    expect(refuted.code).toBe(1);
    expect(refuted.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /^refuted CLAIM REFUTED Refuted.* that fast takes at most 0\.10x/,
    );
    const open = await measure('open', says('fails: at most 2 points more often', 4));
    expect(open.code).toBe(4);
    expect(open.stdout).toMatch(/^open {2}CLAIM NOT DECIDED/);
    const gate = 'gate: [{ metric: error_rate, max: 50% }]';
    const beside = await measure(
      'beside',
      says('takes: at most 3x as long'),
      ['--set', 'seeds={ first: 1, count: 8 }', '--set', 'claim.0.pairs=8'],
      gate,
    );
    expect(beside.stdout).toMatch(/^beside {2}GATE PASSED/);
    const taken = readTable(file('beside', 'samples.csv')).filter(({ phase }) => phase === 'trial');
    expect(taken).toHaveLength(16);
  });

  it('a claim of a run that was stopped goes on from its pairs, and its record says the same again', async () => {
    writeFileSync(join(folder, 'stopped.yaml'), suiteOf('stopped', says('takes: at most 0.8x as long')));
    const started = startHere(['run', 'stopped.yaml', '--run', 'r', '--json'], folder, slow.env);
    await started.prints(/"event":"ended"[^\n]*"slice":4/);
    started.kill('SIGINT');
    expect((await started.ended).code).toBe(3);
    const resumed = await retakeHere(['run', '--resume', 'results/stopped/r'], folder, slow.env);
    expect(resumed.code).toBe(0);
    const { verdict, rules } = verdictOf('stopped');
    expect(verdict).toMatch(/^pass/);
    expect(new Set(journalOf(join(folder, 'results', 'stopped', 'r')).samples.map(({ segment }) => segment))).toEqual(
      new Set([1, 2]),
    );
    const again = await retakeHere(['gate', 'results/stopped/r', '--json'], folder);
    expect(JSON.parse(again.stdout.trim().split('\n').at(-1) ?? '{}')).toMatchObject({
      rules: [{ evidence: only(rules).evidence }],
    });
  });

  it('a claim is refused beside what has no pairs one after the other', async () => {
    writeFileSync(join(folder, 'refused.yaml'), suiteOf('refused', says('takes: at most 0.8x as long')));
    const refused = async (...args: readonly string[]) => {
      const { code, stderr } = await retakeHere(['run', 'refused.yaml', '--run', 'never', ...args], folder, slow.env);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused('--confirm')).toContain('--confirm cannot be used with a claim');
    expect(await refused('--until-decided')).toContain('--until-decided cannot be used with a claim');
    expect(await refused('--shard', '1/2', '--set', 'load.concurrency=2')).toContain(
      'a claim cannot be split into shards',
    );
    expect(await refused('--set', 'claim.0.against=gone')).toMatch(/there is no variant "gone"; name standard/);
    expect(await refused('--set', 'claim.0.pairs=5')).toContain(
      '5 pairs can never decide the claim, even if all say the same; write pairs: 7 or more',
    );
    expect(await refused('--set', 'claim.0.pairs=31')).toMatch(
      /the plan has 30 pairs of first takes of fast and standard, and the claim may need 31; write seeds: \{ first: 1, count: 31 \}, or pairs: 30/,
    );
  });
});
