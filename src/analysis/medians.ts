import { groupBy } from '../kit/grouping.ts';
import type { Calibration } from '../record/calibration.ts';
import { CONFIDENCE, median, quantileInterval, sortSample } from '../statistics/quantile.ts';
import type { Load } from '../suite/load.ts';
import type { Analysis } from './analysis.ts';
import type { Comparison } from './comparison.ts';
import { dependenceOf, worth } from './dependence.ts';
import { type EffectiveSample, headlineLatency, headlineValues } from './effective-sample.ts';
import { isOfMarks, type Metric } from './metric.ts';
import type { Measure, MedianLatency, VariantSummary } from './summaries.ts';

/** `samples`: in sending order. */
export function medianLatency(samples: readonly EffectiveSample[], load: Load): MedianLatency {
  const values = sortSample(headlineValues(samples, load));
  const interval = quantileInterval(values, 50, CONFIDENCE, worth(values.length, dependenceOf(samples, load)));
  return {
    valueMs: finite(median(values)),
    // A time-out at the lower end makes the interval useless.
    lowMs: finite(interval?.low ?? null),
    highMs: finite(interval?.high ?? null),
    n: values.length,
  };
}

function finite(value: number | null): number | null {
  return value === Infinity ? null : value;
}

export interface FloorEvidence {
  readonly measures: readonly Measure[];
  readonly metrics: readonly Metric[];
  readonly floorMs: number | null;
}

/**
 * Marks differences of this machine's marks below the floor, with overlapping median intervals and no time-out. The
 * floor is the spread of single calls, so it makes no significant difference less so.
 */
export function markBelowFloor(
  comparisons: readonly Comparison[],
  { measures, metrics, floorMs }: FloorEvidence,
): readonly Comparison[] {
  if (floorMs === null) return comparisons;
  const ofMarks = new Set(metrics.filter(isOfMarks).map(({ name }) => name));
  const whole = measures.filter(({ metric, unit, prompt }) => ofMarks.has(metric) && unit === 'ms' && prompt === null);
  const byVariant = groupBy(whole, ({ variant }) => variant);
  const measureOf = (name: string, { metric, statistic, step }: Comparison) =>
    byVariant
      .get(name)
      ?.find((measure) => measure.metric === metric && measure.statistic === statistic && measure.step === step);
  return comparisons.map((comparison): Comparison => {
    const { variant, baseline, scope, effect, value } = comparison;
    // A timed-out call differs by more than any floor.
    if (value === null || comparison.censoredBlocks > 0) return comparison;
    if (scope.of === 'prompt' || scope.of === 'tag') return comparison;
    const [one, other] = [measureOf(variant, comparison), measureOf(baseline, comparison)];
    if (one === undefined || other === undefined || other.value === null || !overlap(one, other)) return comparison;
    const isBelow = Math.abs(effect === 'ratio' ? (value - 1) * other.value : value) < floorMs;
    return isBelow ? { ...comparison, notes: [...comparison.notes, { code: 'below_noise_floor' }] } : comparison;
  });
}

interface IndistinctGroup {
  readonly step: number | null;
  readonly variants: readonly string[];
}

/**
 * Groups variants whose medians all differ by less than the noise floor and whose intervals overlap. The floor is of
 * single calls, so medians with disjoint intervals differ anyway. A median without an interval is in no group.
 */
export function indistinctGroups(
  { measures, run: { calibration, plan } }: Pick<Analysis, 'measures' | 'run'>,
  variants: readonly Pick<VariantSummary, 'name'>[],
): readonly IndistinctGroup[] {
  if (calibration === null) return [];
  const names = new Set(variants.map(({ name }) => name));
  const metric = headlineLatency(plan.load);
  const medians = measures.flatMap((measure): Median[] => {
    const { variant, prompt, value } = measure;
    const isMedian = prompt === null && measure.metric === metric && measure.statistic === 'p50';
    return isMedian && names.has(variant) && value !== null && measure.ciLow !== null ? [{ ...measure, value }] : [];
  });
  const mayBeTheMachine = (a: Median, b: Median) => isBelowFloor(a.value - b.value, calibration) && overlap(a, b);
  return [...groupBy(medians, ({ step }) => step)].flatMap(([step, stepMedians]) =>
    closeGroups(stepMedians, mayBeTheMachine).map((group) => ({ step, variants: group.map(({ variant }) => variant) })),
  );
}

type Median = Measure & { readonly value: number };

/** Largest groups of neighbouring medians that are all close. Groups may overlap: closeness is not transitive. */
function closeGroups(
  medians: readonly Median[],
  isClose: (a: Median, b: Median) => boolean,
): readonly (readonly Median[])[] {
  const ordered = medians.toSorted((a, b) => a.value - b.value);
  const groups: Median[][] = [];
  let reached = 0;
  for (const from of ordered.keys()) {
    const group = ordered.slice(from, from + 1);
    for (const next of ordered.slice(from + 1)) {
      if (!group.every((member) => isClose(member, next))) break;
      group.push(next);
    }
    const to = from + group.length;
    // A group with an earlier end is part of the earlier group.
    if (group.length > 1 && to > reached) groups.push(group);
    reached = Math.max(reached, to);
  }
  return groups;
}

/** False if an interval is unknown. An open end is at time-outs. */
function overlap(a: Measure, b: Measure): boolean {
  if (a.ciLow === null || b.ciLow === null) return false;
  return a.ciLow <= (b.ciHigh ?? Infinity) && b.ciLow <= (a.ciHigh ?? Infinity);
}

/** Whether a difference of either sign is below the machine's noise floor; false without calibration. */
export function isBelowFloor(differenceMs: number, calibration: Pick<Calibration, 'floorMs'> | null): boolean {
  return calibration !== null && Math.abs(differenceMs) < calibration.floorMs;
}
