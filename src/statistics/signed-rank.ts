import { normalUpperTail } from './normal.ts';

/** What is held against "as often one way as the other": more above 0, more below, or either. */
export type Alternative = 'greater' | 'less' | 'two-sided';

export interface SignedRank {
  /** Differences that are not 0. */
  readonly n: number;
  /** The sum of the ranks of those above 0. */
  readonly rankSum: number;
  readonly p: number;
  readonly method: 'exact' | 'normal';
}

/** Up to so many differences the distribution is counted out. */
const MOST_EXACT = 50;

/**
 * Wilcoxon's signed rank test of paired differences (Biometrics Bulletin 1, 1945, 80-83): zeros dropped, ties given the mean of
 * their ranks. Up to 50 differences p is exact, conditional on the ties: all 2^n signs of the ranks found are equally likely.
 * Beyond, the normal approximation with continuity correction and a variance corrected for ties. Of no difference p is 1.
 * Throws on NaN.
 */
export function signedRank(differences: readonly number[], alternative: Alternative): SignedRank {
  if (differences.some((difference) => Number.isNaN(difference))) throw new RangeError('a difference is NaN');
  const nonZero = differences.filter((difference) => difference !== 0);
  const n = nonZero.length;
  const { doubled, ties } = doubledRanks(nonZero.map(Math.abs));
  const doubledSum = nonZero.reduce((total, difference, at) => total + (difference > 0 ? (doubled[at] ?? 0) : 0), 0);
  const method = n <= MOST_EXACT ? 'exact' : 'normal';
  const [atLeast, atMost] = method === 'exact' ? exactTails(doubled, doubledSum) : normalTails(n, doubledSum / 2, ties);
  const p =
    alternative === 'greater' ? atLeast : alternative === 'less' ? atMost : Math.min(1, 2 * Math.min(atLeast, atMost));
  return { n, rankSum: doubledSum / 2, p, method };
}

/** Twice the mid-rank of each size, so that all are whole; and how many sizes are alike, for each group of several. */
function doubledRanks(sizes: readonly number[]): {
  readonly doubled: readonly number[];
  readonly ties: readonly number[];
} {
  const order = [...sizes.keys()].sort((a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0));
  const doubled = new Array<number>(sizes.length).fill(0);
  const ties: number[] = [];
  for (let from = 0; from < order.length; ) {
    const size = sizes[order[from] ?? 0];
    let to = from + 1;
    while (to < order.length && sizes[order[to] ?? 0] === size) to += 1;
    // The ranks from + 1 to `to` have the mean (from + 1 + to) / 2.
    for (const at of order.slice(from, to)) doubled[at] = from + 1 + to;
    if (to - from > 1) ties.push(to - from);
    from = to;
  }
  return { doubled, ties };
}

/** P(sum >= observed) and P(sum <= observed), by counting the subsets of the ranks with each sum. */
function exactTails(doubled: readonly number[], observed: number): readonly [atLeast: number, atMost: number] {
  const most = doubled.reduce((total, rank) => total + rank, 0);
  // At most 2^50 subsets: a double counts them exactly.
  const subsets = new Float64Array(most + 1);
  subsets[0] = 1;
  let reached = 0;
  for (const rank of doubled) {
    for (let sum = reached; sum >= 0; sum -= 1) subsets[sum + rank] = (subsets[sum + rank] ?? 0) + (subsets[sum] ?? 0);
    reached += rank;
  }
  let atLeast = 0;
  let atMost = 0;
  let all = 0;
  for (const [sum, count] of subsets.entries()) {
    all += count;
    if (sum >= observed) atLeast += count;
    if (sum <= observed) atMost += count;
  }
  return [atLeast / all, atMost / all];
}

/** Each tail begins half a rank nearer to the middle than the observed sum. */
function normalTails(n: number, rankSum: number, ties: readonly number[]): readonly [atLeast: number, atMost: number] {
  const tied = ties.reduce((total, alike) => total + (alike * alike * alike - alike), 0);
  const spread = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24 - tied / 48);
  const centred = rankSum - (n * (n + 1)) / 4;
  return [normalUpperTail((centred - 0.5) / spread), normalUpperTail((-centred - 0.5) / spread)];
}
