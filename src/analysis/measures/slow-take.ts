import type { EffectiveOutcome } from '../effective-outcomes.ts';
import type { EffectiveSample } from '../effective-sample.ts';

/** What slow_rate is a share of: takes whose latency is known, or known to be above every limit. */
export const SLOW_COUNTED: ReadonlySet<EffectiveOutcome> = new Set(['ok', 'timed_out']);

/** Under open load a take is timed from when it was due. */
export function isSlow({ outcome, timings }: Pick<EffectiveSample, 'outcome' | 'timings'>, limitMs: number): boolean {
  const ms = timings.responseMs ?? timings.totalMs;
  return ms === null ? outcome === 'timed_out' : ms > limitMs;
}

export function slowStatistic(limitMs: number): string {
  return `rate_over_${limitMs}ms`;
}

export function goodStatistic(limitMs: number): string {
  return `rate_within_${limitMs}ms`;
}
