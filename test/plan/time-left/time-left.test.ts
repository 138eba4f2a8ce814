import { describe, expect, it } from 'vitest';
import { orderTrials } from '../../../src/plan/order.ts';
import type { Slice } from '../../../src/plan/plan.ts';
import { sweepSlices } from '../../../src/plan/sweep.ts';
import { type Pacing, workOf } from '../../../src/plan/time-left/planned-work.ts';
import { createTimeLeft } from '../../../src/plan/time-left/time-left.ts';
import type { Trial } from '../../../src/plan/trial.ts';
import { createRandom, type Random } from '../../../src/statistics/distributions/random.ts';
import type { ClosedLoad } from '../../../src/suite/format/load.ts';
import { buildTrial } from '../../fixtures/trial-builder.ts';

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
  return { slices: sent, load: { ...pace, steps: null } };
}

function sweepPlan(variants: readonly string[], steps: readonly number[]) {
  const slices = sweepSlices(steps, (step) => kindsOf(variants, step), createRandom(1));
  const load = { mode: 'closed', concurrency: 1, steps } as const;
  return { slices: numbered([...warmups(variants, 1), ...slices]), load };
}

interface SentPlan {
  readonly slices: readonly Slice[];
  readonly load: Pacing;
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
  { slices, load }: SentPlan,
  msOf: (trial: Trial, concurrency: number, random: Random) => number,
): readonly Estimate[] {
  const left = createTimeLeft(workOf(slices, load), load);
  const random = createRandom(2);
  const told: { readonly atMs: number; readonly ms: number | null }[] = [];
  let nowMs = 0;
  for (const { index, trials, pace } of slices) {
    const concurrency = pace.mode === 'closed' ? pace.concurrency : 1;
    const waiting = [...trials];
    const inFlight: { readonly trial: Trial; readonly endMs: number }[] = [];
    while (waiting.length + inFlight.length > 0) {
      while (inFlight.length < concurrency) {
        const trial = waiting.shift();
        if (trial === undefined) break;
        left.started(trial, index, nowMs);
        inFlight.push({ trial, endMs: nowMs + msOf(trial, concurrency, random) });
      }
      inFlight.sort((a, b) => a.endMs - b.endMs);
      const next = inFlight.shift();
      if (next === undefined) break;
      nowMs = next.endMs;
      left.ended(next.trial, index, nowMs);
      told.push({ atMs: nowMs, ms: left.at(nowMs) });
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

  it('the time left of a run is not told from a first call that lasts five times as long', () => {
    const plan = closedPlan(variants, { order: 'paired', concurrency: 1 });
    const told = estimatesOf(
      plan,
      ({ variant, phase }, _at, random) => (MS[variant] ?? 0) * jitter(random) * (phase === 'warmup' ? 5 : 1),
    );
    const ratios = told.filter(({ share }) => share < 0.85).map(({ ratio }) => ratio);
    expect(Math.min(...ratios)).toBeGreaterThan(0.5);
    expect(Math.max(...ratios)).toBeLessThan(1.7);
  });

  it('the time left of a sweep is told once each concurrency was met, also where calls last longer the more there are', () => {
    const plan = sweepPlan(['fast', 'slow'], [1, 2, 8]);
    const told = estimatesOf(plan, ({ variant }, at, random) => (MS[variant] ?? 0) * (1 + at / 4) * jitter(random));
    const ratios = told.filter(({ share }) => share < 0.85).map(({ ratio }) => ratio);
    expect(ratios.length).toBeGreaterThan(10);
    expect(Math.min(...ratios)).toBeGreaterThan(0.67);
    expect(Math.max(...ratios)).toBeLessThan(1.5);
  });

  it('the time left of a run leaves out a variant that was abandoned', () => {
    const [first, , third] = range(CELLS).map((seed) => buildTrial({ variant: 'fast', seed }));
    const slow = buildTrial({ variant: 'slow' });
    if (first === undefined || third === undefined) throw new Error('three trials');
    const { left } = oneByOne([...range(CELLS).map((seed) => buildTrial({ variant: 'fast', seed })), slow]);
    left.started(first, 0, 0);
    left.ended(first, 0, 1000);
    expect(left.at(1000)).toBeNull();
    left.abandoned('slow');
    expect(left.at(1000)).toBeCloseTo((CELLS - 1) * 1000, 6);
  });

  it('the time left of a run whose gate is decided is that of its probes', () => {
    const measured = range(CELLS).map((seed) => buildTrial({ variant: 'fast', seed }));
    const probe = buildTrial({
      variant: 'fast',
      seed: 77,
      phase: 'probe',
      probe: { kind: 'seed', role: 'other', base: 1 },
    });
    const [first] = measured;
    if (first === undefined) throw new Error('no trial');
    const { left } = oneByOne([...measured, probe]);
    left.started(first, 0, 0);
    left.ended(first, 0, 1000);
    expect(left.at(1000)).toBeCloseTo(CELLS * 1000, 6);
    left.decided();
    expect(left.at(1000)).toBeCloseTo(1000, 6);
  });

  it('the time left of a run that was killed counts again what was in flight, and once what went on', () => {
    const trials = range(4).map((seed) => buildTrial({ variant: 'fast', seed }));
    const [first, second, third] = trials;
    if (first === undefined || second === undefined || third === undefined) throw new Error('three trials');
    const { left } = oneByOne(trials);
    left.started(first, 0, 0);
    left.ended(first, 0, 1000);
    left.started(second, 1, 1000);
    left.interrupted();
    expect(left.at(0)).toBeNull();
    left.started(third, 2, 0);
    expect(left.at(0)).toBeCloseTo(3000, 6);
    left.ended(third, 2, 1000);
    // Its job was polled to the end: it has no start in this process.
    left.ended(second, 1, 1000);
    expect(left.at(1000)).toBeCloseTo(1000, 6);
  });

  it('the time left of open load is that of its schedule, and one call more', () => {
    const trials = range(10).map((repeat) => buildTrial({ variant: 'fast', repeat }));
    const startsMs = trials.map((_, at) => at * 2000);
    const load = { mode: 'open', concurrency: 4 } as const;
    const left = createTimeLeft(
      workOf([{ index: 0, trials, pace: { mode: 'open', ceiling: 4, startsMs } }], load),
      load,
    );
    const [first] = trials;
    if (first === undefined) throw new Error('no trial');
    left.started(first, 0, 100);
    left.ended(first, 0, 600);
    expect(left.at(1100)).toBe(18_000 - 1000 + 500);
  });
});

/** Trials that are sent one at a time. */
function oneByOne(trials: readonly Trial[]) {
  const load = { mode: 'closed', concurrency: 1, steps: null } as const;
  const slices = numbered(trials.map((trial) => ({ trials: [trial], pace: { mode: 'closed', concurrency: 1 } })));
  return { left: createTimeLeft(workOf(slices, load), load) };
}
