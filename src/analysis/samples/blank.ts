import type { EffectiveSample } from '../analysis.ts';

/** The flag of a sample that brought an image with nothing on it. */
export const BLANK = 'blank';

/**
 * Whether a sample that is ok brought an image with nothing on it: what a safety filter hands out in place of one. It is
 * an answer, but no output to time or to compare.
 */
export function isBlank({ outcome, output }: Pick<EffectiveSample, 'outcome' | 'output'>): boolean {
  return outcome === 'ok' && output?.shown?.blank === true;
}
