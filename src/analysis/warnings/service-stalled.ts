import { z } from 'zod';
import { milliseconds, step, variantName, count as wholeNumber } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { atStep } from '../../kit/names.ts';
import { count, duration, plural } from '../../kit/wording.ts';
import { sum } from '../../statistics/mean.ts';
import { median, sortSample } from '../../statistics/quantile.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { warning } from './warning.ts';

/** A stall is this many times the median ... */
const TIMES_MEDIAN = 10;
/** ... and longer by this much, since short latencies vary by tens of milliseconds. */
const LONGER_BY_MS = 500;
/** Calls never begun matter to a tail from this share of those that were. */
const FEWEST_HIDDEN = 0.01;
/** Fewer takes give a median without an interval. */
const FEWEST_TAKES = 6;

/**
 * Closed load in which the service stalled: callers arriving meanwhile are not in the numbers (coordinated omission;
 * Tene, How NOT to measure latency, 2013). Found if calls took over ten times their variant's median and half a second
 * more, and the calls never begun (each such latency over the median) are at least 1 % of all: then a p99 is too low.
 */
export const serviceStalled = warning({
  code: 'service_stalled',
  meaning: 'Closed load: calls that were not made because of a stall (coordinated omission).',
  fields: {
    variant: variantName,
    step: step.describe('Of a sweep, how many were in flight; null outside one.'),
    takes: wholeNumber.describe('Takes of more than ten times the median, and half a second longer.'),
    longestMs: milliseconds.describe('The longest take.'),
    medianMs: milliseconds.describe('The median.'),
    hiddenCalls: z.number().describe('Calls that would have begun while those takes lasted, had they been ordinary.'),
    calls: wholeNumber.describe('Calls that delivered.'),
  },
  find: ({ plan: { load }, variants, trialsOf }) => {
    if (load.mode !== 'closed') return [];
    return variants.flatMap(({ name }) => {
      // Each step of a sweep has latencies of its own.
      const loads = groupBy(trialsOf(name), ({ sample }) => sample.trial.step ?? null);
      const stalls = [...loads].flatMap(([step, takes]) => stallsIn(takes).map((stall) => ({ step, ...stall })));
      const [worst] = stalls.sort((a, b) => b.longestMs - a.longestMs);
      return worst === undefined ? [] : [{ variant: name, ...worst }];
    });
  },
  words: ({ variant, step, takes, longestMs, medianMs, hiddenCalls, calls }) => ({
    what: `${variant} stalled${atStep(step)}: ${plural(takes, 'take')} took up to ${duration(longestMs)}, but p50 is ${duration(medianMs)}; its p95 and p99 may be far too low`,
    cause: `closed load starts no new takes while the service stalls: about ${plural(Math.round(hiddenCalls), 'take')} that would have waited are missing, beside the ${count(calls)} made (coordinated omission)`,
    remedy:
      'measure with load.mode: open, which starts takes at scheduled times and counts latency from then; closed load cannot show how long new callers would have waited',
  }),
  example: { variant: 'standard', step: null, takes: 1, longestMs: 2100, medianMs: 100, hiddenCalls: 20.2, calls: 60 },
});

/** At most one. */
function stallsIn(samples: readonly EffectiveSample[]) {
  // A single call may be lost without a stall, and a time-out ranks above every latency anyway.
  const latencies = samples.flatMap(({ outcome, timings }) =>
    outcome === 'ok' && timings.totalMs !== null ? [timings.totalMs] : [],
  );
  if (latencies.length < FEWEST_TAKES) return [];
  const medianMs = median(sortSample(latencies)) ?? 0;
  const long = latencies.filter((ms) => ms > TIMES_MEDIAN * medianMs && ms - medianMs > LONGER_BY_MS);
  if (long.length === 0 || medianMs === 0) return [];
  const hiddenCalls = sum(long.map((ms) => ms / medianMs - 1));
  if (hiddenCalls < FEWEST_HIDDEN * latencies.length) return [];
  const longestMs = long.reduce((most, ms) => Math.max(most, ms), 0);
  return [{ takes: long.length, longestMs, medianMs, hiddenCalls, calls: latencies.length }];
}
