import type { JudgedSample } from '../analysis.ts';
import { measureOf } from '../measure.ts';
import { isWhole, type Metric } from '../metric.ts';
import { noted } from '../note.ts';

/** latency.cold: what the variant's first warm-up took, done - started. One value, so no interval. Over all prompts only. */
export const latencyCold: Metric = {
  name: 'latency.cold',
  measure: (subject) => {
    if (!isWhole(subject)) return [];
    const first = subject.warmups[0];
    const value = first?.outcome === 'ok' ? first.phases.totalMs : null;
    return [
      measureOf(subject, {
        metric: 'latency.cold',
        statistic: 'first',
        value,
        unit: 'ms',
        better: 'lower',
        n: value === null ? 0 : 1,
        interval: null,
        method: 'first warm-up',
        notes: value === null ? [whyNot(first, subject.variant.timeoutMs)] : [noted('no_interval')],
      }),
    ];
  },
};

function whyNot(first: JudgedSample | undefined, timeoutMs: number): string {
  if (first === undefined) return 'no warm-up';
  if (first.outcome !== 'timed_out') return `first warm-up: ${first.outcome}`;
  // The deadline of its polls may have ended it before.
  const { endedMs, marks } = first.sample;
  return noted('censored_above_ms', Math.round(Math.min(timeoutMs, endedMs - (marks.startedMs ?? endedMs))));
}
