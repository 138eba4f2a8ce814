import type { Load } from '../../suite/format/load.ts';
import type { EffectiveSample } from '../effective-sample.ts';

export type HeadlineLatency = 'latency.total' | 'latency.response';

/** Open load counts from when a call was due, to include what kept it from starting. In closed load nothing is due. */
export function headlineLatency({ mode }: Pick<Load, 'mode'>): HeadlineLatency {
  return mode === 'open' ? 'latency.response' : 'latency.total';
}

/** In milliseconds; null where the sample has none. */
export function headlineMs({ timings }: EffectiveSample, load: Pick<Load, 'mode'>): number | null {
  return load.mode === 'open' ? timings.responseMs : timings.totalMs;
}

/** In milliseconds: samples that are ok, and timed-out ones as `Infinity`. */
export function headlineValues(samples: readonly EffectiveSample[], load: Pick<Load, 'mode'>): number[] {
  return samples.flatMap((effective) => {
    if (effective.outcome !== 'ok' && effective.outcome !== 'timed_out') return [];
    const ms = headlineMs(effective, load);
    if (ms !== null) return [ms];
    return effective.outcome === 'timed_out' ? [Infinity] : [];
  });
}
