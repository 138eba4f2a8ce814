import type { Metric, Subject } from '../../../analysis/measures/metric.ts';
import { sum } from '../../../statistics/samples/mean.ts';

/** Events among what could have been one. */
export interface EventCount {
  readonly events: number;
  readonly n: number;
}

/**
 * How often what a rule with `none` forbids happened: of a rate its events, of determinism the takes that are not the usual
 * output of their cell.
 */
export function countEvents(metric: Metric, subject: Subject): EventCount {
  const findings = metric.measure(subject);
  const departure = findings.find(({ statistic }) => statistic === 'departure');
  if (departure !== undefined) return { events: Math.round((departure.value ?? 0) * departure.n), n: departure.n };
  const rates = (metric.takes ?? []).filter(({ effect }) => effect === 'rate').map(({ statistic }) => statistic);
  const counted = findings.filter(({ statistic }) => rates.includes(statistic));
  return {
    events: sum(counted.map(({ value, n }) => Math.round((value ?? 0) * n))),
    n: sum(counted.map(({ n }) => n)),
  };
}
