import { studentCriticalSquared } from './distributions.ts';
import { sum } from './mean.ts';

export interface RatioPart {
  readonly numerator: number;
  readonly denominator: number;
}

export interface JackknifeInterval {
  readonly low: number;
  readonly high: number;
}

/** With fewer units the t interval of a jackknife does not keep its level. */
export const FEWEST_UNITS = 6;

/**
 * The interval of a ratio of sums over independent units, leaving out one unit at a time (Tukey's jackknife with
 * Student's t at k - 1 degrees of freedom; Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 11).
 * Its lower end is at least 0. Null below 6 units, and if a denominator without one unit is 0.
 * @param effective how many independent units these are worth, at most their number
 */
export function jackknifeRatio(
  parts: readonly RatioPart[],
  level: number,
  effective: number = parts.length,
): JackknifeInterval | null {
  const worth = Math.min(parts.length, effective);
  if (worth < FEWEST_UNITS) return null;
  const numerator = sum(parts.map((part) => part.numerator));
  const denominator = sum(parts.map((part) => part.denominator));
  const without = parts.map((part) => (numerator - part.numerator) / (denominator - part.denominator));
  if (!(denominator > 0) || !without.every(Number.isFinite)) return null;
  const centre = sum(without) / without.length;
  const squares = sum(without.map((value) => (value - centre) * (value - centre)));
  const variance = ((parts.length - 1) / parts.length) * squares * (parts.length / worth);
  const half = Math.sqrt(studentCriticalSquared(worth - 1, level) * variance);
  const ratio = numerator / denominator;
  return { low: Math.max(0, ratio - half), high: ratio + half };
}
