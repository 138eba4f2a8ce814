import { expect, it } from 'vitest';
import type { Load } from '../../../src/suite/load.ts';
import { measurePlan } from '../../fixtures/measured-run.ts';
import { CLOSED, OPEN } from '../../fixtures/plan-input.ts';
import { json, png } from '../../targets/call/calling.ts';
import { serve } from '../../targets/loopback.ts';
import { targetWith, variantOf } from '../../targets/target-fixture.ts';

const CONCURRENCY = 8;
const THROTTLED = { fail: [{ when: { status: 429 }, is: 'throttled', after: 'header:retry-after-ms' }] } as const;
const WORK_MS = 15;

/**
 * Images in 15 ms each; while `limited` says so, at most four are begun in each window of 300 ms, and the rest are
 * refused until the window ends.
 */
async function serveLimited(limited: (asked: number) => boolean) {
  const seen = { refusals: 0, mostInFlight: 0 };
  let inFlight = 0;
  let windowMs = Number.NEGATIVE_INFINITY;
  let begun = 0;
  const server = await serve((_request, response, count) => {
    const nowMs = performance.now();
    if (nowMs - windowMs >= 300) {
      windowMs = nowMs;
      begun = 0;
    }
    if (limited(count) && begun >= 4) {
      seen.refusals += 1;
      const waitMs = Math.ceil(windowMs + 300 - nowMs) + 1;
      return json(response, 429, {}, { 'retry-after-ms': String(waitMs) });
    }
    begun += 1;
    inFlight += 1;
    seen.mostInFlight = Math.max(seen.mostInFlight, inFlight);
    setTimeout(() => {
      inFlight -= 1;
      png(response);
    }, WORK_MS);
  });
  return { url: server.url, seen };
}

const SEQUENTIAL: Load = { ...CLOSED, concurrency: CONCURRENCY, order: 'sequential', warmup: 0 };

function sent(url: string, repeats: number, load = SEQUENTIAL) {
  return measurePlan({
    variants: [variantOf(targetWith({ base_url: url, ...THROTTLED }))],
    prompts: ['fox'],
    seeds: [1],
    repeats,
    load,
  });
}

it('slowed starts spare most refusals of a service with a rate limit: every trial is delivered, never above concurrency', async () => {
  const { url, seen } = await serveLimited(() => true);
  const { stop, samples, attempts } = await sent(url, 40);
  expect(stop).toEqual({ reason: 'finished' });
  expect(samples.map(({ outcome }) => outcome)).toEqual(samples.map(() => 'ok'));
  expect(samples).toHaveLength(40);
  expect(attempts).toHaveLength(seen.refusals);
  expect(seen.mostInFlight).toBeLessThanOrEqual(CONCURRENCY);
  // Ten windows. With eight always in flight, up to eight would be refused in each.
  expect(seen.refusals).toBeLessThan(40);
  expect(samples.filter(({ flags }) => flags.includes('slowed')).length).toBeGreaterThan(20);
});

it('slowed starts are back at the declared concurrency once the service refuses no more', async () => {
  const { url, seen } = await serveLimited((asked) => asked <= 12);
  const { samples } = await sent(url, 120);
  expect(samples.every(({ outcome }) => outcome === 'ok')).toBe(true);
  expect(seen.refusals).toBeGreaterThan(0);
  const inOrder = [...samples].sort((a, b) => (a.marks.startedMs ?? 0) - (b.marks.startedMs ?? 0));
  const slowed = inOrder.map(({ flags }) => flags.includes('slowed'));
  expect(slowed.slice(0, 4)).toEqual([false, false, false, false]);
  expect(slowed).toContain(true);
  expect(slowed.slice(-40)).not.toContain(true);
  expect(seen.mostInFlight).toBe(CONCURRENCY);
});

it('slowed starts do not occur where a service refuses nothing', async () => {
  const { url } = await serveLimited(() => false);
  const { samples } = await sent(url, 24);
  expect(samples.flatMap(({ flags }) => flags.filter((flag) => flag === 'slowed'))).toEqual([]);
});

it('slowed starts do not occur in open load, which keeps its times', async () => {
  const { url, seen } = await serveLimited(() => true);
  const { samples } = await sent(url, 20, { ...OPEN, stages: [{ ratePerSecond: 50, forMs: null }], warmup: 0 });
  expect(seen.refusals).toBeGreaterThan(0);
  expect(samples.flatMap(({ flags }) => flags.filter((flag) => flag === 'slowed'))).toEqual([]);
});
