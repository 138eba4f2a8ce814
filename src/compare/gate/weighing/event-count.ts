import type { Metric, Subject } from '../../../analysis/measures/metric.ts';

/** Events among what could have been one. */
export interface EventCount {
  readonly events: number;
  readonly n: number;
}

/** How often what a rule with `none` forbids happened, by the statistic that counts it. */
export function countEvents(metric: Metric, statistic: string, subject: Subject): EventCount {
  const finding = metric.measure(subject).find((found) => found.statistic === statistic);
  return { events: Math.round((finding?.value ?? 0) * (finding?.n ?? 0)), n: finding?.n ?? 0 };
}
