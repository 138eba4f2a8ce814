import { binomialPmf, binomialUpperTail } from '../distributions/binomial.ts';
import { firstWhere } from '../samples/first-where.ts';
import { type PairedEvents, tangoScore } from './tango.ts';

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
export function exactScoreTail(events: PairedEvents, rise: number): number {
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
