declare const sorted: unique symbol;

/**
 * Ascending numbers, made only by `sortSample`. `Infinity`: a value known only to be above all others (a trial that
 * timed out); a statistic at such a value is `Infinity` too.
 */
export type SortedSample = readonly number[] & { readonly [sorted]: true };

/** Any unit. Throws on NaN and on `-Infinity`, which no measurement gives. */
export function sortSample(values: Iterable<number>): SortedSample {
  const ordered = Float64Array.from(values).sort();
  // NaN sorts last and -Infinity first.
  if (Number.isNaN(ordered.at(-1)) || ordered[0] === -Infinity) {
    throw new RangeError('a sample holds numbers above -Infinity, not NaN');
  }
  return Array.from(ordered) as readonly number[] as SortedSample;
}

/** Ranks count from 1. Throws if the sample has no such rank. */
export function atRank(sample: SortedSample, rank: number): number {
  const value = sample[rank - 1];
  if (value === undefined) throw new RangeError(`no rank ${rank} among ${sample.length}`);
  return value;
}

/** A whole percentage, 1 to 99, so that positions and minimum sizes are exact. */
export type Percent = number;

/** Between order statistics: at `rank` (from 1) plus `fraction` (0 to below 1) of the way to the next. */
export interface QuantilePosition {
  readonly rank: number;
  readonly fraction: number;
}

/**
 * The fewest values for which a quantile is not the maximum. The type 8 position h = (n + 1/3) p + 1/3 is below n
 * exactly when n > (1 + p) / (3 (1 - p)): 7 for p90, 14 for p95, 67 for p99. The median needs one value.
 */
export function fewestForQuantile(percent: Percent): number {
  checkPercent(percent);
  return percent <= 50 ? 1 : Math.floor((100 + percent) / (3 * (100 - percent))) + 1;
}

/**
 * Hyndman and Fan's type 8 (The American Statistician 50, 1996, 361-365), median-unbiased for any distribution: h = (n
 * + 1/3) p + 1/3, kept within 1 and n. At 50 percent the sample median. Throws when `n` is below 1.
 */
export function quantilePosition(n: number, percent: Percent): QuantilePosition {
  checkPercent(percent);
  if (!Number.isSafeInteger(n) || n < 1) throw new RangeError(`a quantile needs at least one value, not ${n}`);
  // In three-hundredths everything is a whole number, so a position on a rank is exact.
  const position = (3 * n + 1) * percent + 100;
  if (position <= 300) return { rank: 1, fraction: 0 };
  if (position >= 300 * n) return { rank: n, fraction: 0 };
  const rank = Math.floor(position / 300);
  return { rank, fraction: (position - 300 * rank) / 300 };
}

/** Type 8, in the unit of the values. Null below `fewestForQuantile`; `Infinity` if a value that it needs is. */
export function quantile(sample: SortedSample, percent: Percent): number | null {
  if (sample.length < fewestForQuantile(percent)) return null;
  const { rank, fraction } = quantilePosition(sample.length, percent);
  const lower = atRank(sample, rank);
  if (fraction === 0) return lower;
  const upper = atRank(sample, rank + 1);
  return upper === Infinity ? Infinity : lower + fraction * (upper - lower);
}

/** In the unit of the values; null without values. */
export function median(sample: SortedSample): number | null {
  return quantile(sample, 50);
}

function checkPercent(percent: Percent): void {
  if (!Number.isInteger(percent) || percent < 1 || percent > 99) {
    throw new RangeError(`a quantile is a whole percentage from 1 to 99, not ${percent}`);
  }
}

/**
 * The median of values that may be infinite either way, such as the logarithm of a ratio with a timeout. Null without
 * values, and between `-Infinity` and `Infinity`. Throws on NaN.
 */
export function extendedMedian(values: readonly number[]): number | null {
  if (values.some(Number.isNaN)) throw new RangeError('a value is NaN');
  const sorted = Float64Array.from(values).sort();
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return lower === undefined || upper === undefined ? null : middleOf(lower, upper);
}

/** Null from `-Infinity` to `Infinity`; infinite if one of them is. */
export function middleOf(lower: number, upper: number): number | null {
  if (lower === upper) return lower + 0; // Turns -0 into 0.
  if (lower === -Infinity) return upper === Infinity ? null : -Infinity;
  // Halves first: the difference may be too large for a double.
  return upper === Infinity ? Infinity : lower / 2 + upper / 2;
}
