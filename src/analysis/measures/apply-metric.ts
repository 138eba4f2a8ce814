import type { Finding, Metric, Subject } from '../metric.ts';
import { noted } from '../note.ts';
import type { CachedScope } from '../probes/cached-scope.ts';
import type { Measure, MeasuredMetric, VariantSummary } from '../summaries.ts';
import { CONFIDENCE } from './confidence.ts';

function readCached(
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

/** What a metric finds of a subject, as measures. */
export function applyMetric(metric: Metric, subject: Subject, cached: CachedScope): readonly Measure[] {
  const { variant, prompt, step } = subject;
  return metric.measure(subject).map((finding): Measure => {
    const { statistic, value, n, interval, method, notes } = readCached(finding, metric, variant, cached);
    const { unit, better } = { unit: metric.unit, better: metric.better, ...metric.statistics?.[statistic] };
    return {
      variant: variant.name,
      kind: variant.kind,
      prompt,
      step,
      metric: metric.name,
      statistic,
      value,
      unit,
      better,
      n,
      ciLow: interval?.low ?? null,
      ciHigh: interval?.high ?? null,
      ciLevel: interval === null ? null : CONFIDENCE,
      method,
      notes,
    };
  });
}

export function measuredMetrics(metrics: readonly Metric[], measures: readonly Measure[]): readonly MeasuredMetric[] {
  const measured = new Set(measures.map(({ metric }) => metric));
  return metrics
    .filter(({ name }) => measured.has(name))
    .map(({ name, meaning, unit, better }) => ({ name, meaning, unit, better }));
}
