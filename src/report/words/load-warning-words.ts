import type {
  CoarsePolls,
  ConcurrencyNotReached,
  DependentTakes,
  DriftConfounded,
  LoadWarning,
  QueueGrows,
  ServiceStalled,
} from '../../analysis/warning-codes/load-warning.ts';
import { count, duration, plural, rate, rateUnit, share, significant } from '../../text/quantity.ts';
import type { WarningText } from './warning-text.ts';

/** Warnings about what a load, or the way of sending it, did to the numbers, in words. */
export function loadWarningWords(warning: LoadWarning): WarningText {
  switch (warning.code) {
    case 'queue_grows':
      return queueWords(warning);
    case 'dependent_takes':
      return dependenceWords(warning);
    case 'service_stalled':
      return stallWords(warning);
    case 'coarse_polls':
      return pollWords(warning);
    case 'contended':
      return {
        what: 'contended: the variants ran beside each other',
        cause: 'order is mixed, so variants queue behind one another and differences between them shrink',
        remedy: 'compare latencies under order: paired',
      };
    case 'drift_confounded':
      return driftWords(warning);
    case 'concurrency_not_reached':
      return ceilingWords(warning);
  }
}

function queueWords({ variant, stage, offeredPerSecond, donePerSecond, firstMs, lastMs }: QueueGrows): WarningText {
  const per = rateUnit([offeredPerSecond]);
  const perUnit = (perSecond: number): string => rate(perSecond, per).replace(' / ', '/');
  const within = stage === null ? 'the whole load' : `stage ${count(stage)} of the load`;
  return {
    what: `${variant} does not sustain this load: ${perUnit(donePerSecond)} of ${perUnit(offeredPerSecond)} are done, and its queue grows through ${within}`,
    cause: `calls come faster than the service answers, so the median latency.response rises from ${median(firstMs)} in the first eighth to ${median(lastMs)} in the last, and would rise further with a longer load; these latencies depend on how long the load lasts`,
    remedy: `lower load.rate below ${perUnit(donePerSecond)} to measure latency; read throughput as the capacity`,
  };
}

function dependenceWords({ variant, step, r, n, effectiveN }: DependentTakes): WarningText {
  const at = atStep(step);
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

function stallWords(warning: ServiceStalled): WarningText {
  const { variant, step, takes, longestMs, medianMs, hiddenCalls, calls } = warning;
  return {
    what: `${variant} stalled${atStep(step)}: ${plural(takes, 'take')} of up to ${duration(longestMs)} where half take at most ${duration(medianMs)}; its p95 and p99 may be far too low`,
    cause: `closed load begins a call when one has ended: while the service stands still no call comes that would have to wait, about ${plural(Math.round(hiddenCalls), 'call')} here beside the ${count(calls)} made (coordinated omission)`,
    remedy:
      'measure with load.mode: open, where calls come at their times whatever has come back and latency counts from then; closed load cannot show what callers arriving meanwhile would have met',
  };
}

function pollWords({ variant, target, step, gapMs, medianMs }: CoarsePolls): WarningText {
  return {
    what: `latencies of ${variant}${atStep(step)} may be too long by up to ${duration(gapMs)} (${share(gapMs / medianMs)} of p50), the time between polls`,
    cause:
      'a result is only seen at the next poll; the time between polls is the median from the last that said "not yet" to the one that said "done"',
    remedy: `lower wait.poll.min_every in the target ${target} as far as the service allows; until then read generation_low_ms with generation_ms`,
  };
}

function driftWords({ mode }: DriftConfounded): WarningText {
  return mode === 'open'
    ? {
        what: 'drift confounded: open load measured the variants one after the other',
        cause:
          'under open load one variant is sent at a time, so a service that changes over the run looks like a difference between variants',
        remedy: 'read each variant for itself; compare latencies under mode: closed with order: paired',
      }
    : {
        what: 'drift confounded: the variants ran one after the other',
        cause: 'order is sequential, so a service that changes over the run looks like a difference between variants',
        remedy: 'compare latencies under order: paired',
      };
}

function ceilingWords({ largestSlice, concurrency, sweep }: ConcurrencyNotReached): WarningText {
  return {
    what: `at most ${plural(largestSlice, 'request')} ${largestSlice === 1 ? 'was' : 'were'} in flight, of the ${count(concurrency)} that load.concurrency allows`,
    cause: `a variant is sent in slices of at most ${plural(largestSlice, 'trial')}, each drained before the next begins`,
    remedy: sweep
      ? 'add prompts, seeds or repeats, or leave the larger steps out'
      : 'add prompts or seeds, or take order: mixed for load instead of comparison',
  };
}

function atStep(step: number | null): string {
  return step === null ? '' : ` at ${count(step)} in flight`;
}
