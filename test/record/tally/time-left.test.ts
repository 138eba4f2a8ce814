import { describe, expect, it } from 'vitest';
import { openSlices, sweepSlices } from '../../../src/plan/load-slices.ts';
import { orderTrials } from '../../../src/plan/order/order.ts';
import type { Slice } from '../../../src/plan/plan.ts';
import type { Trial } from '../../../src/plan/trial.ts';
import { createRunTally, plannedInSlices } from '../../../src/record/run-tally.ts';
import { createRandom, type Random } from '../../../src/statistics/random.ts';
import type { ClosedLoad, Load, OpenLoad } from '../../../src/suite/load.ts';
import { CLOSED, OPEN } from '../../fixtures/plan-input.ts';
import { buildOk, buildTrial } from '../../fixtures/stored-run-builder.ts';

const CELLS = 12;
const REPEATS = 3;

function kindsOf(variants: readonly string[], step?: number) {
  const take = (variant: string, seed: number, repeat: number) =>
    buildTrial({
      variant,
      seed,
      repeat,
      phase: step === undefined ? 'trial' : 'step',
      ...(step === undefined ? {} : { step }),
    });
  const cells = range(CELLS).map((seed) => ({
    takes: range(REPEATS).map((repeat) => variants.map((variant) => take(variant, seed, repeat))),
  }));
  return [{ kind: 'text-to-image', cells } as const];
}

const range = (n: number) => Array.from({ length: n }, (_, at) => at + 1);

function warmups(variants: readonly string[], concurrency: number) {
  return variants.map((variant) => ({
    trials: [buildTrial({ variant, seed: 99, phase: 'warmup' })],
    pace: { mode: 'closed', concurrency } as const,
  }));
}

function closedPlan(variants: readonly string[], { order, concurrency }: Pick<ClosedLoad, 'order' | 'concurrency'>) {
  const slices = orderTrials(kindsOf(variants), { order, concurrency }, createRandom(1));
  const pace = { mode: 'closed', concurrency } as const;
  const sent = numbered([...warmups(variants, concurrency), ...slices.map((trials) => ({ trials, pace }))]);
  return { slices: sent, load: { ...CLOSED, ...pace, order } };
}

function sweepPlan(variants: readonly string[], steps: readonly number[]) {
  const slices = sweepSlices(steps, (step) => kindsOf(variants, step), createRandom(1));
  return { slices: numbered([...warmups(variants, 1), ...slices]), load: { ...CLOSED, steps } };
}

interface SentPlan {
  readonly slices: readonly Slice[];
  readonly load: Load;
}

function tallyOf({ slices, load }: SentPlan) {
  const names = new Set(slices.flatMap(({ trials }) => trials.map(({ variant }) => variant)));
  const tally = createRunTally(plannedInSlices([...names], slices), load.concurrency);
  return {
    tally,
    started: (trial: Trial | undefined, atMs: number) => {
      if (trial === undefined) throw new Error('no such trial');
      tally.add({ event: 'intent', trial, atMs });
    },
    ended: (trial: Trial | undefined, endedMs: number) => {
      tally.add({ event: 'sample', sample: { ...buildOk(1, 'image', { ...(trial && { trial }) }), endedMs } });
    },
  };
}

function numbered(slices: readonly Omit<Slice, 'index'>[]): readonly Slice[] {
  return slices.map((slice, index) => ({ ...slice, index }));
}

interface Estimate {
  /** How much of the run is over, from 0 to 1. */
  readonly share: number;
  /** Estimate / truth. */
  readonly ratio: number;
}

/** Sends a plan to a simulated service, slice after slice; every estimate that was given, beside the truth. */
function estimatesOf(
  plan: SentPlan,
  msOf: (trial: Trial, concurrency: number, random: Random) => number,
): readonly Estimate[] {
  const { tally, started, ended } = tallyOf(plan);
  const random = createRandom(2);
  const told: { readonly atMs: number; readonly ms: number | null }[] = [];
  let nowMs = 0;
  for (const { trials, pace } of plan.slices) {
    const concurrency = pace.mode === 'closed' ? pace.concurrency : 1;
    const waiting = [...trials];
    const inFlight: { readonly trial: Trial; readonly endMs: number }[] = [];
    while (waiting.length + inFlight.length > 0) {
      while (inFlight.length < concurrency) {
        const trial = waiting.shift();
        if (trial === undefined) break;
        started(trial, nowMs);
        inFlight.push({ trial, endMs: nowMs + msOf(trial, concurrency, random) });
      }
      inFlight.sort((a, b) => a.endMs - b.endMs);
      const next = inFlight.shift();
      if (next === undefined) break;
      nowMs = next.endMs;
      ended(next.trial, nowMs);
      told.push({ atMs: nowMs, ms: tally.leftMs(nowMs) });
    }
  }
  return told.flatMap(({ atMs, ms }) =>
    ms === null || atMs === nowMs ? [] : [{ share: atMs / nowMs, ratio: ms / (nowMs - atMs) }],
  );
}

/** Those in the middle of a run: later, what is left is a few calls. */
function middle(estimates: readonly Estimate[], from = 0.25): readonly number[] {
  return estimates.filter(({ share }) => share > from && share < 0.85).map(({ ratio }) => ratio);
}

const SPREAD = 0.2;
const jitter = (random: Random) => 1 + SPREAD * (2 * random.uniform() - 1);
const MS: Readonly<Record<string, number>> = { slow: 10_000, middle: 3000, fast: 1000 };
const variants = ['fast', 'middle', 'slow'];

