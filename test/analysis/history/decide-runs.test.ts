import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRuns, reachOfRuns } from '../../../src/analysis/decide-runs.ts';
import type { RunCells } from '../../../src/analysis/earlier-runs.ts';
import { NIGHTLY } from '../../test-options.ts';
import { simulateFirstNights } from '../../tools/simulation/first-nights.ts';
import { simulateHistory } from '../../tools/simulation/history.ts';

const TEN_PERCENT = { worse: 'increase', share: 0.1, atFirst: null } as const;

/** Runs of one cell with these values. */
function runsOf(values: readonly number[]): readonly RunCells[] {
  return values.map((value) => new Map([['cell', Math.log(value)]]));
}

const code = (runs: readonly RunCells[]) => decideRuns(runs, TEN_PERCENT).at(-1)?.decision.code;

const SERIES = NIGHTLY ? 1000 : 200;

/** Eight ordinary nights that vary by about 1 %. */
const BASE = [1000, 1010, 990, 1005, 995, 1008, 992, 1000];

describe('a run against earlier runs', () => {
  it('a change of 15 % at the ninth run: fails at the tenth, not before', () => {
    const found = decideRuns(runsOf([...BASE, 1150, 1150]), TEN_PERCENT);
    expect(found.map(({ decision }) => decision.verdict)).toEqual([...Array(9).fill('inconclusive'), 'fail']);
    expect(found.at(-1)).toMatchObject({ runs: 8, decision: { code: 'beyond_limit' } });
    expect(Math.exp(found.at(-1)?.change ?? 0)).toBeCloseTo(1.15, 1);
  });

  it('too few earlier runs: is inconclusive until the tenth', () => {
    expect(code(runsOf([...BASE, 1000]))).toBe('short_history');
    expect(code(runsOf([...BASE, 1000, 1001]))).toBe('within_history');
  });

  it('one slow run: is no fail, only a second one is', () => {
    expect(code(runsOf([...BASE, 1000, 1300]))).toBe('beyond_once');
    expect(code(runsOf([...BASE, 1200, 1000]))).toBe('not_within_history');
    expect(code(runsOf([...BASE, 1200, 1000, 1000]))).toBe('within_history');
    expect(code(runsOf([...BASE, 1300, 1300]))).toBe('beyond_limit');
  });

  it('a drift of 2 % a night: is never decided, for what drifts widens what earlier runs vary by', () => {
    const drifting = runsOf(Array.from({ length: 60 }, (_, at) => 1000 * 1.02 ** at));
    const verdicts = decideRuns(drifting, TEN_PERCENT).map(({ decision }) => decision.verdict);
    expect(new Set(verdicts)).toEqual(new Set(['inconclusive']));
  });

  it('a change that stays: fails in every run, for runs that failed never join the base', () => {
    const runs = runsOf([...BASE, ...Array(40).fill(1200)]);
    const verdicts = decideRuns(runs, TEN_PERCENT).map(({ decision }) => decision.verdict);
    expect(new Set(verdicts.slice(9))).toEqual(new Set(['fail']));
  });

  it('a change below the limit: passes, however regular earlier runs are', () => {
    expect(code(runsOf([...Array(8).fill(1000), 1090, 1090]))).toBe('within_history');
    expect(code(runsOf([...Array(8).fill(1000), 1110, 1110]))).toBe('beyond_limit');
  });

  it('earlier runs that vary too much: pass nothing, not even a run as fast as they', () => {
    expect(code(runsOf([1000, 1500, 700, 1300, 800, 1400, 900, 1100, 1000, 1000]))).toBe('not_within_history');
  });

  it('a service 15 % slower after nine noisy nights: is undecided at a limit of 5 %, for its bound is above it', () => {
    const noisy = [1000, 1080, 930, 1050, 960, 1070, 940, 1020, 980];
    const last = decideRuns(runsOf([...noisy, 1120, 1120]), { ...TEN_PERCENT, share: 0.05 }).at(-1);
    expect(last).toMatchObject({ decision: { verdict: 'inconclusive', code: 'not_within_history' } });
    expect(Math.exp((last?.change ?? 0) + (last?.reach?.above ?? 0))).toBeGreaterThan(1.15);
  });

  it('a run beyond the limit by itself: does not pass, however fast the one before was', () => {
    expect(code(runsOf([...BASE, 900, 1105]))).not.toBe('within_history');
  });

  it('whatever the runs are: none passes with a bound above the limit', () => {
    const values = fc.array(fc.double({ min: 900, max: 1300, noNaN: true }), { minLength: 10, maxLength: 14 });
    const limits = fc.record({
      worse: fc.constantFrom('increase', 'decrease'),
      share: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
      atFirst: fc.constant(null),
    });
    fc.assert(
      fc.property(values, limits, (series, limit) => {
        const allowed = limit.worse === 'increase' ? Math.log1p(limit.share) : -Math.log1p(-limit.share);
        for (const { decision, change, reach } of decideRuns(runsOf(series), limit)) {
          if (decision.verdict === 'pass') expect((change ?? 1) + (reach?.above ?? 1)).toBeLessThanOrEqual(allowed);
        }
      }),
    );
  });

  it('the reach of earlier runs: runs that failed do not widen it, and fewer than 8 have none', () => {
    expect(reachOfRuns(runsOf(BASE.slice(1)), TEN_PERCENT)).toBeNull();
    expect(reachOfRuns(runsOf([...BASE, 1300, 1300]), TEN_PERCENT)).toEqual(reachOfRuns(runsOf(BASE), TEN_PERCENT));
  });

  it('a decrease: fails where higher is better, and passes where lower is', () => {
    const runs = runsOf([...BASE, 800, 800]);
    expect(decideRuns(runs, { ...TEN_PERCENT, worse: 'decrease' }).at(-1)?.decision.code).toBe('beyond_limit');
    expect(code(runs)).toBe('within_history');
  });

  it('a cell without a value: keeps the run from passing, and the others count', () => {
    const two = (a: number, b: number | null): RunCells =>
      new Map([['a', Math.log(a)], ...(b === null ? [] : [['b', Math.log(b)] as const])]);
    const base = BASE.map((value) => two(value, 10 * value));
    const last = decideRuns([...base, two(1000, 10_000), two(1000, null)], TEN_PERCENT).at(-1);
    expect(last).toMatchObject({ decision: { code: 'lost_cells' }, cells: 1, lostCells: 1 });
    expect(code([...base, two(1300, 13_000), two(1300, null)])).toBe('beyond_limit');
    expect(code([...base, two(1300, 13_000), new Map()])).toBe('no_common_cell');
  });

  describe('at first', () => {
    const AT_FIRST = { ...TEN_PERCENT, atFirst: 0.5 };
    /** Runs of six cells, each with these values times what its cell takes. */
    const sixCells = (values: readonly number[]) =>
      values.map((value) => new Map([1, 2, 3, 4, 5, 6].map((cell) => [`${cell}`, Math.log(cell * value)])));
    const decide = (runs: readonly RunCells[]) => decideRuns(runs, AT_FIRST);
    const codes = (values: readonly number[]) => decide(sixCells(values)).map(({ decision }) => decision.code);

    it('a run far beyond the few before it fails alone, and the next ones are held against those before it', () => {
      expect(codes([1000, 2000, 2000, 1000, 1400])).toEqual([
        'short_history',
        'beyond_at_first',
        'beyond_at_first_again',
        'short_history',
        'short_history',
      ]);
      const [, second, third] = decide(sixCells([1000, 2000, 2000]));
      expect(Math.exp(second?.first?.change ?? 0)).toBeCloseTo(2, 12);
      expect(third?.first).toMatchObject({ runs: 1 });
    });

    it('a run that failed at first joins no base: the tenth other run is the first that is decided by one', () => {
      const found = codes([1000, 2000, ...BASE.slice(1), 1000, 1001]);
      expect(found.at(-2)).toBe('short_history');
      expect(found.at(-1)).toBe('within_history');
    });

    it('a run fails only where the whole interval lies beyond, and never of fewer than six cells', () => {
      const run = (changes: readonly number[]) =>
        decide([
          new Map(changes.map((_, cell) => [`${cell}`, Math.log(1000)])),
          new Map(changes.map((change, cell) => [`${cell}`, Math.log(1000 * change)])),
        ]).at(-1);
      expect(run([1.6, 1.7, 1.8, 1.9, 2, 2.1])?.decision.code).toBe('beyond_at_first');
      expect(run([1.4, 1.7, 1.8, 1.9, 2, 2.1])?.decision.code).toBe('short_history');
      expect(run([2, 2, 2, 2, 2])).toMatchObject({ decision: { code: 'short_history' }, first: { interval: null } });
    });

    it('a service that is twice as slow is found, and one that is not hardly ever fails', () => {
      const { nights, falseFails, found } = simulateFirstNights({ spread: 0.1, tails: 'normal' }, SERIES);
      expect(falseFails / nights).toBeLessThan(1 / 200);
      const doubled = found.filter(({ change }) => change === 2);
      for (const { services } of doubled) expect(services / SERIES).toBeGreaterThan(0.85);
    });
  });

  it('faster or slower by a factor in all runs: changes no decision', () => {
    const values = fc.array(fc.double({ min: 100, max: 10_000, noNaN: true }), { minLength: 2, maxLength: 14 });
    fc.assert(
      fc.property(values, fc.constantFrom(0.5, 2, 4), (series, factor) => {
        const codes = (of: readonly number[]) =>
          decideRuns(runsOf(of), TEN_PERCENT).map(({ decision }) => decision.code);
        expect(codes(series.map((value) => value * factor))).toEqual(codes(series));
      }),
    );
  });
});

