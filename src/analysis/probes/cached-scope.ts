import { cellOf, isMeasured } from '../../plan/plan.ts';
import type { EffectiveSample, TimedSample } from '../effective-sample.ts';
import type { ProbeFindings } from '../probe.ts';
import type { VariantSummary } from '../summaries.ts';

export interface CachedScope {
  readonly variants: ReadonlySet<string>;
  /** Variants of these kinds are all timed alike, so that they stay comparable. */
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

/** First takes alone count for a kind with a cached variant. Outputs not generated (cached, blank) never do. */
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
