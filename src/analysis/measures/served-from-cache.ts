import type { VariantSummary } from '../analysis.ts';
import { noted } from '../noted.ts';
import type { CachedScope } from '../probes/cached-scope.ts';
import type { Finding } from './measure.ts';
import type { Metric } from './metric.ts';

export function readCached(
  finding: Finding,
  { whenCached }: Pick<Metric, 'whenCached'>,
  { name, kind }: Pick<VariantSummary, 'name' | 'kind'>,
  { variants, kinds }: CachedScope,
): Finding {
  switch (whenCached) {
    case 'untestable':
      if (!variants.has(name)) return finding;
      return { ...finding, value: null, n: 0, interval: null, notes: [noted('not_testable'), noted('cached')] };
    case 'first_takes':
      return kinds.has(kind) ? { ...finding, notes: [...finding.notes, noted('first_takes')] } : finding;
    case 'with_repeats':
      return variants.has(name) ? { ...finding, notes: [...finding.notes, noted('cached_repeats')] } : finding;
    case 'as_is':
      return finding;
  }
}
