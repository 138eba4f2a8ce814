import { isMeasured, type Plan } from '../plan/plan.ts';
import { CALLS_PER_SLOT } from '../plan/sweep.ts';
import type { Trial } from '../plan/trial.ts';
import { FEWEST_UNITS } from '../statistics/jackknife.ts';
import { fewestForInterval } from '../statistics/quantile.ts';
import type { Kind } from '../suite/kind.ts';
import type { ClosedLoad, Load, OpenLoad } from '../suite/load.ts';
import type { Variant } from '../targets/target.ts';
import { groupBy } from './grouping.ts';
import { partsOfSlice } from './measures/closed-throughput.ts';
import { fewestToTell, unitKindOf } from './pair-units.ts';
import { countUnits } from './planned-case.ts';

/* What a plan can show, if no take fails; what a gate can decide of it is in gate/planning/. */

const LEVEL = 0.95;

/** Percentiles of latency with an interval, and what the next needs; null: all have one. */
export interface LatencyReach {
  readonly percents: readonly number[];
  readonly next: { readonly percent: number; readonly takes: number } | null;
}

export function latencyReach(takes: number): LatencyReach {
  const needs = [50, 90, 95, 99].map((percent) => ({ percent, takes: fewestForInterval(percent, LEVEL) }));
  return {
    percents: needs.filter((need) => takes >= need.takes).map(({ percent }) => percent),
    next: needs.find((need) => takes < need.takes) ?? null,
  };
}

/** Units of a speed comparison with the baseline variant of a kind, and how few show a difference. */
export interface SpeedReach {
  readonly kind: Kind;
  readonly candidates: number;
  readonly units: ReturnType<typeof unitKindOf>;
  readonly n: number;
  readonly fewest: number;
}

/** One per kind with candidates; empty if repeats cannot show drift. */
export function speedReaches(
  variants: readonly Pick<Variant, 'name' | 'kind' | 'baseline' | 'twinOf'>[],
  { slices, load }: Pick<Plan, 'slices'> & { readonly load: Load },
): readonly SpeedReach[] {
  if (load.mode === 'open' || (load.order === 'sequential' && load.concurrency > 1 && load.steps === null)) return [];
  const placed = slices.flatMap(({ index, trials }) =>
    trials.filter(isMeasured).map((trial) => ({ trial, slice: index })),
  );
  const units = unitKindOf(load);
  const steps = load.steps?.length ?? 1;
  return [...groupBy(variants, ({ kind }) => kind)].flatMap(([kind, members]): readonly SpeedReach[] => {
    const candidates = members.filter(({ baseline, twinOf }) => !baseline && twinOf === undefined);
    if (candidates.length === 0) return [];
    const counts = candidates.map(({ name }) => {
      const ofVariant = placed.filter(({ trial }) => trial.variant === name);
      return countUnits(ofVariant, units) / steps;
    });
    const fewest = fewestToTell(candidates.length);
    return [{ kind, candidates: candidates.length, units, n: Math.min(...counts), fewest }];
  });
}

export interface ThroughputReach {
  readonly variant: string;
  readonly concurrency: number;
  readonly slices: number;
  readonly fewestTakes: number;
  readonly mostTakes: number;
  /** `interval`: a value with an interval; `range`: only limits of the value. */
  readonly gives: 'interval' | 'value' | 'range' | 'nothing';
  readonly valueNeeds: Needed | null;
  readonly intervalNeeds: Needed | null;
}

/** Takes at this concurrency, and repeats for them; null if repeats do not help. */
export interface Needed {
  readonly takes: number | null;
  readonly repeats: number | null;
}

type PlannedLoad = Pick<OpenLoad, 'mode'> | Pick<ClosedLoad, 'mode' | 'order' | 'concurrency' | 'steps'>;

interface PlannedSlices {
  readonly slices: readonly {
    readonly trials: readonly Pick<Trial, 'variant' | 'prompt' | 'seed' | 'phase' | 'step'>[];
  }[];
}

/** Smallest concurrency first; empty for open load and mixed order, which have no slice per variant. */
export function throughputReaches(load: PlannedLoad, { slices }: PlannedSlices): readonly ThroughputReach[] {
  if (load.mode === 'open' || load.order === 'mixed') return [];
  const measured = slices.flatMap(({ trials }) => {
    const [first] = trials;
    return first === undefined || !trials.every(isMeasured)
      ? []
      : [{ variant: first.variant, step: first.step ?? load.concurrency, trials }];
  });
  const parts = [...groupBy(measured, ({ variant, step }) => `${step} ${variant}`).values()];
  return parts
    .flatMap((slicesOfStep) => {
      const [first] = slicesOfStep;
      if (first === undefined) return [];
      const cells = new Set(slicesOfStep.flatMap(({ trials }) => trials.map(({ prompt, seed }) => `${prompt} ${seed}`)))
        .size;
      const takes = slicesOfStep.map(({ trials }) => trials.length);
      return [{ variant: first.variant, ...reachOf(takes, first.step, cells, load.steps !== null) }];
    })
    .toSorted((a, b) => a.concurrency - b.concurrency);
}

function reachOf(
  takes: readonly number[],
  concurrency: number,
  cells: number,
  isSweep: boolean,
): Omit<ThroughputReach, 'variant'> {
  // One by one: a call takes at most some 100,000 arguments.
  const [fewestTakes, mostTakes] = takes.reduce(
    ([fewest, most], count) => [Math.min(fewest, count), Math.max(most, count)],
    [Number.POSITIVE_INFINITY, 0],
  );
  const sent = { concurrency, slices: takes.length, fewestTakes, mostTakes };
  if (concurrency === 1) {
    // Each call is a slice of its own.
    const enough = takes.reduce((sum, count) => sum + count, 0) >= FEWEST_UNITS;
    const intervalNeeds = enough ? null : { takes: FEWEST_UNITS, repeats: Math.ceil(FEWEST_UNITS / cells) };
    return { ...sent, gives: enough ? 'interval' : 'value', valueNeeds: null, intervalNeeds };
  }
  const parts = takes.reduce((sum, count) => sum + partsOfSlice(count, concurrency), 0);
  // The number of slices does not grow with repeats.
  const needs = (slices: number): Needed => {
    const repeats = slices * Math.ceil((CALLS_PER_SLOT * concurrency) / cells);
    return isSweep ? { takes: repeats * cells, repeats } : { takes: null, repeats: null };
  };
  if (parts >= FEWEST_UNITS) return { ...sent, gives: 'interval', valueNeeds: null, intervalNeeds: null };
  const intervalNeeds = needs(FEWEST_UNITS);
  if (parts > 0) return { ...sent, gives: 'value', valueNeeds: null, intervalNeeds };
  return {
    ...sent,
    gives: takes.length >= FEWEST_UNITS ? 'range' : 'nothing',
    valueNeeds: needs(1),
    intervalNeeds,
  };
}
