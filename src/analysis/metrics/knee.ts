import { groupBy } from '../grouping.ts';
import { FEWEST_STEPS, type Knee, kneeOf, type Power, powerAt } from '../measures/power.ts';
import { isWhole, type Metric, type Subject } from '../metric.ts';
import { type Note, noted } from '../note.ts';

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
