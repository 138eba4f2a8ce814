import { groupBy } from '../../kit/grouping.ts';
import { goodStatistic, hasWaitedUnseen, isSlow } from '../effective-sample.ts';
import { FEWEST_STEPS, type Knee, kneeOf, type Power, powerAt, throughputFinding } from '../measures/throughput.ts';
import { gatedFindings, isWhole, type Metric, type Subject } from '../metric.ts';
import { type Note, noted } from '../note.ts';

export const throughput: Metric = {
  name: 'throughput',
  meaning:
    'Delivered assets per second while all slots are full: from the first completion with all slots in use to the last start of a group of takes; a take counts by the share of its time in that window. The drain of a group is left out. At concurrency 1: delivered assets / sum of all durations. Open load: assets done by the last due time, per second since the first.',
  unit: '1/s',
  better: 'higher',
  whenCached: 'with_repeats',
  gate: { statistics: gatedFindings('rate'), madeOf: 'completions' },
  measure: (subject) => {
    const finding = throughputFinding(subject, ({ outcome }) => outcome === 'ok');
    return finding === null ? [] : [{ statistic: 'rate', ...finding }];
  },
};

/** Throughput of outputs within a limit of the gate. `limitsMs`: ascending and distinct; none gives no measure. */
export function goodput(limitsMs: readonly number[]): Metric {
  return {
    name: 'goodput',
    meaning: 'Throughput of the assets that were delivered within the limit of a rule.',
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
        const finding = throughputFinding(subject, (take) => take.outcome === 'ok' && !isSlow(take, limitMs));
        return finding === null ? [] : [{ statistic: goodStatistic(limitMs), ...finding }];
      }),
  };
}

/**
 * The concurrency of a sweep with the most throughput per median latency (power, Kleinrock 1979): below it the service
 * idles, above it requests wait. Null with a reason unless intervals separate it from both ends of the sweep. Its
 * interval holds the steps that are not separated from it.
 */
export const knee: Metric = {
  name: 'knee',
  meaning:
    'The concurrency of a sweep with the highest throughput / median latency (the maximum of power, Kleinrock 1979). None if it is at an end of the sweep, or if the intervals of throughput do not separate the steps.',
  unit: 'in_flight',
  better: null,
  whenCached: 'with_repeats',
  gate: { never: 'of_a_sweep' },
  measure: (subject) => {
    const { load } = subject.plan;
    if (!isWhole(subject) || load.mode !== 'closed' || load.steps === null) return [];
    const powers = powersOf(subject);
    const result = kneeOf(powers);
    const shared = { statistic: 'concurrency', n: powers.length, method: 'power' } as const;
    if (result.found === 'none') return [{ ...shared, value: null, interval: null, notes: [whyNone(result)] }];
    const steps = [result.step, ...result.alike];
    return [
      {
        ...shared,
        value: result.step,
        interval: { low: Math.min(...steps), high: Math.max(...steps) },
        notes: result.alike.map((step) => noted('not_told_from_step', step)),
      },
    ];
  },
};

function whyNone(result: Extract<Knee, { readonly found: 'none' }>): Note {
  if ('step' in result) return noted(result.why, result.step);
  if ('steps' in result) return noted(result.why, result.steps);
  return result.why === 'needs_steps' ? noted(result.why, FEWEST_STEPS) : noted(result.why);
}

function powersOf({ samples }: Subject): readonly Power[] {
  const steps = [...groupBy(samples, ({ sample }) => sample.trial.step ?? 0)].sort(([a], [b]) => a - b);
  return steps.flatMap(([step, takes]) => powerAt(step, takes) ?? []);
}
