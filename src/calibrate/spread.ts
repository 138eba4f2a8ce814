import type { Spread } from '../record/model/calibration.ts';
import { median, quantile, sortSample } from '../statistics/samples/quantile.ts';

/** Quantiles (type 8) in milliseconds; null below the count that they need. Throws if there is no duration. */
export function spreadOf(durationsMs: Iterable<number>): Spread {
  const sample = sortSample(durationsMs);
  const [min, max, p50] = [sample[0], sample.at(-1), median(sample)];
  if (min === undefined || max === undefined || p50 === null) throw new RangeError('nothing was measured');
  const [p25, p75] = [quantile(sample, 25) ?? min, quantile(sample, 75) ?? max];
  const [p95, p99] = [quantile(sample, 95), quantile(sample, 99)];
  return {
    unit: 'ms',
    n: sample.length,
    min: toNanosecond(min),
    p50: toNanosecond(p50),
    iqr: toNanosecond(p75 - p25),
    p95: p95 === null ? null : toNanosecond(p95),
    p99: p99 === null ? null : toNanosecond(p99),
    max: toNanosecond(max),
  };
}

/** Removes digits below a nanosecond, which come from floating point. */
export function toNanosecond(ms: number): number {
  return Math.round(ms * 1e6) / 1e6;
}
