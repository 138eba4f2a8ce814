import { studentQuantile } from '../statistics/distributions.ts';
import { predictionMargin } from '../statistics/prediction-margin.ts';
import { FEWEST_RUNS, MOST_RUNS } from './earlier-runs.ts';

/*
 * How much runs of an unchanged service vary by: what a rule against earlier runs, the history and `compare` hold a
 * change against. Between runs the state of service and machine differs, which no interval within a run shows.
 */

/** One-sided probability of the next run's range. */
export const NEXT_RUN_LEVEL = 0.99;

/** The base of a later run: the last 30 of the runs before `end` that count. */
export function baseOf<Run>(runs: readonly Run[], end: number, counts: (run: Run) => boolean): readonly Run[] {
  const base: Run[] = [];
  for (let at = end - 1; at >= 0 && base.length < MOST_RUNS; at -= 1) {
    const run = runs[at];
    if (run !== undefined && counts(run)) base.push(run);
  }
  return base.reverse();
}

/** Of one number of each run of a base, such as its mean ln latency. */
export interface RunSpread {
  readonly runs: number;
  readonly mean: number;
  readonly deviation: number;
  /** How far above that mean the mean of the next runs is at most, with a probability of `level`. */
  readonly margin: (level: number, next?: number) => number;
}

/** Null below 8 runs. */
export function spreadOf(numbers: readonly number[]): RunSpread | null {
  const one = predictionMargin(numbers, NEXT_RUN_LEVEL);
  if (numbers.length < FEWEST_RUNS || one === null) return null;
  return {
    runs: numbers.length,
    mean: one.mean,
    deviation: one.deviation,
    margin: (level, next) => predictionMargin(numbers, level, next)?.margin ?? 0,
  };
}

/**
 * How far two runs differ at most, one-sided, with a probability of `level`: t(level, m - 1) sqrt(s1^2 + s2^2), s the
 * deviation of the base of each. Of bases of their own m is the smaller number, never too narrow (Mickey and Brown, Ann.
 * Math. Statist. 37, 1966, 639-643); runs of one base share it: t s sqrt(2).
 */
export function differenceMargin(bases: readonly [RunSpread, RunSpread], level: number): number {
  const fewest = Math.min(...bases.map(({ runs }) => runs));
  return studentQuantile(level, fewest - 1) * Math.hypot(...bases.map(({ deviation }) => deviation));
}
