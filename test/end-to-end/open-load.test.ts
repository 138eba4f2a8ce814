import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beganMs } from '../../src/record/codes.ts';
import type { Sample } from '../../src/record/journal.ts';
import type { OpenLoad } from '../../src/suite/load.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type Measured, measurePlan } from '../fixtures/measured-run.ts';
import { journalOf, onlyRun, retakeHere, serveHere } from '../fixtures/retake-process.ts';
import { json, png } from '../targets/call/calling.ts';
import { serve } from '../targets/loopback.ts';
import { targetWith, variantOf } from '../targets/target-fixture.ts';

/* Open load against the server's own account. Times are compared with the schedule or with the server's stamps. */

const OPEN: OpenLoad = {
  mode: 'open',
  order: 'sequential',
  concurrency: 64,
  arrivals: 'constant',
  stages: [],
  warmup: 0,
  onThrottle: 'wait',
  shuffle: 3,
};

interface Result extends Measured {
  /** When the server was sent each seed, in milliseconds since the first; a trial has a seed of its own. */
  readonly received: ReadonlyMap<number, number>;
  /** Requests at the server: all of them, and most at the same time. */
  readonly requests: number;
  readonly mostInFlight: number;
}

/**
 * What a server does with a request: how long it takes over it, and whether it then refuses. Times are since the first.
 */
type Service = (atMs: number) => { readonly takesMs: number; readonly refuses?: boolean };

async function measured(service: Service, load: Partial<OpenLoad>, requests?: number): Promise<Result> {
  let beganMs = Number.NaN;
  const received = new Map<number, number>();
  let inFlight = 0;
  let mostInFlight = 0;
  const server = await serve((seen, response) => {
    if (Number.isNaN(beganMs)) beganMs = performance.now();
    const atMs = performance.now() - beganMs;
    const { takesMs, refuses = false } = service(atMs);
    const { seed } = JSON.parse(seen.body);
    if (!received.has(seed)) received.set(seed, atMs);
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    setTimeout(() => {
      inFlight -= 1;
      if (refuses) json(response, 429, {}, { 'retry-after-ms': '300' });
      else png(response);
    }, takesMs);
  });
  const target = targetWith({
    base_url: server.url,
    submit: { path: '/generate', encoding: 'json', body: { prompt: '${case.prompt}', seed: '${case.seed}' } },
    fail: [{ when: { status: 429 }, is: 'throttled', after: 'header:retry-after-ms' }],
  });
  const run = await measurePlan({
    variants: [variantOf(target)],
    prompts: ['fox'],
    seeds: Array.from({ length: 1000 }, (_, at) => at),
    repeats: 1,
    load: { ...OPEN, ...load },
    ...(requests === undefined ? {} : { requests }),
  });
  return { ...run, received, requests: server.seen.length, mostInFlight };
}

function responseMs({ marks: { scheduledMs, doneMs } }: Sample): number {
  return (doneMs ?? Number.NaN) - (scheduledMs ?? Number.NaN);
}

const seedsOf = (samples: readonly Sample[]) => samples.map(({ trial }) => trial.seed ?? -1).toSorted((a, b) => a - b);

