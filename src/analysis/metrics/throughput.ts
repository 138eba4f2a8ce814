import { goodStatistic, hasWaitedUnseen, isSlow } from '../effective-sample.ts';
import { throughputFinding } from '../measures/throughput.ts';
import { gatedFindings, type Metric } from '../metric.ts';

export const throughput: Metric = {
  name: 'throughput',
  meaning:
    'Delivered takes per second while all slots are full: from completion number 2.5 x concurrency to the last start of a group of takes; a take counts by the share of its time in that window. The drain of a group is left out. At concurrency 1: delivered takes / sum of all durations. Open load: takes done by the last due time, per second since the first.',
  unit: '1/s',
  better: 'higher',
  whenCached: 'with_repeats',
  gate: { statistics: gatedFindings('rate'), madeOf: 'completions' },
  measure: (subject) => {
    const finding = throughputFinding(subject, ({ outcome }) => Number(outcome === 'ok'));
    return finding === null ? [] : [{ statistic: 'rate', ...finding }];
  },
};

/** Throughput of outputs within a limit of the gate. `limitsMs`: ascending and distinct; none gives no measure. */
export function goodput(limitsMs: readonly number[]): Metric {
  return {
    name: 'goodput',
    meaning: 'Throughput of the takes that were delivered within the limit of a rule.',
    unit: '1/s',
    better: 'higher',
    whenCached: 'with_repeats',
    gate: {
      statistics: gatedFindings(...limitsMs.map(goodStatistic)),
      over: { statistic: 'rate', at: goodStatistic },
      madeOf: 'completions',
      leavesOutWait: hasWaitedUnseen,
    },
    measure: (subject) =>
      limitsMs.flatMap((limitMs) => {
        const finding = throughputFinding(subject, (take) => Number(take.outcome === 'ok' && !isSlow(take, limitMs)));
        return finding === null ? [] : [{ statistic: goodStatistic(limitMs), ...finding }];
      }),
  };
}
