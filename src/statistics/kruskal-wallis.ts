import { midRanks } from './mid-ranks.ts';
import { createRandom } from './random.ts';

export type KruskalWallis =
  | {
      readonly code: 'tested';
      /** Kruskal and Wallis' H, corrected for ties. */
      readonly statistic: number;
      readonly p: number;
      readonly method: 'exact' | 'permutation';
    }
  | {
      readonly code: 'not_testable';
      readonly because: 'too_few_groups' | 'group_of_one' | 'out_of_reach';
      /** The smallest p that the groups can give, if that is the reason; else null. */
      readonly smallestP: number | null;
    };

/** Up to so many ways to deal the values to the groups, all are tried; else `PERMUTATIONS` are drawn. */
const MOST_TRIED = 20_000;

const PERMUTATIONS = 9_999;

/** Statistics that differ by less are equal. */
const ROUNDING = 1e-12;

/**
 * Whether groups differ in level by more than the values within them (Kruskal and Wallis, Journal of the American
 * Statistical Association 47, 1952, 583-621), by permutation: p is the share of ways to deal the values to groups of
 * these sizes whose H is at least the observed one. All ways up to 20,000; else 9,999 drawn from a fixed seed, and the
 * observed one. Conditional on ties; infinite values have ranks too. Throws on NaN.
 *
 * Not testable: fewer than two groups, a group of one value, or no deal with a p of at most `alpha`.
 */
export function kruskalWallis(groups: readonly (readonly number[])[], alpha: number): KruskalWallis {
  const sizes = groups.map((group) => group.length).filter((size) => size > 0);
  if (sizes.length < 2) return { code: 'not_testable', because: 'too_few_groups', smallestP: null };
  if (sizes.includes(1)) return { code: 'not_testable', because: 'group_of_one', smallestP: null };
  const { doubled, ties } = midRanks(groups.flat());
  const ranks = Float64Array.from(doubled);
  const observed = squares(ranks, sizes);
  const all = waysToDeal(sizes) <= MOST_TRIED;
  const dealt = all ? triedDeals(ranks, sizes) : [observed, ...drawnDeals(ranks, sizes)];
  const shareFrom = (least: number) => dealt.filter((each) => each >= least * (1 - ROUNDING)).length / dealt.length;
  const smallestP = shareFrom(dealt.reduce((most, each) => Math.max(most, each), 0));
  if (smallestP > alpha) return { code: 'not_testable', because: 'out_of_reach', smallestP };
  const n = ranks.length;
  const tied = ties.reduce((total, alike) => total + (alike * alike * alike - alike), 0) / (n * n * n - n);
  return {
    code: 'tested',
    statistic: ((3 / (n * (n + 1))) * observed - 3 * (n + 1)) / (1 - tied),
    p: shareFrom(observed),
    method: all ? 'exact' : 'permutation',
  };
}

/** The sum of R^2 / n over consecutive groups, R the sum of doubled ranks: H rises with it. */
function squares(ranks: Float64Array, sizes: readonly number[]): number {
  let total = 0;
  let from = 0;
  for (const size of sizes) {
    let rankSum = 0;
    for (let at = from; at < from + size; at += 1) rankSum += ranks[at] ?? 0;
    total += (rankSum * rankSum) / size;
    from += size;
  }
  return total;
}

/** The multinomial coefficient of the sizes; `Infinity` if too large for a double. */
function waysToDeal(sizes: readonly number[]): number {
  let ways = 1;
  let dealt = 0;
  for (const size of sizes) {
    for (let k = 1; k <= size; k += 1) {
      dealt += 1;
      ways = (ways * dealt) / k;
    }
  }
  return ways;
}

function triedDeals(ranks: Float64Array, sizes: readonly number[]): readonly number[] {
  const found: number[] = [];
  const left = [...sizes];
  const sums = sizes.map(() => 0);
  const deal = (at: number): void => {
    if (at === ranks.length) {
      found.push(sums.reduce((total, rankSum, group) => total + (rankSum * rankSum) / (sizes[group] ?? 1), 0));
      return;
    }
    const rank = ranks[at] ?? 0;
    for (const [group, places] of left.entries()) {
      if (places === 0) continue;
      left[group] = places - 1;
      sums[group] = (sums[group] ?? 0) + rank;
      deal(at + 1);
      sums[group] = (sums[group] ?? 0) - rank;
      left[group] = places;
    }
  };
  deal(0);
  return found;
}

function drawnDeals(ranks: Float64Array, sizes: readonly number[]): readonly number[] {
  const random = createRandom(1);
  const shuffled = Float64Array.from(ranks);
  return Array.from({ length: PERMUTATIONS }, () => {
    random.shuffleInPlace(shuffled);
    return squares(shuffled, sizes);
  });
}
