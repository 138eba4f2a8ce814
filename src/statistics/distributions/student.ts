import { inverseRegularisedBeta, regularisedBeta } from './beta.ts';

/**
 * The square of Student's two-sided critical value: t^2 with P(|T| <= t) = level at `degrees` of freedom, from P(|T| >
 * t) = I_x(degrees / 2, 1 / 2), x = degrees / (degrees + t^2) (DLMF 8.17, Abramowitz and Stegun 26.5.27).
 */
export function studentCriticalSquared(degrees: number, level: number): number {
  // Computed as 1 - x, so that a large number of degrees costs no digits.
  const rest = inverseRegularisedBeta(level, 0.5, degrees / 2);
  return (degrees * rest) / (1 - rest);
}

/** The t with P(T <= t) = level at `degrees` of freedom, 0 < level < 1. */
export function studentQuantile(level: number, degrees: number): number {
  if (!(level > 0 && level < 1)) throw new RangeError(`no quantile of Student's t at ${level}`);
  if (level === 0.5) return 0;
  const size = Math.sqrt(studentCriticalSquared(degrees, Math.abs(2 * level - 1)));
  return level > 0.5 ? size : 0 - size;
}

/** P(T > t) at `degrees` of freedom, by the same formula. */
export function studentUpperTail(t: number, degrees: number): number {
  const beyond = regularisedBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
  return t < 0 ? 1 - beyond : beyond;
}
