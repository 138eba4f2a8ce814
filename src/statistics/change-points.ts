import { createRandom, type Random } from './random.ts';

export interface ChangePoint {
  readonly index: number;
  /** How far the values before and after differ: Q of the paper. */
  readonly statistic: number;
  readonly p: number;
}

export interface ChangePointOptions {
  /** Changes with a larger p, and those that would be found after them, are left out. */
  readonly alpha: number;
  /** The fewest values before and after a change, within its segment. */
  readonly fewest?: number;
  readonly permutations?: number;
  readonly seed?: number;
}

interface SeriesSegment extends Split {
  readonly from: number;
  readonly to: number;
}

/** At 0: none. */
interface Split {
  readonly index: number;
  readonly statistic: number;
}

/** Statistics that differ by less are equal. */
const ROUNDING = 1e-12;

/**
 * The change points of a series by E-divisive (Matteson and James, Journal of the American Statistical Association 109,
 * 2014, 334-345, sections 2.1 to 2.4) with alpha = 1: a segment is split where the energy distance between the values x
 * before and those y after, up to any end within the segment, is largest,
 *
 * Q = n m / (n + m) (2 mean |x - y| - mean |x - x'| - mean |y - y'|)
 *
 * with n and m values and means over all pairs; the mean within one value counts as 0. The best split of all segments
 * is tested by shuffling the values within each segment; p is the share of shufflings, the observed one included, whose
 * best split is as good. Ends at the first split that is not significant. Finds any change, not only of the mean. Each
 * search takes O(n^2) time and O(n) memory. In ascending order of index. Throws unless all values are finite.
 */
export function changePoints(values: readonly number[], options: ChangePointOptions): readonly ChangePoint[] {
  const { alpha, fewest = 2, permutations = 999, seed = 1 } = options;
  if (!values.every(Number.isFinite)) throw new RangeError('a series holds finite numbers');
  if (!(fewest >= 1)) throw new RangeError(`a segment holds at least one value, not ${fewest}`);
  const series = Float64Array.from(values);
  const random = createRandom(seed);
  const segmentOf = (from: number, to: number): SeriesSegment => ({ from, to, ...bestSplit(series, from, to, fewest) });
  let segments: readonly SeriesSegment[] = [segmentOf(0, series.length)];
  const found: ChangePoint[] = [];
  for (;;) {
    const best = segments.reduce((most, segment) => (segment.statistic > most.statistic ? segment : most));
    if (best.statistic <= 0) break;
    const p = permutationP({ series, segments, statistic: best.statistic, fewest, permutations, alpha, random });
    if (p > alpha) break;
    found.push({ index: best.index, statistic: best.statistic, p });
    segments = segments.flatMap((segment) =>
      segment === best ? [segmentOf(best.from, best.index), segmentOf(best.index, best.to)] : segment,
    );
  }
  return found.sort((a, b) => a.index - b.index);
}

/**
 * The split of the values from `from` up to `to` with the largest Q, over all ends of what comes after; the first of
 * equal ones. Sums of distances are carried from end to end: `after` holds those among the values from a split up to
 * the end.
 *
 * With these sums Q is 2 (all - (end - 1) (before / (n - 1) + after / (m - 1))) / end: for one end it is largest where
 * the inner bracket is smallest, so the search needs two multiplications per split. It runs hundreds of times for each
 * change.
 */
export function bestSplit(series: Float64Array, from: number, to: number, fewest: number): Split {
  const length = to - from;
  const after = new Float64Array(length);
  const among = new Float64Array(length + 1);
  // 1 / pairs of a value; none within one value, whose sum of distances is 0.
  const inverse = Float64Array.from({ length }, (_, at) => (at === 0 ? 0 : 1 / at));
  let [index, statistic] = [0, 0];
  for (let end = 2; end <= length; end += 1) {
    const last = series[from + end - 1] ?? 0;
    let distances = 0;
    for (let at = end - 2; at >= 0; at -= 1) {
      distances += Math.abs((series[from + at] ?? 0) - last);
      after[at] = (after[at] ?? 0) + distances;
    }
    const all = after[0] ?? 0;
    among[end] = all;
    let [split, within] = [0, Number.POSITIVE_INFINITY];
    for (let n = fewest; n <= end - fewest; n += 1) {
      const sum = (among[n] ?? 0) * (inverse[n - 1] ?? 0) + (after[n] ?? 0) * (inverse[end - n - 1] ?? 0);
      if (sum < within) [split, within] = [n, sum];
    }
    if (split === 0) continue;
    const q = (2 * (all - (end - 1) * within)) / end;
    if (q > statistic || (q === statistic && from + split < index)) [index, statistic] = [from + split, q];
  }
  return { index, statistic };
}

/** Exact up to alpha; above it, only larger than alpha. */
function permutationP(test: {
  readonly series: Float64Array;
  readonly segments: readonly SeriesSegment[];
  readonly statistic: number;
  readonly fewest: number;
  readonly permutations: number;
  readonly alpha: number;
  readonly random: Random;
}): number {
  const { segments, fewest, permutations, random } = test;
  const shuffled = Float64Array.from(test.series);
  const least = test.statistic * (1 - ROUNDING);
  let asGood = 1;
  for (let round = 0; round < permutations && asGood <= test.alpha * (permutations + 1); round += 1) {
    const reached = segments.some(({ from, to }) => {
      random.shuffleInPlace(shuffled, from, to);
      return bestSplit(shuffled, from, to, fewest).statistic >= least;
    });
    if (reached) asGood += 1;
  }
  return asGood / (permutations + 1);
}
