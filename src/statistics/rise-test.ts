import {
  binomialPmf,
  binomialUpperTail,
  normalCriticalValue,
  normalUpperTail,
  studentUpperTail,
} from './distributions.ts';
import { firstWhere } from './first-where.ts';
import { sum } from './mean.ts';
import { type PairTest, twoSidedP } from './pair-test.ts';

/** Pairs of a candidate's and a baseline's trial; in `candidateOnly` of them only the candidate had the event. */
export interface PairedEvents {
  readonly pairs: number;
  readonly candidateOnly: number;
  readonly baselineOnly: number;
}

/** The score of pairs against a rise, and the most likely probabilities if that rise is true. */
interface TangoScore {
  readonly z: number;
  /** Probabilities of a pair with the event on one side only; they differ by the rise. */
  readonly candidateOnly: number;
  readonly baselineOnly: number;
}

/**
 * Tango's score of a difference of paired rates (Statistics in Medicine 17, 1998, 891-908):
 *
 * z = (b - c - n d) / sqrt(n (2 q + d (1 - d)))
 *
 * with n pairs, b of them with the event of the candidate only, c of the baseline only, d the rise, and q the maximum
 * likelihood estimate of the probability of c under it: q = (sqrt(B^2 - 4 A C) - B) / (2 A), A = 2 n, B = (2 n - b + c)
 * d - b - c, C = -c d (1 - d). At a rise of 0 this is McNemar's z without continuity correction; if no pair differs it
 * is 0.
 * @param rise as a share, -1 < rise < 1
 */
export function tangoScore(events: PairedEvents, rise: number): TangoScore {
  check(events);
  if (!(rise > -1 && rise < 1)) throw new RangeError(`a rise lies between -1 and 1, not ${rise}`);
  return scoreOf(events, rise);
}

function scoreOf(events: PairedEvents, rise: number): TangoScore {
  if (rise < 0) {
    // Exchanging the sides only changes the sign of z, and avoids cancellation for a rise above 0.
    const { z, candidateOnly, baselineOnly } = scoreOf(mirrored(events), -rise);
    return { z: 0 - z, candidateOnly: baselineOnly, baselineOnly: candidateOnly };
  }
  const { pairs: n, candidateOnly: b, baselineOnly: c } = events;
  const halfB = ((2 * n - b + c) * rise - b - c) / 2;
  const minusC = c * rise * (1 - rise);
  const root = Math.sqrt(halfB * halfB + 2 * n * minusC);
  const q = halfB > 0 ? minusC / (root + halfB) : (root - halfB) / (2 * n);
  const variance = n * (2 * q + rise * (1 - rise));
  const z = variance === 0 ? 0 : (b - c - n * rise) / Math.sqrt(variance);
  return { z, candidateOnly: q + rise, baselineOnly: q };
}

function mirrored({ pairs, candidateOnly, baselineOnly }: PairedEvents): PairedEvents {
  return { pairs, candidateOnly: baselineOnly, baselineOnly: candidateOnly };
}

function riseOf({ pairs, candidateOnly, baselineOnly }: PairedEvents): number {
  return (candidateOnly - baselineOnly) / pairs;
}

function check({ pairs, candidateOnly, baselineOnly }: PairedEvents): void {
  const counts = [pairs, candidateOnly, baselineOnly];
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0) || candidateOnly + baselineOnly > pairs) {
    throw new RangeError(`no ${candidateOnly} and ${baselineOnly} among ${pairs} pairs`);
  }
  if (pairs === 0) throw new RangeError('no pairs');
}

/**
 * The one-sided p of McNemar's exact test (Psychometrika 12, 1947, 153-157) on pairs that disagree, against more risen
 * than fallen: both are equally likely under the null.
 */
export function exactMcNemar(risen: number, fallen: number): number {
  return binomialUpperTail(risen, risen + fallen, 0.5);
}

/** Scores that differ by less are equal. */
const TIE = 1e-9;

