import { atRank, type SortedSample } from './sorted-sample.ts';

/** A quantile by its whole percentage, 1 to 99; whole, so that positions and minimum sizes are exact. */
export type Percent = number;

/** Where a quantile lies among order statistics: at `rank` (from 1) plus `fraction` of the way to the next, 0 to below 1. */
export interface QuantilePosition {
  readonly rank: number;
  readonly fraction: number;
}

/**
 * The fewest values for which a quantile says more than the maximum does. The type 8 position
 * h = (n + 1/3) p + 1/3 stays below n exactly when n > (1 + p) / (3 (1 - p)): 7 for p90, 14 for p95 (at 13
 * the position is 13), 67 for p99. The median is worth having from one value on.
 */
export function fewestForQuantile(percent: Percent): number {
  checkPercent(percent);
  return percent <= 50 ? 1 : Math.floor((100 + percent) / (3 * (100 - percent))) + 1;
}

/**
 * Position of a sample quantile by Hyndman and Fan's type 8 (The American Statistician 50, 1996, 361-365),
 * median-unbiased whatever the distribution: h = (n + 1/3) p + 1/3, held within 1 and n. For 50 percent it is
 * the sample median. Throws when `n` is below 1.
 */
export function quantilePosition(n: number, percent: Percent): QuantilePosition {
  checkPercent(percent);
  if (!Number.isSafeInteger(n) || n < 1) throw new RangeError(`a quantile needs at least one value, not ${n}`);
  // In three-hundredths everything is a whole number, so a position that is a rank is found to be one.
  const position = (3 * n + 1) * percent + 100;
  if (position <= 300) return { rank: 1, fraction: 0 };
  if (position >= 300 * n) return { rank: n, fraction: 0 };
  const rank = Math.floor(position / 300);
  return { rank, fraction: (position - 300 * rank) / 300 };
}

/**
 * Sample quantile of type 8, in the unit of the values. Null when there are fewer values than
 * `fewestForQuantile`; `Infinity` when it lands on, or between a number and, an infinite value.
 */
export function quantile(sample: SortedSample, percent: Percent): number | null {
  if (sample.length < fewestForQuantile(percent)) return null;
  const { rank, fraction } = quantilePosition(sample.length, percent);
  const lower = atRank(sample, rank);
  if (fraction === 0) return lower;
  const upper = atRank(sample, rank + 1);
  return upper === Infinity ? Infinity : lower + fraction * (upper - lower);
}

/** Sample median, in the unit of the values; null of none. */
export function median(sample: SortedSample): number | null {
  return quantile(sample, 50);
}

function checkPercent(percent: Percent): void {
  if (!Number.isInteger(percent) || percent < 1 || percent > 99) {
    throw new RangeError(`a quantile is a whole percentage from 1 to 99, not ${percent}`);
  }
}
