import type { Spread } from '../record/model/calibration.ts';
import { median, quantile } from '../statistics/samples/quantile.ts';
import { sortSample } from '../statistics/samples/sorted-sample.ts';

/** Durations in milliseconds summed up: quantiles of type 8, each from as many values on as it needs. Throws on none. */
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

/** Digits below a nanosecond are the arithmetic's, not the clock's. */
export function toNanosecond(ms: number): number {
  return Math.round(ms * 1e6) / 1e6;
}
