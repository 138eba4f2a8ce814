import { cellOf } from '../../plan/cell.ts';
import { median } from '../../statistics/samples/quantile.ts';
import { sortSample } from '../../statistics/samples/sorted-sample.ts';
import { dependenceTime, isSeriallyDependent, rankAutocorrelation } from '../../statistics/series/serial-dependence.ts';
import type { Load } from '../../suite/format/suite.ts';
import type { EffectiveSample, TimedSample } from '../analysis.ts';
import { groupBy } from '../grouping.ts';
import { headlineMs } from '../samples/headline.ts';

/** Whether the takes of a variant (of a sweep, of a step) depend on those sent just before them. */
export interface Dependence {
  /**
   * Lag-1 rank autocorrelation, in sending order, of how much longer than its cell's median each take took; null for too
   * few takes, or where nothing spreads.
   */
  readonly r: number | null;
  readonly n: number;
  /** How many of these takes in a row count as one independent take; 1 where they are independent. */
  readonly time: number;
  /** Whether a permutation test of r at 1 % says so: then the report warns, and rates over these takes are widened too. */
  readonly significant: boolean;
}

/** The dependence of one variant, of a sweep of one step. */
export interface DependenceFinding {
  readonly variant: string;
  readonly step: number | null;
  readonly dependence: Dependence;
}

/** Of each variant in the order given, of a sweep of each of its steps in ascending order. Of `samples` those whose times count. */
export function findDependences(
  variants: readonly { readonly name: string }[],
  samples: readonly TimedSample[],
  load: Load,
): DependenceFinding[] {
  const timed = samples.filter((each) => each.timed);
  const byVariant = groupBy(timed, ({ sample }) => sample.trial.variant);
  return variants.flatMap(({ name }) => {
    const bySteps = groupBy(byVariant.get(name) ?? [], ({ sample }) => sample.trial.step ?? null);
    return [...bySteps]
      .sort(([a], [b]) => (a ?? 0) - (b ?? 0))
      .map(([step, own]) => ({ variant: name, step, dependence: dependenceOf(own, load) }));
  });
}

/** The dependence in the headline latency of samples in the order they were sent. */
export function dependenceOf(samples: readonly EffectiveSample[], load: Pick<Load, 'mode'>): Dependence {
  return dependenceIn(residualsOf(samples, load));
}

/** The dependence of values in the order they came. */
export function dependenceIn(values: readonly number[]): Dependence {
  return {
    r: rankAutocorrelation(values),
    n: values.length,
    time: dependenceTime(values),
    significant: isSeriallyDependent(values),
  };
}

/**
 * How many independent takes `n` of a series are worth. Where they are a part of it, spread over all of it, as those of one prompt,
 * they lie farther apart and depend less on each other.
 */
export function worth(n: number, dependence: Pick<Dependence, 'n' | 'time'> | null): number {
  return dependence === null || dependence.time === 1 ? n : n / (1 + (dependence.time - 1) * (n / dependence.n));
}

/**
 * From each take's value the median of its cell is taken, so that cells that are longer than others are no dependence; a cell
 * with one take is held against its prompt, and a prompt with one against all.
 */
function residualsOf(samples: readonly EffectiveSample[], load: Pick<Load, 'mode'>): number[] {
  const takes = samples.flatMap((effective) => {
    const ms = durationOf(effective, load);
    return ms === null ? [] : [{ trial: effective.sample.trial, ms }];
  });
  const centres = [
    centresBy(takes, ({ trial }) => cellOf(trial)),
    centresBy(takes, ({ trial }) => trial.prompt),
    centresBy(takes, () => ''),
  ];
  return takes.map((take) => {
    const centre = centres.map((of) => of(take)).find((value) => value !== null) ?? 0;
    // A time-out is above every value, also above a median that is one.
    return take.ms === Infinity ? Infinity : take.ms - centre;
  });
}

function durationOf(effective: EffectiveSample, load: Pick<Load, 'mode'>): number | null {
  if (effective.outcome !== 'ok' && effective.outcome !== 'timed_out') return null;
  return headlineMs(effective, load) ?? (effective.outcome === 'timed_out' ? Infinity : null);
}

/** The median of a take's group; null where the take is alone in it. */
function centresBy<T extends { readonly ms: number }>(takes: readonly T[], keyOf: (take: T) => string) {
  const medians = new Map(
    [...groupBy(takes, keyOf)].map(([key, group]) => [
      key,
      group.length < 2 ? null : median(sortSample(group.map(({ ms }) => ms))),
    ]),
  );
  return (take: T): number | null => medians.get(keyOf(take)) ?? null;
}
