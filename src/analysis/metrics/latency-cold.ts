import type { EffectiveSample } from '../effective-sample.ts';
import { isWhole, type Metric } from '../metric.ts';
import { type Note, noted } from '../note.ts';

/** done - started. One value, so no interval. */
export const latencyCold: Metric = {
  name: 'latency.cold',
  meaning: 'Latency of the first warm-up: how long the first caller waits.',
  unit: 'ms',
  better: 'lower',
  whenCached: 'as_is',
  gate: { never: 'one_call' },
  measure: (subject) => {
    if (!isWhole(subject)) return [];
    const first = subject.warmups[0];
    const value = first?.outcome === 'ok' ? first.timings.totalMs : null;
    return [
      {
        statistic: 'first',
        value,
        n: value === null ? 0 : 1,
        interval: null,
        method: 'first_warmup',
        notes: value === null ? [whyNot(first, subject.variant.timeoutMs)] : [noted('no_interval')],
      },
    ];
  },
};

function whyNot(first: EffectiveSample | undefined, timeoutMs: number): Note {
  if (first === undefined) return noted('no_warmup');
  if (first.outcome !== 'timed_out') return noted(`warmup_${first.outcome}`);
  // The polls may have ended before the time limit.
  const { endedMs, marks } = first.sample;
  return noted('censored_above_ms', Math.round(Math.min(timeoutMs, endedMs - (marks.startedMs ?? endedMs))));
}
