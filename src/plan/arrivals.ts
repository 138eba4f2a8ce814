import type { Random } from '../statistics/distributions/random.ts';
import type { OpenLoad, Stage } from '../suite/format/load.ts';

/**
 * When calls are due under open load, in milliseconds from the begin, ascending: at most `most` of them, and none after
 * the last stage. Constant arrivals are spaced evenly from 0 on; those of a Poisson process have independent gaps with an
 * exponential distribution. A stage continues the process of the one before it at another rate: both are drawn at rate
 * 1 and their times changed by the inverse of the cumulated rate (Cinlar, Introduction to Stochastic Processes, 1975,
 * section 4.7).
 */
export function drawArrivals(
  { arrivals, stages }: Pick<OpenLoad, 'arrivals' | 'stages'>,
  most: number,
  random: Pick<Random, 'uniform'>,
): readonly number[] {
  const times: number[] = [];
  let due = 0; // in expected arrivals since the begin
  while (times.length < most) {
    // 1 - u is in (0, 1]: its logarithm is finite.
    if (arrivals === 'poisson') due -= Math.log(1 - random.uniform());
    const atMs = timeOf(due, stages);
    if (atMs === null) break;
    times.push(atMs);
    if (arrivals === 'constant') due += 1;
  }
  return times;
}

/** Arrivals that are expected over all stages; infinite where the last goes on until the plan is sent. */
export function expectedArrivals(stages: readonly Stage[]): number {
  return stages.reduce((sum, { ratePerSecond, forMs }) => sum + ratePerSecond * ((forMs ?? Infinity) / 1000), 0);
}

/** When so many arrivals are expected to have come; null where the stages end before. */
function timeOf(due: number, stages: readonly Stage[]): number | null {
  let left = due;
  let beganMs = 0;
  for (const { ratePerSecond, forMs } of stages) {
    const ms = (left / ratePerSecond) * 1000;
    if (forMs === null || ms < forMs) return beganMs + ms;
    left -= (ratePerSecond * forMs) / 1000;
    beganMs += forMs;
  }
  return null;
}