/**
 * The exact tail of Tango's score: the probability of all outcomes of n pairs whose score is at least that of `events`,
 * if the rise is true and its nuisance parameter has its most likely value (the E p value: C. J. Lloyd, Australian &
 * New Zealand Journal of Statistics 50, 2008, 329-345).
 *
 * An outcome is m pairs with the event on one side only, b of them the candidate's: m is binomial, and so is b of m.
 * The score grows with b, and the least b that reaches a score does not fall as m grows, so one walk over m finds it.
 * @param rise as a share, -1 < rise < 1
 */
function exactScoreTail(events: PairedEvents, rise: number): number {
  const { z, candidateOnly, baselineOnly } = tangoScore(events, rise);
  const least = z - TIE * Math.max(1, Math.abs(z));
  const { pairs } = events;
  const oneSided = Math.min(1, candidateOnly + baselineOnly);
  const share = oneSided === 0 ? 0 : Math.min(1, candidateOnly / oneSided);
  const { from, to } = likelyCounts(pairs, oneSided);
  const reaches = (b: number, m: number) =>
    tangoScore({ pairs, candidateOnly: b, baselineOnly: m - b }, rise).z >= least;
  let b = firstWhere(0, from, (count) => reaches(count, from));
  let total = 0;
  for (let m = from; m <= to; m += 1) {
    while (b <= m && !reaches(b, m)) b += 1;
    if (b <= m) total += binomialPmf(m, pairs, oneSided) * binomialUpperTail(b, m, share);
  }
  return Math.min(1, total);
}

/** Counts within nine standard deviations: all others together have a probability below 1e-15. */
function likelyCounts(n: number, probability: number): { readonly from: number; readonly to: number } {
  const mean = n * probability;
  const reach = 9 * Math.sqrt(mean * (1 - probability)) + 40;
  return { from: Math.max(0, Math.floor(mean - reach)), to: Math.min(n, Math.ceil(mean + reach)) };
}

export interface PairCluster {
  readonly pairs: number;
  readonly difference: number;
}

/**
 * Up to so many pairs the tail of the score is exact. Beyond, the normal one rejects a true rise by 2, 5 or 10 points
 * in at most 5.4 % of samples where 5 % are allowed (enumerated; baseline rates of 0 to 30 %); with 300 pairs in up to
 * 8.2 %.
 */
const MOST_EXACT = 1_000;

/** The rise of a rate over independent pairs, as a share. */
export function pairedRiseTest(events: PairedEvents): PairTest {
  const n = events.pairs;
  return n <= MOST_EXACT
    ? testBy(events, { method: 'tango_exact', n, tail: exactScoreTail })
    : testBy(events, { method: 'tango', n, tail: normalScoreTail });
}

/** One cluster does not show how clusters differ. */
export const FEWEST_CLUSTERS = 2;

/**
 * For pairs in clusters that may be alike within: Tango's score on n / deff pairs, with the design effect (J. N. K. Rao
 * and A. J. Scott, Biometrics 48, 1992, 577-585)
 *
 * deff = max(1, k / (k - 1) * sum(r_i^2) / (n ((b + c) / n - D^2))), r_i = d_i - m_i D
 *
 * of k clusters with m_i pairs and d_i more events of the candidate than of the baseline, D = (b - c) / n. It is
 * compared with Student's t with the degrees of freedom of that variance (F. E. Satterthwaite, Biometrics Bulletin 2,
 * 1946, 110-114)
 *
 * 2 / (2 / (k - 1) + max(0, K - 3) / k)
 *
 * for the kurtosis K of r: k - 1 if clusters vary normally, fewer if only a few clusters have events. If no pair
 * differs, or all do one way, deff is 1. Fewer than `FEWEST_CLUSTERS` are too few.
 */
export function clusteredRiseTest(events: PairedEvents, clusters: readonly PairCluster[]): PairTest {
  const n = clusters.length;
  const { deff, degrees } = clusterSpread(events, clusters);
  const spread = Math.sqrt(deff);
  const tail: ScoreTail = (some, rise) => studentUpperTail(tangoScore(some, rise).z / spread, degrees);
  return testBy(events, { method: 'tango_clustered', n, tail: n < FEWEST_CLUSTERS ? null : tail });
}

