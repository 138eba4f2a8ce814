import { normalUpperTail } from './distributions.ts';
import { midRanks } from './mid-ranks.ts';
import { createRandom } from './random.ts';

/**
 * For every lag from 0 on, the sum of x(i) x(i + lag), x being the values less their mean. By the fast Fourier
 * transform of Cooley and Tukey (Mathematics of Computation 19, 1965, 297-301), padded with as many zeros: O(n log n).
 */
function autocovariances(values: ArrayLike<number>): Float64Array {
  const n = values.length;
  let sum = 0;
  for (let at = 0; at < n; at += 1) sum += values[at] ?? 0;
  const mean = sum / n;
  let size = 1;
  while (size < 2 * n) size *= 2;
  const real = Float64Array.from({ length: size }, (_, at) => (at < n ? (values[at] ?? 0) - mean : 0));
  const imaginary = new Float64Array(size);
  transform(real, imaginary);
  for (let at = 0; at < size; at += 1) {
    const [re, im] = [real[at] ?? 0, imaginary[at] ?? 0];
    real[at] = (re * re + im * im) / size;
    imaginary[at] = 0;
  }
  // The power of a real series is even, so the transform is its own inverse.
  transform(real, imaginary);
  return real.subarray(0, n);
}

/**
 * The discrete Fourier transform in place; the length is a power of 2. Roots of unity come from half angles and
 * products: sines may differ in the last bit between versions of Node.
 */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  reverseBits(real, imaginary);
  let [stepRe, stepIm] = [-1, 0];
  for (let half = 1; half < size; half *= 2) {
    let [rootRe, rootIm] = [1, 0];
    for (let place = 0; place < half; place += 1) {
      for (let at = place; at < size; at += 2 * half) {
        const [re, im] = [real[at + half] ?? 0, imaginary[at + half] ?? 0];
        const [turnedRe, turnedIm] = [re * rootRe - im * rootIm, re * rootIm + im * rootRe];
        const [ownRe, ownIm] = [real[at] ?? 0, imaginary[at] ?? 0];
        real[at + half] = ownRe - turnedRe;
        imaginary[at + half] = ownIm - turnedIm;
        real[at] = ownRe + turnedRe;
        imaginary[at] = ownIm + turnedIm;
      }
      [rootRe, rootIm] = [rootRe * stepRe - rootIm * stepIm, rootRe * stepIm + rootIm * stepRe];
    }
    const cosine = Math.sqrt((1 + stepRe) / 2);
    [stepRe, stepIm] = [cosine, half === 1 ? -1 : stepIm / (2 * cosine)];
  }
}

function reverseBits(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  let reversed = 0;
  for (let at = 1; at < size; at += 1) {
    let bit = size / 2;
    for (; reversed >= bit && bit > 0; bit /= 2) reversed -= bit;
    reversed += bit;
    if (at >= reversed) continue;
    for (const values of [real, imaginary]) {
      const kept = values[at] ?? 0;
      values[at] = values[reversed] ?? 0;
      values[reversed] = kept;
    }
  }
}

/** At least as large in 9 of them, and the observed one: p = 1 %. */
const PERMUTATIONS = 999;
/** From here on the permutation distribution is practically normal (Wald and Wolfowitz 1943). */
const MOST_PERMUTED = 1000;

/**
 * The lag-1 autocorrelation of the ranks of values in their order (ties have the mean of their ranks): -1 to 1, about 0
 * for independent values. Ranks, so that one long call does not decide it. Null below 3 values and if all are equal.
 * Accepts `Infinity`. Throws on NaN.
 */
export function rankAutocorrelation(values: readonly number[]): number | null {
  return values.length < 3 ? null : autocorrelation(centredRanks(values));
}

/**
 * Whether values depend on those just before, by a one-sided permutation test of `rankAutocorrelation` at 1 % with a
 * fixed seed; above 1,000 values by its normal limit.
 */
export function isSeriallyDependent(values: readonly number[]): boolean {
  const seen = rankAutocorrelation(values);
  if (seen === null || seen <= 0) return false;
  const n = values.length;
  if (n > MOST_PERMUTED) return normalUpperTail((seen + 1 / n) * Math.sqrt(n)) <= 0.01;
  const random = createRandom(1);
  const ranks = centredRanks(values);
  let asLarge = 0;
  // The tenth as large a value decides: the rest need not be drawn.
  for (let round = 0; round < PERMUTATIONS && asLarge < 10; round += 1) {
    if ((autocorrelation(random.shuffle(ranks)) ?? 0) >= seen) asLarge += 1;
  }
  return (1 + asLarge) / (1 + PERMUTATIONS) <= 0.01;
}

/**
 * How many values in a row count as one independent one, at least 1.
 *
 * tau = 1 + 2 max(0, t - 1 - 2 / sqrt(n))
 *
 * with t the larger of two integrated autocorrelation times by Geyer's initial monotone sequence (Statistical Science
 * 7, 1992, 473-483): that of the ranks, and that of being among the highest 20 %, because the longest calls of a queue
 * depend on each other for longer. Ties have the mean of their ranks. The excess is doubled, because a run as long as a
 * few busy periods shows too little of it; 2 / sqrt(n) is what half of all independent series reach by chance. `npm run
 * simulate -- dependence` shows the effect of both. Accepts `Infinity`. Throws on NaN.
 */
export function dependenceTime(values: readonly number[]): number {
  const n = values.length;
  if (n < 3) return 1;
  const ranks = midRanks(values).doubled;
  const highest = Float64Array.from(ranks).sort()[Math.ceil(0.8 * n) - 1] ?? 0;
  const time = Math.max(integratedTime(ranks), integratedTime(ranks.map((rank) => Number(rank > highest))));
  return 1 + 2 * Math.max(0, time - 1 - 2 / Math.sqrt(n));
}

/**
 * The integrated autocorrelation time of a series by Geyer's initial monotone sequence: -1 + 2 sum of r(2k) + r(2k +
 * 1), as long as these sums are above 0, each at most the one before. At least 1; 1 if all values are equal.
 */
export function integratedTime(values: readonly number[]): number {
  const products = autocovariances(values);
  const squares = products[0] ?? 0;
  if (squares === 0) return 1;
  let [total, before] = [0, Infinity];
  for (let lag = 0; lag + 1 < products.length; lag += 2) {
    const pair = Math.min(before, ((products[lag] ?? 0) + (products[lag + 1] ?? 0)) / squares);
    if (pair <= 0) break;
    total += pair;
    before = pair;
  }
  return Math.max(1, 2 * total - 1);
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
