import { normalUpperTail } from '../distributions/normal.ts';
import { createRandom } from '../distributions/random.ts';
import { midRanks } from '../samples/mid-ranks.ts';

/** Permutations of the test; 9 of them at or above what was seen is p = 1 %. */
const PERMUTATIONS = 999;
/** From here on the permutation distribution is normal for every purpose (Wald and Wolfowitz 1943). */
const MOST_PERMUTED = 1000;

/**
 * The lag-1 autocorrelation of the ranks of values in the order they came (ties have the mean of their ranks): -1 to 1, about 0
 * where values are independent. Ranks, so that one long call does not make it. Null for fewer than 3 values and where all
 * are equal. `Infinity` is a value like others. Throws on NaN.
 */
export function rankAutocorrelation(values: readonly number[]): number | null {
  return values.length < 3 ? null : autocorrelation(centredRanks(values));
}

/**
 * Whether values depend on those just before, by a one-sided permutation test of `rankAutocorrelation` at 1 %, seeded, so that
 * the same values give the same answer; above 1,000 values by the normal limit of the permutation distribution.
 */
export function isSeriallyDependent(values: readonly number[]): boolean {
  const seen = rankAutocorrelation(values);
  if (seen === null || seen <= 0) return false;
  const n = values.length;
  if (n > MOST_PERMUTED) return normalUpperTail((seen + 1 / n) * Math.sqrt(n)) <= 0.01;
  const random = createRandom(1);
  const ranks = centredRanks(values);
  let asLarge = 0;
  // One more than 9 decides: the rest need not be drawn.
  for (let round = 0; round < PERMUTATIONS && asLarge < 10; round += 1) {
    if ((autocorrelation(random.shuffle(ranks)) ?? 0) >= seen) asLarge += 1;
  }
  return (1 + asLarge) / (1 + PERMUTATIONS) <= 0.01;
}

/** How many independent values so many are worth: n (1 - r) / (1 + r) for r above 0, as for an AR(1) series; else n. */
export function effectiveSize(n: number, r: number): number {
  return r > 0 ? (n * (1 - r)) / (1 + r) : n;
}

function autocorrelation(centred: readonly number[]): number | null {
  let products = 0;
  let squares = 0;
  let before = 0;
  for (const rank of centred) {
    products += before * rank;
    squares += rank * rank;
    before = rank;
  }
  return squares === 0 ? null : products / squares;
}

/** Mid-ranks less their mean. */
function centredRanks(values: readonly number[]): readonly number[] {
  return midRanks(values).doubled.map((rank) => rank / 2 - (values.length + 1) / 2);
}
