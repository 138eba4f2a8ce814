import type { Measure } from './analysis.ts';

/** What a cache does to a variant's measures. */
export interface CachedScope {
  /** Variants whose repeats come from a cache. */
  readonly variants: ReadonlySet<string>;
  /** Their kinds: all variants of these have their latency taken alike. */
  readonly kinds: ReadonlySet<string>;
}

/** The note of a measure of determinism whose takes came from a cache. */
export const UNTESTABLE = 'not testable: cached';

/**
 * A measure as it reads where repeats come from a cache: that two of them are equal says nothing of the model, a latency is
 * of first takes, and a throughput counts what was only handed out.
 */
export function readCached(measure: Measure, { variants, kinds }: CachedScope): Measure {
  const { metric, variant, kind } = measure;
  if (metric.startsWith('determinism.') && variants.has(variant)) {
    return { ...measure, value: null, n: 0, ciLow: null, ciHigh: null, ciLevel: null, note: UNTESTABLE };
  }
  if (metric.startsWith('latency.') && metric !== 'latency.cold' && kinds.has(kind)) {
    return noted(measure, 'first takes alone: cached');
  }
  if ((metric === 'throughput' || metric === 'knee') && variants.has(variant)) {
    return noted(measure, 'repeats from a cache among them');
  }
  return measure;
}

function noted(measure: Measure, words: string): Measure {
  return { ...measure, note: measure.note === '' ? words : `${measure.note}; ${words}` };
}
