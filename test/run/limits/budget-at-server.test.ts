import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { createBudget } from '../../../src/run/limits/stop-rules.ts';
import { type Measured, type MeasuredParts, measurePlan } from '../../fixtures/measured-run.ts';
import { CLOSED, OPEN } from '../../fixtures/plan-input.ts';
import { PNG } from '../../targets/call/calling.ts';
import { serve } from '../../targets/loopback.ts';
import { targetWith, variantOf } from '../../targets/target-fixture.ts';

/* What a server charged is held against `limits.usd`. */

/** What the server does with its n-th submit: what it charges, and what it answers. */
type Service = (n: number) => { readonly status: number; readonly usd: number; readonly says: boolean };

interface Spent extends Measured {
  readonly chargedUsd: number;
  readonly submits: number;
}

async function spend(concurrency: number, usd: number, service: Service): Promise<Spent> {
  let submits = 0;
  let chargedUsd = 0;
  const server = await serve((_seen, response) => {
    submits += 1;
    const { status, usd: cost, says } = service(submits);
    chargedUsd += cost;
    setTimeout(
      () => {
        const headers = { 'content-type': status === 200 ? 'image/png' : 'application/json', 'retry-after-ms': '5' };
        response.writeHead(status, says ? { ...headers, 'x-cost': String(cost) } : headers);
        response.end(status === 200 ? PNG : '{}');
      },
      2 + (submits % 7),
    );
  });
  const target = targetWith({
    base_url: server.url,
    submit: { path: '/generate', encoding: 'json', body: { prompt: '${case.prompt}', seed: '${case.seed}' } },
    fail: [{ when: { status: 429 }, is: 'throttled', after: ['header:retry-after-ms'] }],
    meta: { cost_usd: 'header:x-cost' },
    price: { per: 'request', usd: 0.1 },
  });
  const run = await measurePlan({
    variants: [variantOf(target)],
    seeds: Array.from({ length: 30 }, (_, at) => at),
    load: { ...CLOSED, concurrency },
    usd,
  });
  return { ...run, chargedUsd, submits };
}

describe('limits.usd', () => {
  test('what is charged: never exceeds it', async () => {
    const run = await spend(16, 2, (n) => ({
      status: n % 5 === 0 ? 500 : n % 7 === 0 ? 429 : 200,
      usd: 0.1,
      says: false,
    }));
    expect(run.submits).toBeLessThanOrEqual(20);
    // A stop may hold back requests that are about to leave.
    expect(run.submits).toBeGreaterThan(20 - 16);
    expect(run.chargedUsd).toBeCloseTo(run.submits / 10, 9);
    expect(run.stop).toEqual({ reason: 'usd', limitUsd: 2 });
    expect(run.samples.length).toBe(run.intents.length);
  });

  test('replies that report less: leave more requests', async () => {
    const run = await spend(16, 1, (n) => ({ status: 200, usd: 0.01 + 0.01 * (n % 3), says: true }));
    expect(run.chargedUsd).toBeLessThanOrEqual(1 + 1e-9);
    // The next could have cost 0.1.
    expect(run.chargedUsd).toBeGreaterThan(0.9 - 1e-9);
    expect(run.stop).toEqual({ reason: 'usd', limitUsd: 1 });
  });

  test('videos that are shorter than they may be: leave more requests', async () => {
    let submits = 0;
    const video = readFileSync(new URL('../../golden/video/plain.mp4', import.meta.url));
    const server = await serve((_seen, response) => {
      submits += 1;
      response.writeHead(200, { 'content-type': 'video/mp4' }).end(video);
    });
    const target = targetWith({
      base_url: server.url,
      submit: { path: '/generate', encoding: 'json', body: { prompt: '${case.prompt}', seconds: '${case.seconds}' } },
      inputs: { seconds: { as: 'number', min: 1, max: 5 } },
      price: { per: 'second', usd: 0.1 },
    });
    const variants = [variantOf(target)];
    const run = await measurePlan({ variants, load: { ...CLOSED, concurrency: 16 }, usd: 2 });
    expect(run.stop).toEqual({ reason: 'usd', limitUsd: 2 });
    // Each is charged as two started seconds, and the next could have taken 5.
    expect(submits).toBe(8);
    const resumed = createBudget(
      2,
      () => ({ leastUsd: 0, mostUsd: 0.5, delivered: { per: 'second', usd: 0.1 } }),
      run.samples.map((sample) => ({ trial: sample.trial, attempts: sample.attempts, sample })),
    );
    expect(resumed.usd()).toBeCloseTo(1.6, 9);
  });

  it('a limit that the plan fits into: stops nothing', async () => {
    const run = await spend(4, 13, () => ({ status: 200, usd: 0.1, says: false }));
    expect(run.stop).toEqual({ reason: 'finished' });
    expect(run.submits).toBe(121);
  });
});

/** Parts that are all sent. */
const LOOK = { look: async () => 'go_on' as const };

/** Ways to send a plan of 80 takes, each with a limit that is reached in a later part. */
const WAYS: readonly (readonly [
  'usd' | 'requests',
  way: string,
  concurrency: number,
  Partial<MeasuredParts>,
  most: number,
])[] = [
  ['usd', 'closed load', 1, {}, 60],
  ['usd', 'closed load', 16, {}, 60],
  ['requests', 'closed load', 16, {}, 60],
  ['usd', '--confirm', 16, { looks: 'confirm', ...LOOK }, 100],
  ['requests', '--until-decided', 16, { looks: 'until_decided', ...LOOK }, 70],
  [
    'usd',
    'open load',
    16,
    { load: { ...OPEN, arrivals: 'poisson', stages: [{ ratePerSecond: 400, forMs: null }] } },
    60,
  ],
];

describe('a limit', () => {
  test.each(WAYS)(
    'limits.%s with %s at concurrency %i: is never exceeded at the server',
    async (limit, way, concurrency, how, most) => {
      let submits = 0;
      const server = await serve((_seen, response) => {
        submits += 1;
        const status = submits % 6 === 0 ? 500 : submits % 7 === 0 ? 429 : 200;
        response.writeHead(status, {
          'content-type': status === 200 ? 'image/png' : 'application/json',
          'retry-after-ms': '2',
        });
        response.end(status === 200 ? PNG : '{}');
      });
      const target = targetWith({
        base_url: server.url,
        submit: { path: '/generate', encoding: 'json', body: { prompt: '${case.prompt}', seed: '${case.seed}' } },
        fail: [{ when: { status: 429 }, is: 'throttled', after: ['header:retry-after-ms'] }],
        price: { per: 'request', usd: 0.1 },
      });
      const run = await measurePlan({
        variants: [variantOf(target)],
        seeds: Array.from({ length: 40 }, (_, at) => at),
        repeats: 1,
        ...how,
        load: { ...(how.load ?? CLOSED), concurrency },
        ...(limit === 'usd' ? { usd: most / 10 } : { requests: most }),
      });
      expect(submits).toBeLessThanOrEqual(most);
      // Open load drops what finds no place in flight.
      if (way === 'open load') return;
      expect(run.stop.reason).toBe(limit);
      expect(submits).toBeGreaterThan(most - concurrency);
    },
  );
});
