import { CONFIDENCE } from '../../../analysis/confidence.ts';
import { worth } from '../../../analysis/measures/dependence.ts';
import type { Finding } from '../../../analysis/measures/measure.ts';
import type { MethodCode } from '../../../analysis/measures/method.ts';
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

/** How values are made that are counted: nothing about them is estimated. */
const COUNTED: ReadonlySet<MethodCode> = new Set([
  'count',
  'equal_pairs',
  'done_while_due',
  'spend_per_output',
  'sum',
  'minimum',
  'maximum',
]);

/** Of each end of a two-sided interval. */
const END_CONFIDENCE = (1 + CONFIDENCE) / 2;

/**
 * A statistic of a subject with one-sided bounds: of a rate and of departures by Clopper and Pearson, of a quantile by order
 * statistics, for as many takes as these are worth independent ones. Of another statistic with an interval its two-sided 95 % ends; of
 * a throughput that is only known to lie between two bounds these, which are such ends too. What is counted, such as money spent,
 * is its own bound.
 *
 * @param confidence of one-sided bounds
 */
export function boundedValue(metric: Metric, statistic: string, subject: Subject, confidence: number): BoundedValue {
  const percent = PERCENTS.get(statistic);
  const reading = metric.takes?.find(({ effect }) => effect !== 'rate');
  if (percent !== undefined && reading !== undefined && reading.effect !== 'rate') {
    return boundedQuantile(metric, reading.read, percent, subject, confidence);
  }
  const findings = metric.measure(subject);
  const findingOf = (name: string) => findings.find((found) => found.statistic === name);
  const finding = findingOf(statistic);
  const nothing: BoundedValue = { value: null, n: 0, range: null, level: confidence };
  if (finding === undefined) return nothing;
  const { value, n, method } = finding;
  if (value === null && method === 'bracket') {
    const [low, high] = [findingOf(`${statistic}_low`)?.value ?? null, findingOf(`${statistic}_high`)?.value ?? null];
    return { value, n, range: low === null || high === null ? null : { low, high }, level: END_CONFIDENCE };
  }
  if (value === null || n === 0) return nothing;
  const cells = findingOf('unstable')?.n;
  return statistic === 'departure' && cells !== undefined
    ? boundedDepartures(finding, value, cells, confidence)
    : boundedFinding(finding, value, confidence);
}

/**
 * Departures among takes. A cell's first take departs from nothing, so that no more than takes - cells could: the upper bound is of
 * these. The lower one is of all takes, as the value is.
 */
function boundedDepartures({ n, method }: Finding, value: number, cells: number, confidence: number): BoundedValue {
  const takes = method === 'clopper_pearson_upper' ? n + cells : n;
  const departures = Math.round(value * takes);
  const low = clopperPearsonLower(departures, takes, confidence);
  if (takes === cells) return { value, n, range: null, level: confidence };
  return {
    value,
    n,
    range: { low, high: clopperPearsonUpper(departures, takes - cells, confidence) },
    level: confidence,
  };
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
  if (sorted.length === 0) return { value: null, n: 0, range: null, level: confidence };
  const value = quantile(sorted, percent);
  return {
    value: value === Infinity ? null : value,
    n: sorted.length,
    range: quantileBounds(sorted, percent, confidence, worth(sorted.length, dependence)),
    level: confidence,
  };
}

function boundedFinding(
  { n, effectiveN = n, interval, method, notes }: Finding,
  value: number,
  confidence: number,
): BoundedValue {
  if (method === 'clopper_pearson') {
    const events = effectiveN === n ? Math.round(value * n) : value * effectiveN;
    return {
      value,
      n,
      range: {
        low: clopperPearsonLower(events, effectiveN, confidence),
        high: clopperPearsonUpper(events, effectiveN, confidence),
      },
      level: confidence,
    };
  }
  if (COUNTED.has(method)) {
    // What requests of unknown cost add is not known.
    const high = hasNote(notes, 'unknown_cost') ? Infinity : value;
    return { value, n, range: { low: value, high }, level: null };
  }
  const range = interval === null ? null : { low: interval.low ?? -Infinity, high: interval.high ?? Infinity };
  return { value, n, range, level: END_CONFIDENCE };
}
