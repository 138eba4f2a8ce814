import { median, quantileInterval, sortSample } from '../../statistics/quantile.ts';
import type { TimedSample } from '../effective-sample.ts';
import { headlineValues } from '../headline.ts';
import { closedThroughput } from './closed-throughput.ts';
import { CONFIDENCE } from './confidence.ts';
import { dependenceOf, worth } from './dependence.ts';
import { slotCalls } from './slot-calls.ts';

/**
 * Throughput per median latency at one step: power (Kleinrock, Power and deterministic rules of thumb for probabilistic
 * problems in computer communications, ICC 1979, 43.1.1).
 */
export interface Power {
  readonly step: number;
  /** Lower end of throughput over upper end of the median, and the reverse; open without an interval. */
  readonly low: number;
  readonly high: number;
}

/** Null if nothing was delivered. */
export function powerAt(step: number, samples: readonly TimedSample[]): Power | null {
  const timed = samples.filter((sample) => sample.timed);
  const dependence = dependenceOf(timed, CLOSED);
  const throughput = closedThroughput(
    slotCalls(samples, ({ outcome }) => outcome === 'ok'),
    step,
    dependence,
  );
  const latencies = sortSample(headlineValues(timed, CLOSED));
  if (
    throughput.found === 'nothing' ||
    median(latencies) === null ||
    !samples.some(({ outcome }) => outcome === 'ok')
  ) {
    return null;
  }
  const middle = quantileInterval(latencies, 50, CONFIDENCE, worth(latencies.length, dependence));
  if (throughput.interval === null || middle === null) return { step, low: 0, high: Infinity };
  return {
    step,
    low: middle.high === Infinity ? 0 : throughput.interval.low / middle.high,
    high: middle.low === 0 ? Infinity : throughput.interval.high / middle.low,
  };
}

const CLOSED = { mode: 'closed' } as const;

export type Knee =
  | { readonly found: 'knee'; readonly step: number; readonly alike: readonly number[] }
  | { readonly found: 'none'; readonly why: 'needs_steps' | 'all_timed_out' | 'steps_not_told_apart' }
  | { readonly found: 'none'; readonly why: 'rises_to_step' | 'falls_from_step'; readonly step: number }
  | { readonly found: 'none'; readonly why: 'steps_without_interval'; readonly steps: number };

/** Fewer steps have no inner step where a knee could be. */
export const FEWEST_STEPS = 3;

/**
 * A knee is found if all steps that may have the most power are inside the sweep; else the maximum may be beyond it.
 * `alike` are those besides `step`. `powers`: in ascending order of steps.
 */
export function kneeOf(powers: readonly Power[]): Knee {
  const [first] = powers;
  const last = powers.at(-1);
  if (first === undefined || last === undefined || powers.length < FEWEST_STEPS) {
    return { found: 'none', why: 'needs_steps' };
  }
  const bar = powers.reduce((most, { low }) => Math.max(most, low), 0);
  const highest = powers.filter(({ high }) => high >= bar);
  const [only, ...more] = highest;
  if (highest.every(({ high }) => high === 0)) return { found: 'none', why: 'all_timed_out' };
  if (only === last) return { found: 'none', why: 'rises_to_step', step: last.step };
  if (only === first && more.length === 0 && first.step > 1) {
    return { found: 'none', why: 'falls_from_step', step: first.step };
  }
  if (bar === 0 || highest.includes(last) || (highest.includes(first) && first.step > 1)) {
    const unknown = powers.filter(({ low, high }) => low === 0 && high === Infinity).length;
    return unknown > 0
      ? { found: 'none', why: 'steps_without_interval', steps: unknown }
      : { found: 'none', why: 'steps_not_told_apart' };
  }
  const best = highest.reduce((most, power) => (power.low + power.high > most.low + most.high ? power : most));
  const alike = highest.filter((power) => power !== best).map(({ step }) => step);
  return { found: 'knee', step: best.step, alike };
}
