import { isSlow, SLOW_COUNTED, slowStatistic } from '../headline.ts';
import { RATE_SCALE, rateFinding } from '../measures/rate.ts';
import type { Finding, Metric, Subject } from '../metric.ts';

/** Share of takes above a limit of the gate. `limitsMs`: ascending and distinct; none gives no measure. */
export function slowRate(limitsMs: readonly number[]): Metric {
  return {
    name: 'slow_rate',
    meaning: 'Takes that took longer than the limit of a rule, of those that were delivered or timed out.',
    ...RATE_SCALE,
    whenCached: 'first_takes',
    takes: limitsMs.map((limitMs) => ({
      statistic: slowStatistic(limitMs),
      effect: 'rate',
      read: (take) => (SLOW_COUNTED.has(take.outcome) ? isSlow(take, limitMs) : null),
    })),
    gate: {
      statistics: limitsMs.map((limitMs) => ({
        statistic: slowStatistic(limitMs),
        bounded: { by: 'events', among: 'takes' },
      })),
      over: { statistic: 'rate', at: slowStatistic },
      madeOf: 'latencies',
    },
    measure: (subject) => limitsMs.map((limitMs) => slowFinding(subject, limitMs)),
  };
}

function slowFinding(subject: Subject, limitMs: number): Finding {
  const finding = rateFinding(
    { ...subject, samples: subject.samples.filter(({ timed }) => timed) },
    {
      counted: SLOW_COUNTED,
      events: new Set(['timed_out']),
      isEvent: (take) => isSlow(take, limitMs),
      followsLatency: () => true,
    },
  );
  return { ...finding, statistic: slowStatistic(limitMs) };
}
