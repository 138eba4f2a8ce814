import { createRandom } from '../../statistics/distributions/random.ts';
import { median, sortSample } from '../../statistics/samples/quantile.ts';

/** Runs that are simulated, and the share of them that a detectable cache is found in. */
const RUNS = 200;
const POWER = 0.8;

/** Always the same numbers: a report is the same each time it is made. */
const SEED = 20261121;

/** No cache is expected to be faster by more. The ratio is found by halving so many times. */
const LARGEST_RATIO = 1000;
const STEPS = 12;

/**
 * The smallest ratio of fresh to repeated latency that a test finds in 80 of 100 runs, by simulation: each run draws as
 * many log ratios as were measured from those measured, taken from their median and with a random sign, and moves them by
 * the ratio. Moving all of them up never makes the test surer of the contrary, so the ratio that each run needs is found
 * by halving. It supposes that every repeat comes from the cache. Rounded up to two digits; null where no ratio up to
 * 1000 is found.
 *
 * @param logRatios ln(fresh / repeat) of the pairs
 * @param finds the test itself, on log ratios
 */
export function detectableRatio(
  logRatios: readonly number[],
  finds: (logRatios: readonly number[]) => boolean,
): number | null {
  const centre = median(sortSample(logRatios));
  if (centre === null) return null;
  const random = createRandom(SEED);
  const needed = Array.from({ length: RUNS }, () => {
    const drawn = logRatios.map(() => {
      const departure = (logRatios[random.below(logRatios.length)] ?? centre) - centre;
      return random.below(2) === 0 ? departure : -departure;
    });
    return shiftNeeded(drawn, finds);
  }).sort((a, b) => a - b);
  const enough = needed[Math.ceil(POWER * RUNS) - 1] ?? Infinity;
  return enough === Infinity ? null : roundedUp(Math.exp(enough));
}

/** `Infinity` where no shift within bounds is enough. */
function shiftNeeded(drawn: readonly number[], finds: (logRatios: readonly number[]) => boolean): number {
  const isFound = (shift: number) => finds(drawn.map((each) => each + shift));
  let [low, high] = [0, Math.log(LARGEST_RATIO)];
  if (!isFound(high)) return Infinity;
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (isFound(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** To the next number of two digits, from 1 on: `1.3`, `13`, `130`. */
function roundedUp(ratio: number): number {
  const unit = ratio < 10 ? 10 : ratio < 100 ? 1 : 0.1;
  return Math.ceil(ratio * unit - 1e-9) / unit;
}
