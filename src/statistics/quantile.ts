import { binomialBelow } from './distributions.ts';

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
interface QuantilePosition {
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

/** Two order statistics around a quantile. Ranks count from 1, both ends belong to it. */
interface RankInterval {
  readonly lowRank: number;
  readonly highRank: number;
  /** The probability of coverage for a continuous distribution; at least that for others. */
  readonly coverage: number;
}

interface QuantileInterval extends RankInterval {
  /** In the unit of the values; `Infinity` if the rank is censored. */
  readonly low: number;
  readonly high: number;
}

/**
 * The distribution-free interval of a quantile (David and Nagaraja, Order Statistics, 3rd ed., section 7.1): X(l) <=
 * quantile <= X(u) has probability P(l <= B <= u - 1) with B ~ Binomial(n, p).
 *
 * Of all pairs of ranks that cover at least `level`, the closest; of equally close ones, the lowest. The choice depends
 * on n and p only: choosing by the values would cover less than stated. "Lowest" and not "highest coverage", because
 * that could depend on the last bit of a sum. The total coverage counts, not that of each tail, so an interval exists
 * from 6 values on for p50, 29 for p90, 59 for p95, 299 for p99 at 95 %. Null if even the extremes do not cover
 * `level`.
 */
export function rankInterval(n: number, percent: Percent, level: number): RankInterval | null {
  if (n < 2) return null;
  const below = binomialBelow(n, percent / 100);
  let best: RankInterval | null = null;
  let high = 2;
  for (let low = 1; low < n; low += 1) {
    // As `low` rises the shortest sufficient `high` never falls, so the search continues from the last pair.
    high = Math.max(high, low + 1);
    while (high <= n && between(below, low, high) < level) high += 1;
    if (high > n) break;
    if (best === null || high - low < best.highRank - best.lowRank) {
      best = { lowRank: low, highRank: high, coverage: between(below, low, high) };
    }
  }
  return best;
}

/**
 * The ranks for n dependent values worth `effective` independent ones: those of `rankInterval` for that many, each
 * spread over n / effective ranks and rounded outwards. Not exact; test/statistics/coverage.test.ts simulates its
 * coverage.
 */
export function widenedRankInterval(
  n: number,
  effective: number,
  percent: Percent,
  level: number,
): RankInterval | null {
  const whole = wholeValues(effective);
  if (whole >= n) return rankInterval(n, percent, level);
  const ranks = rankInterval(whole, percent, level);
  if (ranks === null) return null;
  return {
    lowRank: Math.max(1, Math.floor(widenedRank(ranks.lowRank, n, whole))),
    highRank: Math.min(n, Math.ceil(widenedRank(ranks.highRank, n, whole))),
    coverage: ranks.coverage,
  };
}

/** Rounds down, except a quotient that misses a whole number by rounding. */
function wholeValues(effective: number): number {
  return Math.floor(effective * (1 + 1e-12));
}

/** The place of a rank of `worth` values among n; in whole numbers, because 8 may become 7.999. */
function widenedRank(rank: number, n: number, worth: number): number {
  return (n * (2 * rank - 1) + worth) / (2 * worth);
}

/** @param effective how many independent values these are worth; fewer widen the interval */
export function quantileInterval(
  sample: SortedSample,
  percent: Percent,
  level: number,
  effective: number = sample.length,
): QuantileInterval | null {
  const ranks = widenedRankInterval(sample.length, effective, percent, level);
  if (ranks === null) return null;
  return { ...ranks, low: atRank(sample, ranks.lowRank), high: atRank(sample, ranks.highRank) };
}

/**
 * One-sided bounds of a quantile, each at confidence `level`: X(l) and X(u) of the largest l with P(B >= l) >= level
 * and the smallest u with P(B <= u - 1) >= level, B ~ Binomial(n, p) (David and Nagaraja, Order Statistics, 3rd ed.,
 * section 7.1). `-Infinity` or `Infinity` if there is no such rank: p95 has an upper bound from 59 values on.
 * @param effective how many independent values these are worth; fewer move both bounds outwards
 */
export function quantileBounds(
  sample: SortedSample,
  percent: Percent,
  level: number,
  effective: number = sample.length,
): { readonly low: number; readonly high: number } {
  const n = sample.length;
  const worth = Math.min(n, wholeValues(effective));
  const below = binomialBelow(worth, percent / 100);
  let low = 0;
  while (low < worth && 1 - (below[low + 1] ?? 1) >= level) low += 1;
  let high = 1;
  while (high <= worth && (below[high] ?? 1) < level) high += 1;
  return {
    low: low === 0 ? -Infinity : atRank(sample, Math.max(1, Math.floor(widenedRank(low, n, worth)))),
    high: high > worth ? Infinity : atRank(sample, Math.min(n, Math.ceil(widenedRank(high, n, worth)))),
  };
}

/**
 * The fewest values with a `rankInterval`: the least n with 1 - p^n - (1 - p)^n >= level. For 95 %: 6 (p50), 29 (p90),
 * 59 (p95), 299 (p99).
 */
export function fewestForInterval(percent: Percent, level: number): number {
  const p = percent / 100;
  for (let n = 2; ; n += 1) {
    if (1 - Math.exp(n * Math.log(p)) - Math.exp(n * Math.log1p(-p)) >= level) return n;
  }
}

/** The fewest independent values with an upper bound of a quantile (`side` high), or a lower one, by `quantileBounds`. */
export function fewestForBound(percent: Percent, level: number, side: 'low' | 'high'): number {
  const p = side === 'high' ? percent / 100 : 1 - percent / 100;
  return Math.ceil(Math.log1p(-level) / Math.log(p));
}

function between(below: Float64Array, low: number, high: number): number {
  return (below[high] ?? 1) - (below[low] ?? 0);
}

/** Level of every printed interval. */
export const CONFIDENCE = 0.95;
