import { cellOf, isMeasured } from '../../plan/plan.ts';
import type { EffectiveSample, TimedSample } from '../effective-sample.ts';
import type { ProbeFindings } from '../probe.ts';
import type { VariantSummary } from '../summaries.ts';

export interface CachedScope {
  readonly variants: ReadonlySet<string>;
  /** Variants of these kinds are timed alike, to stay comparable. */
  readonly kinds: ReadonlySet<string>;
}

export function cachedScope(
  variants: readonly Pick<VariantSummary, 'name' | 'kind'>[],
  findings: readonly ProbeFindings[],
): CachedScope {
  const cached = new Set(findings.filter(({ cache }) => cache?.code === 'cached').map(({ variant }) => variant));
  return {
    variants: cached,
    kinds: new Set(variants.filter(({ name }) => cached.has(name)).map(({ kind }) => kind)),
  };
}

/**
 * Times count of measured trials. Where a kind has a variant that is served from a cache, only first takes of cells
 * count, for all variants of the kind, so that they stay comparable. What the service says came from a cache does not
 * count, nor does a blank output: it was not generated.
 *
 * @param samples in the order they were sent
 */
export function markTimed(samples: readonly EffectiveSample[], { kinds }: CachedScope): readonly TimedSample[] {
  const seen = new Set<string>();
  const counts = (effective: EffectiveSample): boolean => {
    const { trial, reported } = effective.sample;
    if (!isMeasured(trial) || effective.outcome === 'blank') return false;
    if (!kinds.has(trial.kind)) return true;
    const cell = cellOf(trial);
    if (seen.has(cell)) return false;
    seen.add(cell);
    return reported.cached !== true;
  };
  return samples.map((effective) => ({ ...effective, timed: counts(effective) }));
}
