import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type PaidService, servePaid } from '../fixtures/paid-service.ts';
import { type Ended, retake, startRetake } from '../fixtures/retake-process.ts';

/* What the server was sent is held against `limits.requests` and `limits.usd`, in every way that a run is started. */

const PRICE_USD = 0.1;

/** A plan of 65 requests or more. */
const SUITE = (load: string) => `suite: 1
name: paid
variants:
  a: { target: ./image.yaml, const: { v: a }, baseline: true }
  b: { target: ./image.yaml, const: { v: b } }
prompts: [a fox, a cat, a house, a boat]
seeds: { first: 1, count: 8 }
repeats: 1
load: ${load}
gate: [{ metric: error_rate, max: 30% }]
reports: [json]
`;

interface Paid {
  readonly folder: string;
  readonly service: PaidService;
  readonly submits: () => number;
}

async function paidSuite(load: string): Promise<Paid> {
  const service = await servePaid(() => 0);
  onTestFinished(service.close);
  const folder = freshFolder();
  writeFileSync(
    join(folder, 'image.yaml'),
    `target: 1
id: test/image
kind: text-to-image
base_url: ${service.url}
const: { v: a }
submit: { path: /image, encoding: json, body: { prompt: "\${case.prompt}", seed: "\${case.seed}", v: "\${const.v}" } }
result: { from: body, expect: image/* }
price: { per: request, usd: ${PRICE_USD} }
`,
  );
  writeFileSync(join(folder, 'suite.yaml'), SUITE(load));
  const submits = () => [...service.submits.values()].reduce((sum, each) => sum + each, 0);
  return { folder, service, submits };
}

const measure = ({ folder }: Paid, args: readonly string[]): Promise<Ended> =>
  retake(['run', 'suite.yaml', '--quiet', '--yes', ...args], folder);

const CLOSED = (concurrency: number) => `{ concurrency: ${concurrency}, warmup: 1 }`;
const OPEN = '{ mode: open, rate: 100/s, concurrency: 16, warmup: 1 }';

/** At most so many requests of the plan, by either limit. */
const LIMITS = (requests: number) => [
  ['--set', `limits.requests=${requests}`],
  ['--set', `limits.usd=${requests * PRICE_USD}`],
];

const spendOf = (folder: string) => {
  const [run = ''] = readdirSync(join(folder, 'results', 'paid')).filter((name) => /^\d{8}T/.test(name));
  const analysis: Analysis = JSON.parse(readFileSync(join(folder, 'results', 'paid', run, 'analysis.json'), 'utf8'));
  return analysis.run.spend;
};

test.each([
  ['closed load at concurrency 16', CLOSED(16), [], 20],
  ['open load', OPEN, [], 20],
  [
    '--until-decided at concurrency 4',
    CLOSED(4),
    ['--until-decided', '--set', 'gate=[{metric: error_rate, max: 15%}]'],
    30,
  ],
  ['--confirm at concurrency 1', CLOSED(1), ['--confirm', '--set', 'gate=[{metric: error_rate, max: 8%}]'], 75],
] as const)(
  'limits with %s: bound what the server is sent, and the report counts the same',
  async (_mode, load, args, most) => {
    await Promise.all(
      LIMITS(most).map(async (limit) => {
        const paid = await paidSuite(load);
        const ended = await measure(paid, [...args, ...limit]);
        expect(ended.code, ended.stderr).toBe(3);
        expect(paid.submits()).toBeLessThanOrEqual(most);
        // A stop may hold back requests that are about to leave.
        expect(paid.submits()).toBeGreaterThan(most - 16);
        expect(spendOf(paid.folder)).toMatchObject({ requests: paid.submits(), unknownRequests: 0 });
      }),
    );
  },
  60_000,
);

test('limits with --against: bound the requests of both sides together', async () => {
  await Promise.all(
    LIMITS(40).map(async (limit) => {
      const paid = await paidSuite(CLOSED(16));
      const first = await measure(paid, ['--run', 'first']);
      expect(first.code, first.stderr).toBe(0);
      const kept = await retake(['baseline', join('results', 'paid', 'first')], paid.folder);
      expect(kept.code, kept.stderr).toBe(0);
      const before = paid.submits();
      const ended = await measure(paid, ['--against', join('results', 'paid', 'baseline.json'), ...limit]);
      expect(ended.code, ended.stderr).toBe(3);
      expect(paid.submits() - before).toBeLessThanOrEqual(40);
      expect(paid.submits() - before).toBeGreaterThan(24);
      expect(spendOf(paid.folder)?.requests).toBe(paid.submits() - before);
    }),
  );
}, 60_000);

test('limits of shards: bound what all of them send together, and the merged report counts it all', async () => {
  await Promise.all(
    LIMITS(20).map(async (limit) => {
      const paid = await paidSuite(CLOSED(4));
      const shards = ['1/2', '2/2'].map((shard) => measure(paid, ['--run', 'split', '--shard', shard, ...limit]));
      for (const { code, stderr } of await Promise.all(shards)) expect(code, stderr).toBe(3);
      expect(paid.submits()).toBeLessThanOrEqual(20);
      expect(paid.submits()).toBeGreaterThan(20 - 4);
      const folders = [1, 2].map((index) => join('results', 'paid', `split-${index}of2`));
      const merged = await retake(['merge', ...folders], paid.folder);
      expect(merged.code, merged.stderr).toBe(3);
      const analysis: Analysis = JSON.parse(
        readFileSync(join(paid.folder, 'results', 'paid', 'split', 'analysis.json'), 'utf8'),
      );
      const requests = paid.submits();
      expect(analysis.run.spend).toMatchObject({ requests, unknownRequests: 0 });
      expect(analysis.run.spend?.usd).toBeCloseTo(requests * PRICE_USD, 9);
      expect(analysis.run.requestsSent).toBeLessThan(requests);
    }),
  );
}, 60_000);

test('limits over a run that is killed and resumed: bound what both processes send', async () => {
  await Promise.all(
    LIMITS(20).map(async (limit) => {
      const paid = await paidSuite(CLOSED(4));
      const killed = startRetake(['run', 'suite.yaml', '--quiet', '--yes', '--run', 'twice', ...limit], paid.folder);
      while (paid.submits() < 6) await sleep(1);
      killed.kill('SIGKILL');
      await killed.ended;
      const ended = await measure(paid, ['--resume', join('results', 'paid', 'twice'), '--resend-unknown', ...limit]);
      expect(ended.code, ended.stderr).toBe(3);
      expect(paid.submits()).toBeLessThanOrEqual(20);
      expect(paid.submits()).toBeGreaterThanOrEqual(20 - 2 * 4);
      const analysis: Analysis = JSON.parse(
        readFileSync(join(paid.folder, 'results', 'paid', 'twice', 'analysis.json'), 'utf8'),
      );
      // A process that was killed may have counted requests that it did not send.
      expect(analysis.run.spend?.requests).toBeGreaterThanOrEqual(paid.submits());
      expect(analysis.run.spend?.mostUsd).toBeLessThanOrEqual(20 * PRICE_USD + 1e-9);
    }),
  );
}, 60_000);
