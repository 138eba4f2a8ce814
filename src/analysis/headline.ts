import type { Load } from '../suite/load.ts';
import type { EffectiveOutcome, EffectiveSample } from './effective-sample.ts';

export type HeadlineLatency = 'latency.total' | 'latency.response';

/** Open load counts from the due time, which includes a late start; closed load has no due time. */
export function headlineLatency({ mode }: Pick<Load, 'mode'>): HeadlineLatency {
  return mode === 'open' ? 'latency.response' : 'latency.total';
}

/** In milliseconds; null if the sample has none. */
export function headlineMs({ timings }: EffectiveSample, load: Pick<Load, 'mode'>): number | null {
  return load.mode === 'open' ? timings.responseMs : timings.totalMs;
}

/** In milliseconds: ok samples, and timed-out ones as `Infinity`. */
export function headlineValues(samples: readonly EffectiveSample[], load: Pick<Load, 'mode'>): number[] {
  return samples.flatMap((effective) => {
    if (effective.outcome !== 'ok' && effective.outcome !== 'timed_out') return [];
    const ms = headlineMs(effective, load);
    if (ms !== null) return [ms];
    return effective.outcome === 'timed_out' ? [Infinity] : [];
  });
}

/** Takes that slow_rate is a share of: their latency is known, or above every limit. */
export const SLOW_COUNTED: ReadonlySet<EffectiveOutcome> = new Set(['ok', 'timed_out']);

/** Open load times a take from when it was due. */
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
