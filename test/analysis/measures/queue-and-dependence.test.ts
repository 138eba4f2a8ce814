import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { growingQueue } from '../../../src/analysis/measures/growing-queue.ts';
import { slowRate } from '../../../src/analysis/metrics/rates.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { joinedNotes } from '../../../src/analysis/note.ts';

import type { Sample } from '../../../src/record/journal.ts';
import { renderTerminal } from '../../../src/report/terminal.ts';
import { createRandom, type Random } from '../../../src/statistics/random.ts';
import { clopperPearson } from '../../../src/statistics/rate-interval.ts';
import type { OpenLoad } from '../../../src/suite/load.ts';
import { OPEN } from '../../fixtures/plan-input.ts';
import { uncompared } from '../../fixtures/report-source.ts';
import { autoregressive } from '../../fixtures/simulated-service.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

const OPEN_LOAD: OpenLoad = { ...OPEN, concurrency: 1000, stages: [{ ratePerSecond: 5, forMs: null }] };

/** Calls that come every 200 ms to one worker who takes so long for each. */
function queue(count: number, workMs: (at: number) => number, stages = OPEN_LOAD.stages) {
  let free = 0;
  const samples = Array.from({ length: count }, (_, at): Sample => {
    const scheduledMs = at * 200;
    const end = Math.max(scheduledMs, free) + workMs(at);
    free = end;
    const trial = { seed: 1 + at, repeat: 1 };
    return buildOk(end - scheduledMs, `p${at}`, { scheduledMs, startedMs: scheduledMs, trial });
  });
  return analyse(buildStoredRun({ variants: [{}], seeds: [1, 2], load: { ...OPEN_LOAD, stages }, samples }), METRICS)
    .analysis;
}

