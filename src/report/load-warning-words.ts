import type { DependentTakes, QueueGrows } from '../analysis/load-warning.ts';
import { count, duration, rate, rateUnit, significant } from './quantity.ts';

interface Words {
  readonly what: string;
  readonly cause: string;
  readonly remedy: string;
}

/** Warnings about what a load did to the numbers, in words. */
export function loadWarningWords(warning: DependentTakes | QueueGrows): Words {
  return warning.code === 'queue_grows' ? queueWords(warning) : dependenceWords(warning);
}

function queueWords({ variant, stage, offeredPerSecond, donePerSecond, firstMs, lastMs }: QueueGrows): Words {
  const per = rateUnit([offeredPerSecond]);
  const perUnit = (perSecond: number): string => rate(perSecond, per).replace(' / ', '/');
  const within = stage === null ? 'the whole load' : `stage ${count(stage)} of the load`;
  return {
    what: `${variant} does not sustain this load: ${perUnit(donePerSecond)} of ${perUnit(offeredPerSecond)} are done, and its queue grows through ${within}`,
    cause: `calls come faster than the service answers, so the median latency.response rises from ${median(firstMs)} in the first eighth to ${median(lastMs)} in the last, and would rise further with a longer load; these latencies depend on how long the load lasts`,
    remedy: `lower load.rate below ${perUnit(donePerSecond)} to measure latency; read throughput as the capacity`,
  };
}

function dependenceWords({ variant, step, r, n, effectiveN }: DependentTakes): Words {
  const at = step === null ? '' : ` at ${count(step)} in flight`;
  const intervals =
    effectiveN === null
      ? 'latencies have no interval'
      : `intervals of latencies are those of ${significant(effectiveN)} takes`;
  return {
    what: `latencies of ${variant}${at} depend on those just before (autocorrelation r = ${r.toFixed(2)}, n = ${count(n)}): ${intervals}`,
    cause: 'the service was slower at some times than at others, so takes close in time are alike',
    remedy:
      'spread the run over more time, or add repeats; differences between variants within a block cancel slow changes',
  };
}

function median(ms: number | null): string {
  return ms === null ? 'above the time limit' : duration(ms);
}
