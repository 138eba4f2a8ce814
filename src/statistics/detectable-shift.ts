import { normalCriticalValue } from './distributions.ts';
import { firstWhere } from './first-where.ts';
import { createRandom, type Random } from './random.ts';
import { exactRankSum, MOST_EXACT, normalTails, smallestSignedRankP, walshAverages } from './signed-rank.ts';

/** The share of runs that find what is called detectable. */
export const POWER = 0.8;

/** Simulated samples; the result is good to about 1 %. */
const SAMPLES = 4_000;

/** Noether's formula is within 5 % below this probability. */
const WHILE_NEAR = 0.7;

/** Fixed, so that a plan is the same each time. */
const SEED = 20261122;

/**
 * The smallest shift that a one-sided signed rank test at `alpha` of n normal differences finds with probability
 * `power`, in standard deviations of a difference. Null if n differences cannot reach `alpha`.
 *
 * The test rejects exactly where the one-sided lower bound, a Walsh average of a rank that depends on n and alpha, is
 * above 0. So a sample needs a shift of minus that average, and the result is the quantile of this shift. Up to 50
 * differences it is simulated, because no formula is close where alpha lets few outcomes reject. Beyond, by Noether
 * (Journal of the American Statistical Association 82, 1987, 645-647), close for small shifts: the shift at which the
 * mean of two differences is above 0 with probability 1/2 + (z(alpha) + z(1 - power)) / sqrt(3 n), while that is below
 * 0.7.
 */
export function detectableShift(n: number, alpha: number, power: number): number | null {
  if (!(power > 0 && power < 1)) throw new RangeError(`a power lies between 0 and 1, not ${power}`);
  if (smallestSignedRankP(n) > alpha) return null;
  const key = `${n} ${alpha} ${power}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  const shift = computedShift(n, alpha, power);
  found.set(key, shift);
  return shift;
}

/** Simulating takes up to 0.3 s, and most variants of a gate have the same number of units. */
const found = new Map<string, number | null>();

function computedShift(n: number, alpha: number, power: number): number | null {
  const above = 0.5 + (normalCriticalValue(alpha) + normalCriticalValue(1 - power)) / Math.sqrt(3 * n);
  return n > MOST_EXACT && above < WHILE_NEAR
    ? normalCriticalValue(1 - above) / Math.SQRT2
    : simulatedShift(n, alpha, power);
}

function simulatedShift(n: number, alpha: number, power: number): number | null {
  const rank = boundRank(n, alpha);
  const random = createRandom(SEED);
  const needed = Float64Array.from(
    { length: SAMPLES },
    () => 0 - walshAverages(normals(n, random)).atRank(rank),
  ).sort();
  return needed[Math.ceil(power * SAMPLES) - 1] ?? null;
}

/** The rank of the lower bound among the Walsh averages: the first with P(rank sum <= it) above alpha. */
function boundRank(n: number, alpha: number): number {
  const doubled = Array.from({ length: n }, (_, at) => 2 * (at + 1));
  const exact = n <= MOST_EXACT ? exactRankSum(doubled) : null;
  const tails = (doubledSum: number) => exact?.(doubledSum) ?? normalTails(n, doubledSum / 2, 0);
  return firstWhere(1, (n * (n + 1)) / 2, (rank) => tails(2 * rank).atMost > alpha);
}

/** Standard normal numbers, by the polar method (Marsaglia and Bray, SIAM Review 6, 1964, 260-264). */
function normals(n: number, random: Random): number[] {
  const drawn: number[] = [];
  while (drawn.length < n) {
    const [u, v] = [2 * random.uniform() - 1, 2 * random.uniform() - 1];
    const s = u * u + v * v;
    if (s >= 1 || s === 0) continue;
    const factor = Math.sqrt((-2 * Math.log(s)) / s);
    drawn.push(u * factor, v * factor);
  }
  return drawn.slice(0, n);
}