describe('open load above capacity', () => {
  it('the overload warning comes first, with the offered load, the share done and the growth of the wait', () => {
    const analysis = queue(100, () => 880); // 1.14 of 5 a second
    const [first] = analysis.warnings;
    expect(first).toMatchObject({
      code: 'queue_grows',
      unfit: { of: 'latencies', variants: ['standard'] },
      variants: ['standard'],
      facts: { stage: null, offeredPerSecond: 5 },
    });
    const { donePerSecond, firstMs, lastMs } = first?.facts ?? {};
    expect(donePerSecond).toBeCloseTo(1 / 0.88, 1);
    expect(lastMs).toBeGreaterThan(10 * Number(firstMs));
    const words = renderTerminal(uncompared(analysis), { colour: false, width: 100, hasPage: true }).replace(
      /\s+/g,
      ' ',
    );
    expect(words).toContain(
      'standard does not sustain this load: 5.00/s are offered, 1.11/s are done, and the queue grows',
    );
    expect(words.indexOf('does not sustain')).toBeLessThan(words.indexOf('p50 [95 %]'));
  });

  it('the overload warning is absent for a service that keeps up, with short waits or with long ones', () => {
    const random = createRandom(8);
    for (const workMs of [() => 50, () => 170 * random.uniform(), (at: number) => (at % 50 === 0 ? 2000 : 100)]) {
      expect(queue(200, workMs).warnings.filter(({ code }) => code === 'queue_grows')).toEqual([]);
    }
  });

  it('the overload warning names the stage of the load that is above capacity', () => {
    const stages = [
      { ratePerSecond: 5, forMs: 20_000 },
      { ratePerSecond: 5, forMs: 20_000 },
    ];
    const found = queue(200, (at) => (at < 100 ? 100 : 400), stages).warnings;
    expect(found.filter(({ code }) => code === 'queue_grows')).toMatchObject([{ facts: { stage: 2 } }]);
  });

  it('the overload warning is rare for queues that are long by chance, and certain at 50 % too much', () => {
    const random = createRandom(12);
    const said = (load: number) =>
      Array.from({ length: 60 }, () => growingQueue(poissonQueue(300, load, random))).filter((each) => each !== null)
        .length;
    expect(said(0.8)).toBeLessThanOrEqual(3);
    expect(said(1.5)).toBeGreaterThanOrEqual(55);
  });

  it('the analysis of open load lists every cell that was taken, also those whose seeds came after the declared ones', () => {
    const { cells } = queue(30, () => 50);
    expect(cells.map(({ seed }) => seed)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    expect(cells.every(({ takes }) => takes.length === 1)).toBe(true);
  });
});

/** Random arrivals at one worker with exponential times of mean 1. */
function poissonQueue(count: number, load: number, random: Random) {
  const exponential = () => -Math.log(1 - random.uniform());
  let [dueMs, free] = [0, 0];
  return Array.from({ length: count }, () => {
    dueMs += exponential() / load;
    free = Math.max(free, dueMs) + exponential();
    return { dueMs, responseMs: free - dueMs, leftMs: free };
  });
}

describe('takes that depend on those before', () => {
  /**
   * Twelve cells, 10 and more takes each, whose latencies follow a series in time of 40 ms; each cell takes `apartMs`
   * longer than the one before.
   */
  function series(r: number, count = 120, apartMs = 5) {
    const values = autoregressive(count, r, createRandom(31));
    const samples = values.map((value, at) =>
      buildOk(1000 + apartMs * (at % 12) + 40 * value, 'p', {
        startedMs: at * 10_000,
        trial: { seed: (at % 12) + 1, repeat: 1 + Math.floor(at / 12) },
      }),
    );
    return analyse(buildStoredRun({ variants: [{}], seeds: Array.from({ length: 12 }, (_, at) => at + 1), samples }), [
      ...METRICS,
      slowRate([2000]),
    ]).analysis;
  }
  const median = ({ measures }: ReturnType<typeof series>) =>
    measures.find(
      ({ metric, statistic, prompt }) => metric === 'latency.total' && statistic === 'p50' && prompt === null,
    );

  it('dependent takes have wider intervals and a warning', () => {
    const dependent = series(0.6);
    const [warning] = dependent.warnings.filter(({ code }) => code === 'dependent_takes');
    expect(warning).toMatchObject({ variants: ['standard'], facts: { step: null, n: 120 } });
    expect(warning?.facts.r).toBeCloseTo(0.55, 0);
    expect(joinedNotes(median(dependent)?.notes ?? [])).toMatch(/^effective_n=\d+(\.\d)?$/);
    expect(renderTerminal(uncompared(dependent), { colour: false, width: 200, hasPage: true })).toMatch(
      /^! latency of standard drifted or came in waves: 120 takes are as sure as about \d+/m,
    );
  });

  it('what cells differ by is no chance: dependence beside it widens an interval by its share alone', () => {
    const worthOf = (apartMs: number) => {
      const { warnings, measures } = series(0.6, 120, apartMs);
      const [notes] = measures.flatMap(({ metric, statistic, prompt, notes: found }) =>
        metric === 'latency.total' && statistic === 'p50' && prompt === null ? [found] : [],
      );
      const effective = notes?.find(({ code }) => code === 'effective_n');
      expect(warnings.some(({ code }) => code === 'dependent_takes')).toBe(effective !== undefined);
      return effective === undefined || !('value' in effective) ? 120 : Number(effective.value);
    };
    expect(worthOf(5)).toBeLessThan(40);
    expect(worthOf(15)).toBeGreaterThan(1.3 * worthOf(5));
    expect(worthOf(50)).toBe(120);
  });

  it('slow_rate is widened as the median over the same takes is, and left as it was where only cells differ', () => {
    for (const [r, widened] of [
      [0.6, true],
      [0, false],
    ] as const) {
      const analysis = series(r);
      const slow = analysis.measures.find(({ metric, prompt }) => metric === 'slow_rate' && prompt === null);
      const { ciHigh = null, value = null, n = 0, notes = [] } = slow ?? {};
      expect(notes).toEqual(widened ? median(analysis)?.notes.filter(({ code }) => code === 'effective_n') : []);
      const plain = clopperPearson(Math.round((value ?? 0) * n), n, 0.95).high;
      if (widened) expect(ciHigh).toBeGreaterThan(plain);
      else expect(ciHigh).toBe(plain);
    }
  });

  it('a rate is widened where its events come one after another, and not where they are spread', () => {
    const errorRate = (isFailed: (at: number) => boolean) => {
      const samples = Array.from({ length: 60 }, (_, at) => {
        const parts = { trial: { seed: (at % 12) + 1, repeat: 1 + Math.floor(at / 12) }, startedMs: at * 10_000 };
        return isFailed(at) ? buildFailure('error', parts) : buildOk(1000, 'p', parts);
      });
      const seeds = Array.from({ length: 12 }, (_, at) => at + 1);
      const { measures } = analyse(buildStoredRun({ variants: [{}], seeds, samples }), METRICS).analysis;
      return measures.find(
        ({ metric, statistic, prompt }) => metric === 'error_rate' && statistic === 'rate' && prompt === null,
      );
    };
    const [outage, spread] = [errorRate((at) => at >= 20 && at < 32), errorRate((at) => at % 5 === 0)];
    expect(outage?.value).toBe(spread?.value);
    expect(spread?.notes).toEqual([]);
    expect(outage?.notes).toMatchObject([{ code: 'effective_n' }]);
    expect(outage?.ciHigh ?? 0).toBeGreaterThan((spread?.ciHigh ?? 1) + 0.1);
  });

  it('a warning of dependence is absent where only cells differ', () => {
    expect(series(0).warnings.filter(({ code }) => code === 'dependent_takes')).toEqual([]);
  });

  it('dependent takes have no interval where they show one stretch of time', () => {
    expect(median(series(0.98, 240))).toMatchObject({
      ciLow: null,
      notes: [{ code: 'needs_n' }, { code: 'effective_n' }],
    });
  });
});
