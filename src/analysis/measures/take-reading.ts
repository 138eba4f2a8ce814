import type { EffectiveSample } from '../effective-sample.ts';

/** A metric declares it, so that variants are compared block by block by code that knows no metric by name. */
export type TakeReading = ValueReading | EventReading;

export interface ValueReading {
  readonly statistic: string;
  /** `ratio`: candidate / baseline, of values above 0; `difference`: candidate - baseline, in the metric's unit. */
  readonly effect: 'ratio' | 'difference';
  /** Null where the take does not count; `Infinity` where it timed out and so lasted longer than every other. */
  readonly read: (take: EffectiveSample) => number | null;
}

export interface EventReading {
  readonly statistic: string;
  readonly effect: 'rate';
  readonly read: (take: EffectiveSample) => boolean | null;
}
