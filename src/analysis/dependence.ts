import { groupBy } from '../kit/grouping.ts';
import { cellOf } from '../plan/plan.ts';
import type { Trial } from '../plan/trial.ts';
import { mean, sum } from '../statistics/mean.ts';
import { midRanks } from '../statistics/mid-ranks.ts';
import { median, sortSample } from '../statistics/quantile.ts';
import { dependenceTime, isSeriallyDependent, rankAutocorrelation } from '../statistics/serial-dependence.ts';
import type { Load } from '../suite/load.ts';
import { type EffectiveSample, headlineMs } from './effective-sample.ts';
import type { TakeIndex } from './take-index.ts';

/** Whether takes of a variant (or step of a sweep) depend on those sent just before. */
export interface Dependence {
  /** Lag-1 rank autocorrelation, in sending order, of each take's excess over its cell's median; may be null. */
  readonly r: number | null;
  readonly n: number;
  /** How many takes count as one independent take; 1 if they are independent. */
  readonly time: number;
  /** By a permutation test of r at 1 %. If true the report warns, and rates are widened too. */
  readonly significant: boolean;
}

interface TakeValue {
  readonly trial: Trial;
  readonly value: number;
}

export interface DependenceFinding {
  readonly variant: string;
  readonly step: number | null;
  readonly dependence: Dependence;
}

/** One finding for each variant, or each step of a sweep, ascending; only samples whose times count. */
export function findDependences(
  variants: readonly { readonly name: string }[],
  takes: TakeIndex,
  load: Load,
): DependenceFinding[] {
  return variants.flatMap(({ name }) =>
    takes.bySteps(name).flatMap(([step, all]) => {
      const timed = all.filter((take) => take.timed);
      return timed.length === 0 ? [] : [{ variant: name, step, dependence: dependenceOf(timed, load) }];
    }),
  );
}

/**
 * The dependence of headline latencies beyond what is usual in their cells. The plan causes differences of cells, but
 * intervals count them as chance, so only the share within cells widens them.
 */
export function dependenceOf(samples: readonly EffectiveSample[], load: Pick<Load, 'mode'>): Dependence {
  const takes = durationsOf(samples, load);
  const dependence = dependenceIn(besideTheirCell(takes, (values) => median(sortSample(values))));
  return { ...dependence, time: Math.max(1, dependence.time * shareWithinCells(takes)) };
}

/** The dependence of events on those before; different rates of cells are not dependence. */
export function dependenceOfEvents(
  samples: readonly EffectiveSample[],
  isEvent: (take: EffectiveSample) => boolean,
): Dependence {
  const takes = samples.map((take) => ({ trial: take.sample.trial, value: Number(isEvent(take)) }));
  return dependenceIn(besideTheirCell(takes, mean));
}

export function dependenceIn(values: readonly number[]): Dependence {
  return {
    r: rankAutocorrelation(values),
    n: values.length,
    time: dependenceTime(values),
    significant: isSeriallyDependent(values),
  };
}

/** How many independent takes `n` of a series are worth. Takes spread over it, as of one prompt, depend less. */
export function worth(n: number, dependence: Pick<Dependence, 'n' | 'time'> | null): number {
  return dependence === null || dependence.time === 1 ? n : n / (1 + (dependence.time - 1) * (n / dependence.n));
}

function durationsOf(samples: readonly EffectiveSample[], load: Pick<Load, 'mode'>): readonly TakeValue[] {
  return samples.flatMap((effective) => {
    const value = durationOf(effective, load);
    return value === null ? [] : [{ trial: effective.sample.trial, value }];
  });
}

/** Variance of ranks within cells over that of all, at most 1; 1 if no cell has two takes. */
function shareWithinCells(takes: readonly TakeValue[]): number {
  const ranks = midRanks(takes.map(({ value }) => value)).doubled;
  const cells = [
    ...groupBy(
      takes.map(({ trial }, at) => ({ trial, rank: ranks[at] ?? 0 })),
      ({ trial }) => cellOf(trial),
    ).values(),
  ];
  const within =
    sum(cells.map((members) => squaresOf(members.map(({ rank }) => rank)))) / (takes.length - cells.length);
  const all = squaresOf(ranks) / (takes.length - 1);
  return within < all ? within / all : 1;
}

function squaresOf(values: readonly number[]): number {
  const centre = mean(values) ?? 0;
  return sum(values.map((value) => (value - centre) * (value - centre)));
}

/** Subtracts the usual value of the cell, so that cells may differ; of a single take, that of its prompt or of all. */
function besideTheirCell(takes: readonly TakeValue[], usual: (values: readonly number[]) => number | null): number[] {
  const centres = [
    centresBy(takes, usual, ({ trial }) => cellOf(trial)),
    centresBy(takes, usual, ({ trial }) => trial.prompt),
    centresBy(takes, usual, () => ''),
  ];
  return takes.map((take) => {
    const centre = centres.map((of) => of(take)).find((value) => value !== null) ?? 0;
    // A time-out is above every value, also above a median that is a time-out.
    return take.value === Infinity ? Infinity : take.value - centre;
  });
}

function durationOf(effective: EffectiveSample, load: Pick<Load, 'mode'>): number | null {
  if (effective.outcome !== 'ok' && effective.outcome !== 'timed_out') return null;
  return headlineMs(effective, load) ?? (effective.outcome === 'timed_out' ? Infinity : null);
}

/** Null if the take is alone in its group. */
function centresBy(
  takes: readonly TakeValue[],
  usual: (values: readonly number[]) => number | null,
  keyOf: (take: TakeValue) => string,
) {
  const centres = new Map(
    [...groupBy(takes, keyOf)].map(([key, group]) => [
      key,
      group.length < 2 ? null : usual(group.map(({ value }) => value)),
    ]),
  );
  return (take: TakeValue): number | null => centres.get(keyOf(take)) ?? null;
}