/* A sample of `npm run simulate -- history`: seeded, so that it gives the same on every machine. Bounds are generous. */

const SERVICES = NIGHTLY ? 40 : 12;

describe('simulated nights', () => {
  it('nights that vary by 3 %: +15 % is found by the tenth in three of four series, and a year has hardly an alarm', () => {
    const { rules, changes } = simulateHistory(0.03, SERVICES);
    const tenPercent = rules.get(0.1);
    expect(tenPercent?.yearsWithAlarm).toBeLessThanOrEqual(0.1 * SERVICES);
    expect(tenPercent?.failedEarly).toBe(0);
    expect(tenPercent?.passedBeyond).toBe(0);
    expect(tenPercent?.nightsPassed).toBeGreaterThan(0.97 * (tenPercent?.nightsDecided ?? Infinity));
    for (const { found, passed } of tenPercent?.planned.values() ?? []) {
      expect(found).toBeGreaterThan(0.65 * SERVICES);
      expect(passed).toBeGreaterThan(0.65 * SERVICES);
    }
    expect(tenPercent?.foundBy.tenth).toBeGreaterThan(0.6 * SERVICES);
    expect(changes.yearsWithChange).toBeLessThanOrEqual(0.1 * SERVICES);
    expect(changes.after12.ninth).toBeGreaterThan(0.8 * SERVICES);
    expect(changes.after30.beside).toBeGreaterThan(0.95 * SERVICES);
  });
});