/** The design effect, at least 1, and its degrees of freedom. */
function clusterSpread(
  { pairs, candidateOnly, baselineOnly }: PairedEvents,
  clusters: readonly PairCluster[],
): { readonly deff: number; readonly degrees: number } {
  const k = clusters.length;
  const difference = candidateOnly - baselineOnly;
  // All times n, to stay whole.
  const single = pairs * (candidateOnly + baselineOnly) - difference * difference;
  const squares = clusters.map((cluster) => square(pairs * cluster.difference - cluster.pairs * difference));
  const total = sum(squares);
  if (single === 0 || total === 0) return { deff: 1, degrees: k - 1 };
  const kurtosis = (k * sum(squares.map(square))) / square(total);
  return {
    deff: Math.max(1, ((k / (k - 1)) * total) / (pairs * single)),
    degrees: 2 / (2 / (k - 1) + Math.max(0, kurtosis - 3) / k),
  };
}

function square(x: number): number {
  return x * x;
}

/** p of a rise of at most this. */
type ScoreTail = (events: PairedEvents, rise: number) => number;

/** `tail`: null for too few units. */
function testBy(
  events: PairedEvents,
  { tail, ...test }: Pick<PairTest, 'method' | 'n'> & { readonly tail: ScoreTail | null },
): PairTest {
  if (tail === null || events.pairs === 0) {
    const none = () => null;
    const estimate = events.pairs === 0 ? null : riseOf(events);
    return { ...test, estimate, greater: none, less: none, lower: none, upper: none };
  }
  const exchanged = mirrored(events);
  const estimate = riseOf(events);
  return {
    ...test,
    estimate,
    // No rise is larger than 100 points.
    greater: (rise) => (rise >= 1 ? 1 : rise <= -1 ? Number(estimate <= rise) : tail(events, rise)),
    less: (rise) => (rise <= -1 ? 1 : rise >= 1 ? Number(estimate >= rise) : tail(exchanged, 0 - rise)),
    lower: (level) => 0 - lastKept(0 - estimate, (tried) => tail(events, 0 - tried) > 1 - level),
    upper: (level) => lastKept(estimate, (tried) => tail(exchanged, 0 - tried) > 1 - level),
  };
}

function normalScoreTail(events: PairedEvents, rise: number): number {
  return normalUpperTail(tangoScore(events, rise).z);
}

/** Halvings until an end is known to 1e-12. */
const HALVINGS = 40;

/** The largest rise above an estimate that is not rejected; at most 1. */
function lastKept(from: number, isKept: (rise: number) => boolean): number {
  let [low, high] = [from, 1];
  for (let round = 0; round < HALVINGS; round += 1) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (isKept(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The fewest further pairs after which a net is told apart from 0 (two-sided 5 %) with probability `power`, if the
 * shares of all answers stay as they are; null if more than `most`. With that probability the net of m further pairs is above m d - z(power)
 * sqrt(m (p - d^2)), nearly normal, p being the share of pairs that count for one side, and d the net of all.
 */
export function furtherPairs(
  { pairs, candidateOnly, baselineOnly }: PairedEvents,
  power: number,
  most: number,
): number | null {
  const [more, fewer] = [Math.max(candidateOnly, baselineOnly), Math.min(candidateOnly, baselineOnly)];
  const [either, net] = [(more + fewer) / pairs, (more - fewer) / pairs];
  const decides = (further: number) => {
    const least = further * net - normalCriticalValue(1 - power) * Math.sqrt(further * (either - net * net));
    const test = pairedRiseTest({
      pairs: pairs + further,
      candidateOnly: Math.floor(more + (further * either + least) / 2),
      baselineOnly: Math.floor(fewer + (further * either - least) / 2),
    });
    return (test.estimate ?? 0) > 0 && (twoSidedP(test) ?? 1) <= 0.05;
  };
  const fewest = net === 0 ? Infinity : firstWhere(1, most, decides);
  return fewest > most ? null : fewest;
}
