import type { EffectiveSample } from '../analysis/effective-sample.ts';
import type { Comparison } from '../compare/comparison.ts';
import type { RuleResult } from '../compare/gate/verdict.ts';
import { COMPARISON_COLUMNS, type ComparisonRow } from './csv/comparison-columns.ts';
import { MEASURE_COLUMNS } from './csv/measure-columns.ts';
import { SAMPLE_COLUMNS, type SampleRow } from './csv/sample-columns.ts';
import { table } from './csv/table.ts';
import type { Reporter, ReportSource } from './reporter.ts';

/** Rows of samples.csv are in the order they were sent, of a merged run in that of the plan. */
export const csv: Reporter<'csv'> = {
  format: 'csv',
  description: 'all tables',
  files: ['samples.csv', 'measures.csv', 'comparisons.csv'],
  render: ({ analysis, samples, comparisons, verdict }: ReportSource) => {
    const targets = new Map(analysis.variants.map((variant) => [variant.name, variant.target]));
    const merged = analysis.run.shards?.merged ?? [];
    const shards = new Map(
      merged.flatMap(({ index, segments }) => segments.map((segment) => [segment, index] as const)),
    );
    const tags = new Map(analysis.prompts.map((prompt) => [prompt.id, prompt.tags]));
    const sampleRow = (effective: EffectiveSample): SampleRow => ({
      ...effective,
      run: analysis.run.id,
      label: analysis.run.label,
      target: targets.get(effective.sample.trial.variant) ?? null,
      tags: tags.get(effective.sample.trial.prompt) ?? [],
      shard: shards.get(effective.sample.segment) ?? analysis.run.shard?.index ?? null,
    });
    const comparisonRow = (comparison: Comparison): ComparisonRow => ({
      ...comparison,
      verdict: verdict.rules.find((result) => isAbout(result, comparison))?.verdict ?? null,
    });
    return [
      { name: 'samples.csv', content: table(SAMPLE_COLUMNS, samples, sampleRow) },
      { name: 'measures.csv', content: table(MEASURE_COLUMNS, analysis.measures, (measure) => measure) },
      { name: 'comparisons.csv', content: table(COMPARISON_COLUMNS, comparisons, comparisonRow) },
    ];
  },
};

/** Whether a rule was decided on the blocks of a comparison: all of them, as independent units. */
function isAbout({ rule, variant, against, units }: RuleResult, comparison: Comparison): boolean {
  return (
    variant === comparison.variant &&
    against === comparison.baseline &&
    rule.metric === comparison.metric &&
    (rule.statistic ?? comparison.statistic) === comparison.statistic &&
    rule.prompts === null &&
    rule.tags === null &&
    units === comparison.scope.of
  );
}
