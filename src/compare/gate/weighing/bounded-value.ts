import { worth } from '../../../analysis/measures/dependence.ts';
import type { Finding } from '../../../analysis/measures/measure.ts';
import type { Metric, Subject } from '../../../analysis/measures/metric.ts';
import { hasNote } from '../../../analysis/note.ts';
import { clopperPearsonLower, clopperPearsonUpper } from '../../../statistics/rates/clopper-pearson.ts';
import { quantile } from '../../../statistics/samples/quantile.ts';
import { quantileBounds } from '../../../statistics/samples/quantile-interval.ts';
import { sortSample } from '../../../statistics/samples/sorted-sample.ts';
import type { BoundedValue } from './bound.ts';

/** Quantiles by their statistic. */
export const PERCENTS: ReadonlyMap<string, number> = new Map([
  ['p50', 50],
  ['p90', 90],
  ['p95', 95],
  ['p99', 99],
]);

const NOTHING: BoundedValue = { value: null, n: 0, range: null };

/**
 * A statistic of a subject with one-sided bounds: of a rate by Clopper and Pearson over takes, of a quantile by order
 * statistics. Of another statistic with an interval its two-sided 95 % ends, which are safer than one-sided ones; what is
 * counted without an interval, such as money spent, is its own bound.
 *
 * @param confidence of one-sided bounds
 */
export function boundedValue(metric: Metric, statistic: string, subject: Subject, confidence: number): BoundedValue {
  const percent = PERCENTS.get(statistic);
  const reading = metric.takes?.find(({ effect }) => effect !== 'rate');
  if (percent !== undefined && reading !== undefined && reading.effect !== 'rate') {
    return boundedQuantile(metric, reading.read, percent, subject, confidence);
  }
  const finding = metric.measure(subject).find((found) => found.statistic === statistic);
  return finding === undefined ? NOTHING : boundedFinding(finding, confidence);
}

function boundedQuantile(
  metric: Metric,
  read: (take: Subject['samples'][number]) => number | null,
  percent: number,
  { samples, dependence }: Subject,
  confidence: number,
): BoundedValue {
  const takes = metric.whenCached === 'first_takes' ? samples.filter(({ timed }) => timed) : samples;
  const sorted = sortSample(takes.map(read).filter((value) => value !== null));
  if (sorted.length === 0) return NOTHING;
  const effective = worth(sorted.length, dependence);
  const value = quantile(sorted, percent);
  return {
    value: value === Infinity ? null : value,
    n: sorted.length,
    range: effective === null ? null : quantileBounds(sorted, percent, confidence, effective),
  };
}

function boundedFinding({ value, n, interval, method, notes }: Finding, confidence: number): BoundedValue {
  if (value === null || n === 0) return { value, n: 0, range: null };
  if (method === 'clopper_pearson' || method === 'clopper_pearson_upper') {
    const events = Math.round(value * n);
    return {
      value,
      n,
      range: { low: clopperPearsonLower(events, n, confidence), high: clopperPearsonUpper(events, n, confidence) },
    };
  }
  // What requests of unknown cost add is not known.
  const high = hasNote(notes, 'unknown_cost') ? Infinity : value;
  if (interval === null) return { value, n, range: { low: value, high } };
  return { value, n, range: { low: interval.low ?? -Infinity, high: interval.high ?? Infinity } };
}
