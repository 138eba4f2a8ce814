import { groupBy } from '../kit/grouping.ts';
import { CONFIDENCE, median, quantileInterval, sortSample } from '../statistics/quantile.ts';
import type { Load } from '../suite/load.ts';
import type { Comparison } from './comparison.ts';
import { dependenceOf, worth } from './dependence.ts';
import { type EffectiveSample, headlineValues } from './effective-sample.ts';
import { finite } from './measures/order-statistics.ts';
import { isOfMarks, type Metric } from './metric.ts';
import { isOverAll } from './pair-units.ts';
import type { Measure, MedianLatency } from './summaries.ts';

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
    const { variant, baseline, effect, value } = comparison;
    // A timed-out call differs by more than any floor.
    if (value === null || comparison.censoredBlocks > 0 || !isOverAll(comparison)) return comparison;
    const [one, other] = [measureOf(variant, comparison), measureOf(baseline, comparison)];
    if (one === undefined || other === undefined || other.value === null || !overlap(one, other)) return comparison;
    const isBelow = Math.abs(effect === 'ratio' ? (value - 1) * other.value : value) < floorMs;
    return isBelow ? { ...comparison, notes: [...comparison.notes, { code: 'below_noise_floor' }] } : comparison;
  });
}

/** False if an interval is unknown. An open end is at time-outs. */
function overlap(a: Measure, b: Measure): boolean {
  if (a.ciLow === null || b.ciLow === null) return false;
  return a.ciLow <= (b.ciHigh ?? Infinity) && b.ciLow <= (a.ciHigh ?? Infinity);
}
