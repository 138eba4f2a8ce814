import type { Random } from '../statistics/distributions/random.ts';
import type { OpenLoad, Stage } from '../suite/format/load.ts';

/**
 * Start times under open load, in milliseconds from the start, ascending: at most `most`, and none after the last
 * stage. Constant arrivals are evenly spaced from 0; those of a Poisson process have independent exponential gaps. A
 * stage continues the process before it at another rate: arrivals are drawn at rate 1 and mapped by the inverse of the
 * cumulated rate (Cinlar, Introduction to Stochastic Processes, 1975, section 4.7).
 */
export function drawArrivals(
  { arrivals, stages }: Pick<OpenLoad, 'arrivals' | 'stages'>,
  most: number,
  random: Pick<Random, 'uniform'>,
): readonly number[] {
  const times: number[] = [];
  let due = 0; // In expected arrivals since the start.
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

/** Infinite if the last stage goes on until the plan is sent. */
export function expectedArrivals(stages: readonly Stage[]): number {
  return stages.reduce((sum, { ratePerSecond, forMs }) => sum + ratePerSecond * ((forMs ?? Infinity) / 1000), 0);
}

/** When so many arrivals are expected; null if the stages end before. */
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
