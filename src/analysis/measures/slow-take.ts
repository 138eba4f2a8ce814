import type { EffectiveOutcome } from '../effective-outcomes.ts';
import type { EffectiveSample } from '../effective-sample.ts';

/** What slow_rate is a share of: takes whose latency is known, or known to be above every limit. */
export const SLOW_COUNTED: ReadonlySet<EffectiveOutcome> = new Set(['ok', 'timed_out']);

/** Whether a delivered or timed-out take took longer than a limit: under open load from when it was due. */
export function isSlow({ outcome, timings }: Pick<EffectiveSample, 'outcome' | 'timings'>, limitMs: number): boolean {
  const ms = timings.responseMs ?? timings.totalMs;
  return ms === null ? outcome === 'timed_out' : ms > limitMs;
}

/** The statistic of a limit: `rate_over_10000ms`. */
export function slowStatistic(limitMs: number): string {
  return `rate_over_${limitMs}ms`;
}

/** The statistic of throughput within a limit: `rate_within_10000ms`. */
export function goodStatistic(limitMs: number): string {
  return `rate_within_${limitMs}ms`;
}