describe('the time left of a run', () => {
  it.each([
    ['paired', 1],
    ['paired', 4],
    ['sequential', 1],
    ['sequential', 4],
    ['mixed', 4],
  ] as const)(
    'the time left of a run in %s order at concurrency %i is told to a third, though its variants differ by ten times',
    (order, concurrency) => {
      const plan = closedPlan(variants, { order, concurrency });
      const ratios = middle(estimatesOf(plan, ({ variant }, _at, random) => (MS[variant] ?? 0) * jitter(random)));
      expect(ratios.length).toBeGreaterThan(10);
      expect(Math.min(...ratios)).toBeGreaterThan(0.67);
      expect(Math.max(...ratios)).toBeLessThan(1.5);
    },
  );

  it('the time left of a run is not told from warm-ups alone, which may be longer', () => {
    const plan = closedPlan(variants, { order: 'paired', concurrency: 1 });
    const ratios = middle(
      estimatesOf(
        plan,
        ({ variant, phase }, _at, random) => (MS[variant] ?? 0) * jitter(random) * (phase === 'warmup' ? 5 : 1),
      ),
    );
    expect(Math.min(...ratios)).toBeGreaterThan(0.67);
    expect(Math.max(...ratios)).toBeLessThan(1.5);
    const { tally, started, ended } = tallyOf(plan);
    const [warmup, , , first] = plan.slices.flatMap(({ trials }) => trials);
    started(warmup, 0);
    ended(warmup, 5000);
    started(first, 5000);
    expect(tally.leftMs(5500)).toBeNull();
  });

  it('the time left of a sweep is told from the calls at each concurrency', () => {
    const plan = sweepPlan(['fast', 'slow'], [1, 2, 8]);
    const ratios = middle(
      estimatesOf(plan, ({ variant }, at, random) => (MS[variant] ?? 0) * (1 + at / 4) * jitter(random)),
    );
    expect(ratios.length).toBeGreaterThan(10);
    expect(Math.min(...ratios)).toBeGreaterThan(0.5);
    expect(Math.max(...ratios)).toBeLessThan(2);
  });

  it('the time left of a run leaves out a variant that was abandoned', () => {
    const trials = range(CELLS).map((seed) => buildTrial({ variant: 'fast', seed }));
    const { tally, started, ended } = oneByOne([...trials, buildTrial({ variant: 'slow' })]);
    started(trials[0], 0);
    ended(trials[0], 1000);
    expect(tally.leftMs(1000)).toBeNull();
    tally.add({ event: 'abandoned', variant: 'slow' });
    expect(tally.leftMs(1000)).toBeCloseTo((CELLS - 1) * 1000, 6);
  });

  it('the time left of a run whose gate is decided is that of its probes', () => {
    const trials = range(CELLS).map((seed) => buildTrial({ variant: 'fast', seed }));
    const probe = { kind: 'seed', role: 'other', base: 1 } as const;
    const { tally, started, ended } = oneByOne([
      ...trials,
      buildTrial({ variant: 'fast', seed: 77, phase: 'probe', probe }),
    ]);
    started(trials[0], 0);
    ended(trials[0], 1000);
    expect(tally.leftMs(1000)).toBeCloseTo(CELLS * 1000, 6);
    tally.add({ event: 'look', decided: true });
    expect(tally.leftMs(1000)).toBeCloseTo(1000, 6);
  });

  it('the time left of a run that was killed counts again what was in flight, and once what went on', () => {
    const trials = range(4).map((seed) => buildTrial({ variant: 'fast', seed }));
    const { tally, started, ended } = oneByOne(trials);
    started(trials[0], 0);
    ended(trials[0], 1000);
    started(trials[1], 1000);
    tally.add({ event: 'segment', state: 'started', segment: 2, originAt: '2026-11-20T15:45:00Z' });
    expect(tally.inFlight()).toBe(0);
    started(trials[2], 0);
    expect(tally.leftMs(0)).toBeCloseTo(3000, 6);
    ended(trials[2], 1000);
    // Its job was polled to the end: it has no start in this process.
    ended(trials[1], 1000);
    expect(tally.leftMs(1000)).toBeCloseTo(1000, 6);
  });

  it('the time left of a run falls between two answers', () => {
    const trials = range(3).map((seed) => buildTrial({ variant: 'fast', seed }));
    const { tally, started, ended } = oneByOne(trials);
    started(trials[0], 0);
    ended(trials[0], 10_000);
    started(trials[1], 10_000);
    expect([10_000, 14_000, 20_000, 90_000].map(tally.leftMs)).toEqual([20_000, 16_000, 10_000, 10_000]);
  });

  it.each([
    ['one rate', [{ ratePerSecond: 0.5, forMs: null }], 18_500],
    [
      'rates that follow each other',
      [
        { ratePerSecond: 1, forMs: 4000 },
        { ratePerSecond: 0.5, forMs: 12_000 },
      ],
      14_500,
    ],
  ] as const)('the time left of open load is that of its schedule, and one call more: %s', (_, stages, leftMs) => {
    const load: OpenLoad = { ...OPEN, concurrency: 4, stages: [...stages], warmup: 0 };
    const trials = range(10).map((repeat) => buildTrial({ variant: 'fast', repeat }));
    const takes = trials.map((trial) => [trial]);
    const slices = openSlices(() => [{ kind: 'text-to-image', cells: [{ takes }] }], load, createRandom(1));
    const { tally, started, ended } = tallyOf({ slices: numbered(slices), load });
    const first = slices[0]?.trials[0];
    started(first, 100);
    ended(first, 600);
    expect(tally.leftMs(1100)).toBeCloseTo(leftMs, 6);
  });
});

/** Trials that are sent one at a time. */
function oneByOne(trials: readonly Trial[]) {
  const slices = numbered(trials.map((trial) => ({ trials: [trial], pace: { mode: 'closed', concurrency: 1 } })));
  return tallyOf({ slices, load: CLOSED });
}
