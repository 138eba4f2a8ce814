import type { WarningOf } from '../../../analysis/warning-codes/coded-warning.ts';
import type { LoadWarning } from '../../../analysis/warning-codes/load-warning.ts';
import {
  count,
  type DurationUnit,
  duration,
  durationUnit,
  plural,
  rate,
  rateUnit,
  share,
} from '../../../kit/wording.ts';
import type { WarningText, WordsOf } from './warning-text.ts';

export const LOAD_WARNING_WORDS: WordsOf<LoadWarning['code']> = {
  queue_grows: queueWords,
  dependent_takes: dependenceWords,
  service_stalled: stallWords,
  coarse_polls: pollWords,
  contended: () => ({
    what: 'contended: the variants ran at the same time',
    cause: 'order is mixed, so variants queue behind each other and their differences shrink',
    remedy: 'use order: paired to compare latencies',
  }),
  drift_confounded: driftWords,
  concurrency_not_reached: ceilingWords,
  measured_in_shards: shardsWords,
};

function queueWords({
  variant,
  stage,
  offeredPerSecond,
  donePerSecond,
  firstMs,
  lastMs,
}: WarningOf<'queue_grows'>): WarningText {
  const per = rateUnit([offeredPerSecond]);
  const perUnit = (perSecond: number): string => rate(perSecond, per).replace(' / ', '/');
  const unit = durationUnit([firstMs, lastMs]);
  const within = stage === null ? 'the whole load' : `stage ${count(stage)} of the load`;
  return {
    what: `${variant} does not sustain this load: ${perUnit(offeredPerSecond)} are offered, ${perUnit(donePerSecond)} are done, and the queue grows during ${within}`,
    cause: `calls arrive faster than the service answers: the median latency.response rises from ${median(firstMs, unit)} in the first eighth to ${median(lastMs, unit)} in the last; with a longer load it would rise further`,
    remedy: `lower load.rate below ${perUnit(donePerSecond)} to measure latency; read throughput as the capacity`,
  };
}

function dependenceWords({ variant, step, r, n, effectiveN }: WarningOf<'dependent_takes'>): WarningText {
  const at = atStep(step);
  const takes = plural(n, 'take');
  const worth = `${takes} tell as much as about ${plural(Math.max(1, Math.round(effectiveN)), 'independent one')}`;
  return {
    what: `takes of ${variant}${at} depend on those before them: ${worth}`,
    brief: `${variant}${at} drifted: its ${takes} count as about ${count(Math.max(1, Math.round(effectiveN)))}`,
    cause: `the service was slower at some times than at others, so takes close in time are alike (r = ${r.toFixed(2)})`,
    remedy:
      'spread the run over more time, or add repeats; differences between variants within a block cancel slow changes',
  };
}

function median(ms: number | null, unit: DurationUnit): string {
  return ms === null ? 'above the time limit' : duration(ms, unit);
}

function stallWords(warning: WarningOf<'service_stalled'>): WarningText {
  const { variant, step, takes, longestMs, medianMs, hiddenCalls, calls } = warning;
  return {
    what: `${variant} stalled${atStep(step)}: ${plural(takes, 'take')} took up to ${duration(longestMs)}, but p50 is ${duration(medianMs)}; its p95 and p99 may be far too low`,
    cause: `closed load starts no new calls while the service stalls: about ${plural(Math.round(hiddenCalls), 'call')} that would have waited are missing, beside the ${count(calls)} made (coordinated omission)`,
    remedy:
      'measure with load.mode: open, which starts calls at scheduled times and counts latency from then; closed load cannot show how long new callers would have waited',
  };
}

function pollWords({ variant, target, step, gapMs, medianMs }: WarningOf<'coarse_polls'>): WarningText {
  return {
    what: `latencies of ${variant}${atStep(step)} may be too long by up to ${duration(gapMs)} (${share(gapMs / medianMs)} of p50), the gap between polls`,
    brief: `latencies of ${variant}${atStep(step)}: up to ${duration(gapMs)} too long, by polling`,
    cause:
      'a result is seen only at the next poll; the gap is the median time from the last poll that said "not yet" to the poll that said "done"',
    remedy: `lower wait.poll.min_every in the target ${target} as far as the service allows; until then, the true time lies between generation_low_ms and generation_ms`,
  };
}

function driftWords({ mode }: WarningOf<'drift_confounded'>): WarningText {
  return mode === 'open'
    ? {
        what: 'open load measured the variants one after the other, so their latencies cannot be compared',
        brief: 'open load sent one variant after the other: latencies are not comparable',
        cause:
          'open load sends one variant at a time, so drift of the service looks like a difference between variants',
        remedy: 'read each variant by itself; to compare latencies, use mode: closed with order: paired',
      }
    : {
        what: 'the variants were measured one after the other, so a difference between them may be drift of the service',
        cause: 'load.order is sequential: the service may change from the first variant to the last',
        remedy: 'use order: paired to compare latencies',
      };
}

function ceilingWords({ largestSlice, concurrency, sweep }: WarningOf<'concurrency_not_reached'>): WarningText {
  return {
    what: `at most ${plural(largestSlice, 'request')} ${largestSlice === 1 ? 'was' : 'were'} in flight; load.concurrency allows ${count(concurrency)}`,
    cause: `a variant is sent in slices of at most ${plural(largestSlice, 'take')}, each drained before the next begins`,
    remedy: sweep
      ? 'add prompts, seeds or repeats, or remove the larger steps'
      : 'add prompts or seeds, or use order: mixed to test load instead of comparing variants',
  };
}

function shardsWords({ shards, concurrency, mode, together }: WarningOf<'measured_in_shards'>): WarningText {
  const load = mode === 'open' ? 'rate' : 'concurrency';
  if (together !== undefined) {
    const { p50, most } = together.spreadMs;
    const spread = p50 === null || most === null ? '' : `, within ${duration(p50)} (p50; at most ${duration(most)})`;
    return {
      what: `${plural(shards, 'worker')} of a fleet measured this run slice by slice, and began each slice together${spread}`,
      brief: `${plural(shards, 'worker')} of a fleet, in step, slice by slice`,
      cause: `all workers together had at most ${count(concurrency)} in flight; clocks of different machines are not compared`,
      remedy: 'compare only with runs that were split the same way',
    };
  }
  return {
    what: `${plural(shards, 'shard')} measured this run without a common clock: the ${load} at the service is not known`,
    brief: `${plural(shards, 'shard')} without a common clock: the ${load} at the service is not known`,
    cause: `clocks of different machines cannot be compared, so nothing shows which requests ran at the same time; all shards together had at most ${count(concurrency)} in flight`,
    remedy: 'start all shards together on similar machines; compare only with runs that were split the same way',
  };
}

function atStep(step: number | null): string {
  return step === null ? '' : ` at concurrency ${count(step)}`;
}
