import { studentQuantile } from './distributions.ts';
import { standardDeviation, sum } from './mean.ts';

/** In the unit of the values. */
export interface PredictionMargin {
  readonly mean: number;
  readonly deviation: number;
  /** The mean of the next values exceeds that mean by more than this with probability 1 - level. */
  readonly margin: number;
}

/**
 * The highest distance, with probability `level`, one-sided, of the mean of the next k values of a normal law above the
 * mean of m values: t(level, m - 1) s sqrt(1/k + 1/m), s the standard deviation of the m values (Hahn and Meeker,
 * Statistical Intervals, 1991, chapter 4). Below the mean the same by symmetry. Null below 2 values.
 * @param next k; 1 by default
 */
export function predictionMargin(values: readonly number[], level: number, next = 1): PredictionMargin | null {
  const deviation = standardDeviation(values);
  if (deviation === null) return null;
  const m = values.length;
  return {
    mean: sum(values) / m,
    deviation,
    margin: studentQuantile(level, m - 1) * deviation * Math.sqrt(1 / next + 1 / m),
  };
}
