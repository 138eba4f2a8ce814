import { median } from '../../statistics/quantile.ts';
import { quantileInterval } from '../../statistics/quantile-interval.ts';
import { sortSample } from '../../statistics/sorted-sample.ts';
import type { JudgedSample } from '../analysis.ts';
import { groupBy } from '../grouping.ts';
import { headlineValues } from '../headline.ts';
import { CONFIDENCE, measureOf } from '../measure.ts';
import { isWhole, type Metric, type Subject } from '../metric.ts';
import { ownTimeMs } from '../span.ts';
import { listed } from '../wording.ts';

/** Fewer steps have no inside in which a knee could lie. */
const FEWEST_STEPS = 3;

/**
 * knee: of a sweep, how many in flight give the most throughput per latency: the maximum of what Kleinrock calls power
 * (Power and deterministic rules of thumb for probabilistic problems in computer communications, ICC 1979, 43.1.1),
 * here ok outputs per second / median latency. Below it the service idles, above it requests wait for each other.
 * Null, with the reason, where there are fewer than three steps, and where the maximum lies at an end of the sweep and
 * may as well lie beyond it; one in flight is an end that has no beyond.
 */
export const knee: Metric = {
  name: 'knee',
  measure: (subject) => {
    const { load } = subject.plan;
    if (!isWhole(subject) || load.mode !== 'closed' || load.steps === null) return [];
    const powers = powersOf(subject);
    const found = kneeOf(powers);
    return [
      measureOf(subject, {
        metric: 'knee',
        statistic: 'concurrency',
        unit: 'in flight',
        better: null,
        n: powers.length,
        interval: null,
        method: 'highest throughput / median latency (power, Kleinrock 1979)',
        ...found,
      }),
    ];
  },
};

/** Throughput per latency at a step; low and high follow from the interval of the median, and are null without one. */
interface Power {
  readonly step: number;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Of the steps that delivered, ascending. */
function powersOf({ samples, timed, plan }: Subject): readonly Power[] {
  const steps = [...groupBy(samples, ({ sample }) => sample.trial.step ?? 0)].sort(([a], [b]) => a - b);
  return steps.flatMap(([step, own]): readonly Power[] => {
    const perSecond = throughputOf(own);
    const counted = timed.filter(({ sample }) => (sample.trial.step ?? 0) === step);
    const latencies = sortSample(headlineValues(counted, plan.load));
    const middle = median(latencies);
    if (perSecond === null || middle === null || middle === 0) return [];
    const interval = quantileInterval(latencies, 50, CONFIDENCE);
    return [
      {
        step,
        value: perSecond / middle,
        low: interval === null ? null : perSecond / interval.high,
        high: interval === null || interval.low === 0 ? null : perSecond / interval.low,
      },
    ];
  });
}

function throughputOf(samples: readonly JudgedSample[]): number | null {
  const timeMs = ownTimeMs(samples.map(({ sample }) => sample));
  const ok = samples.filter(({ outcome }) => outcome === 'ok').length;
  return ok === 0 || timeMs <= 0 ? null : (1000 * ok) / timeMs;
}

function kneeOf(powers: readonly Power[]): { readonly value: number | null; readonly notes: readonly string[] } {
  const none = (why: string) => ({ value: null, notes: [why] });
  if (powers.length < FEWEST_STEPS) return none(`no knee: fewer than ${FEWEST_STEPS} steps delivered`);
  const best = powers.reduce((most, power) => (power.value > most.value ? power : most));
  if (best.value === 0) return none('no knee: more than half timed out at every step');
  if (best === powers.at(-1)) return none(`no knee up to ${best.step} in flight: throughput per latency still rises`);
  if (best === powers[0] && best.step > 1) {
    return none(`no knee from ${best.step} in flight on: throughput per latency falls from there`);
  }
  return { value: best.step, notes: alike(best, powers) };
}

/** Which other steps the knee cannot be told from by the intervals of their medians. */
function alike(best: Power, powers: readonly Power[]): string[] {
  const { low } = best;
  if (low === null) return ['no CI of the medians: n < 6'];
  const others = powers.filter((power) => power !== best && (power.high === null || power.high >= low));
  return others.length === 0 ? [] : [`not told from ${listed(others.map(({ step }) => `${step}`))} in flight`];
}
