import { sum } from '../../statistics/samples/mean.ts';
import { median, sortSample } from '../../statistics/samples/quantile.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import type { WarningOf } from '../warning-codes/coded-warning.ts';
import type { WarningRule } from './evidence.ts';

/** A latency this many times the median is no ordinary slow call ... */
const TIMES_MEDIAN = 10;
/** ... if it is also longer by this much: short latencies spread by tens of milliseconds for any reason. */
const LONGER_BY_MS = 500;
/** Calls that were never begun matter to a tail once they are this share of those that were. */
const FEWEST_HIDDEN = 0.01;
/** A median of fewer has no interval: what is ordinary is not known. */
const FEWEST_TAKES = 6;

/**
 * Closed load in which the service stalled: what callers arriving meanwhile would have met is not in the numbers
 * (coordinated omission; Tene, How NOT to measure latency, 2013). Said where calls took over ten times their variant's
 * median and half a second more, and the calls that would have begun meanwhile (each such latency over the median) are
 * at least 1 % of all: then a p99 is too low.
 */
export const closedStalls: WarningRule = ({ plan: { load }, variants, trials }) => {
  if (load.mode !== 'closed') return [];
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return variants.flatMap(({ name }): WarningOf<'service_stalled'>[] => {
    // Each step of a sweep has latencies of its own.
    const loads = groupBy(byVariant.get(name) ?? [], ({ sample }) => sample.trial.step ?? null);
    const stalls = [...loads].flatMap(([step, own]) => {
      const stall = stallOf(own);
      return stall === null ? [] : [{ step, ...stall }];
    });
    const [worst] = [...stalls].sort((a, b) => b.longestMs - a.longestMs);
    return worst === undefined ? [] : [{ code: 'service_stalled', variant: name, ...worst }];
  });
};

type Stall = Pick<WarningOf<'service_stalled'>, 'takes' | 'longestMs' | 'medianMs' | 'hiddenCalls' | 'calls'>;

function stallOf(samples: readonly EffectiveSample[]): Stall | null {
  // A call that timed out may have been lost alone, and ranks above every latency anyway.
  const latencies = samples.flatMap(({ outcome, timings }) =>
    outcome === 'ok' && timings.totalMs !== null ? [timings.totalMs] : [],
  );
  if (latencies.length < FEWEST_TAKES) return null;
  const medianMs = median(sortSample(latencies)) ?? 0;
  const long = latencies.filter((ms) => ms > TIMES_MEDIAN * medianMs && ms - medianMs > LONGER_BY_MS);
  if (long.length === 0 || medianMs === 0) return null;
  const hiddenCalls = sum(long.map((ms) => ms / medianMs - 1));
  if (hiddenCalls < FEWEST_HIDDEN * latencies.length) return null;
  return {
    takes: long.length,
    longestMs: long.reduce((most, ms) => Math.max(most, ms), 0),
    medianMs,
    hiddenCalls,
    calls: latencies.length,
  };
}