describe('open load', () => {
  it('open load counts latency from the schedule: a stall of the service shows in all that was due in it', async () => {
    // From the eleventh request on, whenever it comes.
    let requestsSoFar = 0;
    let [fromMs, untilMs] = [Number.NaN, Number.NaN];
    const { stop, intents, samples, received, requests } = await measured(
      (atMs) => {
        requestsSoFar += 1;
        if (requestsSoFar === 11) [fromMs, untilMs] = [atMs, atMs + 1000];
        return { takesMs: atMs >= fromMs && atMs < untilMs ? untilMs - atMs : 0 };
      },
      { stages: [{ ratePerSecond: 20, forMs: 1500 }] },
    );
    expect(stop).toEqual({ reason: 'finished' });
    expect(intents).toHaveLength(30);
    expect(samples.map(({ outcome }) => outcome)).toEqual(intents.map(() => 'ok'));
    expect([received.size, requests]).toEqual([30, 30]); // exactly one submit for each intent

    // Evenly spaced, and none begun before its time.
    const dueMs = samples.map(({ marks }) => marks.scheduledMs ?? Number.NaN).sort((a, b) => a - b);
    for (const [at, due] of dueMs.entries()) expect(due - (dueMs[0] ?? 0)).toBeCloseTo(at * 50, 6);
    for (const { marks } of samples) expect(marks.startedMs).toBeGreaterThanOrEqual(marks.scheduledMs ?? Infinity);

    const pairs = samples.map((sample) => ({
      sample,
      receivedMs: received.get(sample.trial.seed ?? -1) ?? Number.NaN,
    }));
    // The server's clock is at most this far ahead of ours: nothing is received before it is started.
    const aheadMs = Math.min(...pairs.map(({ sample, receivedMs }) => receivedMs - (sample.marks.startedMs ?? 0)));
    const stalled = pairs.filter(({ receivedMs }) => receivedMs >= fromMs && receivedMs < untilMs);
    expect(stalled.length).toBeGreaterThan(0);
    for (const { sample } of stalled) {
      const leastMs = untilMs - ((sample.marks.scheduledMs ?? Infinity) + aheadMs);
      // A timer of Node may be a millisecond early.
      expect(responseMs(sample)).toBeGreaterThanOrEqual(leastMs - 1);
    }
  });

  it('open load drops what finds no place: never sent, no intent, and never more in flight than the ceiling', async () => {
    const stages = [
      { ratePerSecond: 20, forMs: 500 },
      { ratePerSecond: 80, forMs: 250 },
    ];
    const { stop, intents, samples, received, requests, mostInFlight } = await measured(() => ({ takesMs: 400 }), {
      stages,
      arrivals: 'poisson',
      concurrency: 2,
      warmup: 1,
    });
    expect(stop).toEqual({ reason: 'finished' });
    const dropped = samples.filter(({ outcome }) => outcome === 'dropped');
    const sent = samples.filter(({ outcome }) => outcome !== 'dropped');
    expect(dropped.length).toBeGreaterThan(0);
    for (const { marks, attempts } of dropped) {
      expect(Object.keys(marks)).toEqual(['scheduledMs']);
      expect(attempts).toBe(0);
    }
    expect(sent.map(({ trial }) => trial.id).sort()).toEqual(intents.map(({ trial }) => trial.id).sort());
    expect(requests).toBe(sent.length);
    expect([...received.keys()].sort((a, b) => a - b)).toEqual(seedsOf(sent));
    for (const { trial } of dropped) expect(received.has(trial.seed ?? -1)).toBe(false);
    expect(mostInFlight).toBeLessThanOrEqual(2);
    // The schedule goes on whatever is dropped.
    expect(new Set(samples.map(({ trial }) => trial.id)).size).toBe(samples.length);
  });

  it('open load stops at limits.requests: what was handed over goes out, and nothing after it', async () => {
    const { stop, intents, samples, received, requests } = await measured(
      () => ({ takesMs: 1 }),
      { stages: [{ ratePerSecond: 40, forMs: 1000 }] },
      7,
    );
    expect(stop).toMatchObject({ reason: 'requests' });
    expect(intents).toHaveLength(7);
    expect(samples.filter(({ outcome }) => outcome === 'ok')).toHaveLength(7);
    expect([received.size, requests]).toEqual([7, 7]);
  });

  it('open load that waits for a throttling service keeps the place in flight', async () => {
    let admitted = 0;
    const { samples, intents, attempts, requests } = await measured(
      () => {
        admitted += 1;
        return { takesMs: 0, refuses: admitted > 1 && admitted < 5 };
      },
      { stages: [{ ratePerSecond: 20, forMs: 1000 }], concurrency: 1 },
    );
    // The first is served; the next is refused and waits, so those due meanwhile find no place.
    expect(samples).toHaveLength(20);
    expect(requests).toBe(intents.length + attempts.length);
    expect(attempts.length).toBeGreaterThan(0);
    expect(samples.some(({ outcome }) => outcome === 'dropped')).toBe(true);
  });
});

const SUITE = `suite: 1
name: sweep
variants:
  fast-lcm: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts: [A red fox]
seeds: [1, 2]
repeats: 3
load: { concurrency: [1, 3], warmup: 0 }
reports: [csv]
`;

it('a sweep measures each step alone, with as many in flight as it says', async () => {
  const service = await serveHere(['{ latency: { constant: 200ms } }', '{ cached: {} }']);
  const folder = freshFolder();
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  const { code } = await retakeHere(['run', 'suite.yaml'], folder, service.env);
  const { routes } = await service.stats();
  await service.close();
  expect(code).toBe(0);
  const { intents, samples } = journalOf(onlyRun(join(folder, 'results')));
  expect(intents).toHaveLength(2 * 2 * 3);
  expect(samples.map(({ outcome }) => outcome)).toEqual(intents.map(() => 'ok'));
  const alone = samples.filter(({ trial }) => trial.step === 1).toSorted((a, b) => beganMs(a) - beganMs(b));
  const begins = alone.map(beganMs);
  for (const [at, { endedMs }] of alone.slice(0, -1).entries()) {
    expect(begins[at + 1]).toBeGreaterThanOrEqual(endedMs);
  }
  // Nothing of one slice is beside another's: together they are never more than the largest step.
  expect(routes['POST /v2/image/generations']).toMatchObject({ started: 12, mostInFlight: 3 });
});
