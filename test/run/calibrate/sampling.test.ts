import { describe, expect, it } from 'vitest';
import { clockStep, idleDelay, type SamplingEdge, spreadOf, timePart } from '../../../src/run/calibrate/sampling.ts';
import { unfitnessOf } from '../../../src/run/calibrate.ts';
import { sleep, startClock } from '../../../src/run/clock.ts';

function edge(signal: AbortSignal = new AbortController().signal): SamplingEdge {
  return { now: startClock().now, sleep, signal };
}

describe('a spread', () => {
  it('a spread has its quantiles in order, each from as many values on as it needs', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(spreadOf(values)).toMatchObject({ unit: 'ms', n: 100, min: 1, p50: 50.5, max: 100 });
    const few = spreadOf([3, 1, 2]);
    expect(few).toEqual({ unit: 'ms', n: 3, min: 1, p50: 2, iqr: 1.666667, p95: null, p99: null, max: 3 });
  });

  it('a spread of nothing is a fault of ours', () => {
    expect(() => spreadOf([])).toThrow(/nothing/);
  });
});

describe('timing', () => {
  it('timing counts neither warm-ups nor pauses, and calls at least as often as asked', async () => {
    let calls = 0;
    const part = async () => {
      calls += 1;
      return calls;
    };
    const spread = await timePart(
      'part',
      part,
      { fewest: 20, forMs: 0, mostMs: 60_000, warmup: 3, pauseMs: 1 },
      edge(),
    );
    expect(spread).toMatchObject({ n: 20, min: 4, max: 23 });
  });

  it('timing goes on until its time is over', async () => {
    let atMs = 0;
    const part = async () => {
      atMs += 10;
      return 10;
    };
    const effort = { fewest: 1, forMs: 30, mostMs: 60_000, warmup: 2 };
    expect(await timePart('part', part, effort, { ...edge(), now: () => atMs })).toMatchObject({ n: 3, max: 10 });
  });

  it('timing ends when it takes too long, with one value at least', async () => {
    const slow = async () => {
      await sleep(15, new AbortController().signal);
      return 15;
    };
    const effort = { fewest: 1000, forMs: 0, mostMs: 40, warmup: 1 };
    const spread = await timePart('part', slow, effort, edge());
    expect(spread).toMatchObject({ min: 15, max: 15 });
    expect(spread?.n).toBeLessThan(10);
    expect(await timePart('part', slow, { ...effort, mostMs: 0 }, edge())).toMatchObject({ n: 1, p50: 15, p95: null });
  });

  it('timing throws what the work throws', async () => {
    const broken = async () => {
      throw new Error('the server is gone');
    };
    for (const warmup of [1, 0]) {
      const effort = { fewest: 5, forMs: 0, mostMs: 60_000, warmup };
      await expect(timePart('part', broken, effort, edge())).rejects.toThrow('the server is gone');
    }
  });

  it('timing gives nothing once it is aborted, and ends', async () => {
    const stop = new AbortController();
    let calls = 0;
    const part = async () => {
      calls += 1;
      if (calls === 3) stop.abort();
      return 1;
    };
    const effort = { fewest: 1000, forMs: 0, mostMs: 60_000, warmup: 0 };
    expect(await timePart('part', part, effort, edge(stop.signal))).toBeNull();
    expect(calls).toBe(3);
    expect(await timePart('part', part, effort, edge(stop.signal))).toBeNull();
    expect(await idleDelay(60_000, edge(stop.signal))).toBeNull();
    expect(await clockStep(edge(stop.signal))).toBeNull();
    expect(calls).toBe(3);
  });

  it('timing sees an idle thread that was kept from waking', async () => {
    const free = await idleDelay(30, edge());
    const busy = idleDelay(60, edge());
    await sleep(10, new AbortController().signal);
    const { now } = edge();
    while (now() < 40);
    const kept = await busy;
    expect(free?.n).toBeGreaterThan(0);
    expect(kept?.max).toBeGreaterThan(30);
  });
});

describe('an idle loop', () => {
  it('an idle loop that never came to look counts as late by all the time it stalled', async () => {
    // A sleep that blocks: the loop does not turn once.
    const blocked = async (ms: number) => {
      const untilMs = performance.now() + ms;
      while (performance.now() < untilMs);
    };
    const spread = await idleDelay(40, { ...edge(), sleep: blocked });
    expect(spread?.n).toBe(1);
    expect(spread?.max).toBeGreaterThanOrEqual(40);
    if (spread === null) throw new Error('nothing was aborted');
    const machine = { cores: 2, loadAverage: null, powerSaving: null };
    expect(unfitnessOf({ eventLoopDelay: spread }, machine)).toHaveLength(1);
  });
});
