import type { TrendSeries } from '../../compare/history/trend.ts';

/** A scale spans at least this ratio of values, or so many percentage points of a rate: little noise looks flat. */
const LEAST_RATIO = 1.2;
const LEAST_RISE = 0.05;

export interface SeriesScale {
  readonly low: number;
  readonly high: number;
  /** From 0 at the low end to 1 at the high one; equal distances are equal ratios. */
  readonly place: (value: number) => number;
}

export function seriesScale({ points, scale }: Pick<TrendSeries, 'points' | 'scale'>): SeriesScale {
  const values = points.map(({ value }) => value);
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const most = values.reduce((largest, value) => Math.max(largest, value), Number.NEGATIVE_INFINITY);
  if (scale === 'rate') {
    const high = Math.max(most, Math.min(1, low + LEAST_RISE), low + Number.EPSILON);
    return { low, high, place: (value) => (value - low) / (high - low) };
  }
  const high = Math.max(most, low * LEAST_RATIO);
  const span = Math.log(high / low);
  return { low, high, place: (value) => Math.log(value / low) / span };
}
