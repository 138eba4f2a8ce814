import type { Analysis } from '../../analysis/analysis.ts';
import type { Comparison } from '../../analysis/comparison.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { variantNames } from '../../kit/names.ts';
import { comparedSpeed, headlineComparisons } from '../comparison-statement.ts';
import { type ResultCell, type ResultColumn, resultColumns } from '../result-columns.ts';
import { markdownTable, markdownText } from './markdown-text.ts';

/** A comment has no room for more columns. Sentences compare the scores. */
const LEFT_TO_THE_PAGE: ReadonlySet<ResultColumn['id']> = new Set(['dropped', 'score', 'throughput']);

interface MarkdownColumn {
  readonly head: string;
  readonly of: (variant: VariantSummary) => string;
}

/** At most eight columns of the page. Variants without a number are only named: their rows would hide the others. */
export function resultTable(
  all: readonly VariantSummary[],
  analysis: Analysis,
  comparisons: readonly Comparison[],
  most: number,
): readonly string[] {
  const variants = all.filter(({ plannedTrials, missing }) => plannedTrials > missing);
  const others = all.filter((variant) => !variants.includes(variant)).map(({ name }) => name);
  const unmeasured = others.length === 0 ? [] : [`Not measured: ${markdownText(variantNames(others, all.length))}.`];
  if (variants.length === 0) return unmeasured;
  const { load } = analysis.run.plan;
  const names = new Set(variants.map(({ name }) => name));
  const headlines = headlineComparisons(comparisons, load).filter(
    ({ variant, step }) => step === null && names.has(variant),
  );
  const columns: readonly MarkdownColumn[] = [
    { head: 'Variant', of: ({ name }) => name },
    ...speedColumns(headlines),
    ...resultColumns(analysis, variants)
      .filter(({ id }) => !LEFT_TO_THE_PAGE.has(id))
      .map(({ head, cell }) => ({ head, of: (variant: VariantSummary) => stated(cell(variant)) })),
  ];
  const table = markdownTable(
    columns.map(({ head }) => head),
    variants.map((variant) => columns.map(({ of }) => of(variant))),
    'variant',
    most,
  );
  return unmeasured.length === 0 ? table : [...table, '', ...unmeasured];
}

function speedColumns(headlines: readonly Comparison[]): readonly MarkdownColumn[] {
  const columns = [
    { head: 'Speed against baseline variant', own: headlines.filter(({ baselineRun }) => baselineRun === null) },
    { head: 'Against stored baseline', own: headlines.filter(({ baselineRun }) => baselineRun !== null) },
  ];
  return columns.flatMap(({ head, own }) => (own.length === 0 ? [] : [speedColumn(head, own)]));
}

function speedColumn(head: string, comparisons: readonly Comparison[]): MarkdownColumn {
  const baselines = new Set(comparisons.map(({ baseline }) => baseline));
  return {
    head,
    of: ({ name }) => {
      const comparison = comparisons.find(({ variant }) => variant === name);
      if (comparison === undefined) return baselines.has(name) ? 'baseline' : '–';
      const { speed, interval, remark } = comparedSpeed(comparison);
      return speed === null ? `– ${remark}` : `${speed} ${interval}${remark === null ? '' : `, ${remark}`}`;
    },
  };
}

function stated({ value, interval, beside }: ResultCell): string {
  if (value === null) return beside === '' ? '–' : `– ${beside}`;
  if (interval !== null) return `${value} ${beside}`;
  return beside === '' ? value : `${value}; ${beside}`;
}
