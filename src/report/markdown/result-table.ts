import type { Analysis, VariantSummary } from '../../analysis/analysis.ts';
import { headlineLatency } from '../../analysis/samples/headline.ts';
import type { Comparison } from '../../compare/comparison.ts';
import { count, duration, durationInterval, durationUnit, share, shareInterval, usd } from '../../text/quantity.ts';
import { headlineComparisons } from '../statements/comparison-statement.ts';
import { sameOutputs } from '../statements/sameness.ts';
import { speedEvidence, speedWords } from '../statements/speed-statement.ts';
import { type Measures, measuresOf, type Statement, statementOf } from '../statements/statement.ts';
import { sweepSteps } from '../words/load-words.ts';
import { noteWords } from '../words/note-words.ts';
import { markdownTable } from './markdown-text.ts';

interface Column {
  readonly head: string;
  readonly of: (variant: VariantSummary) => string;
}

/** The variants of a kind in one table of at most eight columns, those of the page: speed, latency, sameness, errors, cost. */
export function resultTable(
  variants: readonly VariantSummary[],
  analysis: Analysis,
  comparisons: readonly Comparison[],
): readonly string[] {
  const measures = measuresOf(analysis);
  const { load } = analysis.run.plan;
  const names = new Set(variants.map(({ name }) => name));
  const headlines = headlineComparisons(comparisons, load).filter(
    ({ variant, step }) => step === null && names.has(variant),
  );
  const columns: readonly Column[] = [
    { head: 'Variant', of: ({ name }) => name },
    ...(headlines.length === 0 ? [] : [speedColumn(headlines)]),
    ...(sweepSteps(load) !== null ? [kneeColumn(measures)] : latencyColumns(variants, headlineLatency(load), measures)),
    {
      head: 'Same output',
      of: (variant) => {
        const { value, bound, shortBound } = sameOutputs(variant, analysis.cells, measures);
        return value === null ? `– ${bound}` : [value, shortBound].filter((part) => part !== '').join('; ');
      },
    },
    rateColumn('Errors', 'error_rate', measures),
    ...(variants.some(({ name }) => (measures(name, 'block_rate', 'rate')?.value ?? 0) > 0)
      ? [rateColumn('Blocked', 'block_rate', measures)]
      : []),
    ...(variants.some(({ name }) => typeof measures(name, 'cost.per_output', 'mean')?.value === 'number')
      ? [costColumn(measures)]
      : []),
  ];
  return markdownTable(
    columns.map(({ head }) => head),
    variants.map((variant) => columns.map(({ of }) => of(variant))),
    'variant',
  );
}

function speedColumn(headlines: readonly Comparison[]): Column {
  return {
    head: 'Speed against baseline',
    of: ({ name, baseline }) => {
      // Against the stored baseline only where there is none against the baseline variant.
      const own = headlines.filter(({ variant }) => variant === name);
      const comparison = own.find(({ baselineRun }) => baselineRun === null) ?? own[0];
      if (comparison === undefined) return baseline ? 'baseline' : '–';
      if (comparison.value === null) return '– not compared';
      const evidence = speedEvidence(comparison);
      return `${speedWords(comparison.value)}${evidence.startsWith('[') ? '' : ','} ${evidence}`;
    },
  };
}

function latencyColumns(variants: readonly VariantSummary[], metric: string, measures: Measures): readonly Column[] {
  const unit = durationUnit(variants.map(({ name }) => measures(name, metric, 'p50')?.value ?? null));
  return ['p50', 'p95'].map((statistic) => ({
    head: `Latency ${statistic}`,
    of: ({ name }) =>
      stated(
        statementOf(
          measures(name, metric, statistic),
          (ms) => duration(ms, unit),
          (low, high) => durationInterval(low, high, unit),
        ),
      ),
  }));
}

function kneeColumn(measures: Measures): Column {
  return {
    head: 'Knee',
    of: ({ name }) => {
      const measure = measures(name, 'knee', 'concurrency');
      if (measure === null) return '– not measured';
      return measure.value === null ? `– ${noteWords(measure.notes)}` : `concurrency ${count(measure.value)}`;
    },
  };
}

function rateColumn(head: string, metric: string, measures: Measures): Column {
  return {
    head,
    of: ({ name }) => {
      const measure = measures(name, metric, 'rate');
      const { value, interval, notes, n } = statementOf(measure, share, shareInterval);
      if (measure === null || measure.value === null) return stated({ value, interval, notes, n });
      const failed = `${count(Math.round(measure.value * n))} of ${count(n)}`;
      return interval === null ? [failed, ...notes.slice(0, 1)].join('; ') : `${failed} [${interval}]`;
    },
  };
}

function costColumn(measures: Measures): Column {
  return {
    head: 'Cost per output',
    of: ({ name }) =>
      stated(statementOf(measures(name, 'cost.per_output', 'mean'), usd, (low, high) => `${usd(low)} – ${usd(high)}`)),
  };
}

/** A value with its interval, or with the first reason why it has none. */
function stated({ value, interval, notes }: Statement): string {
  const [why] = notes;
  if (value === null) return why === undefined ? '–' : `– ${why}`;
  if (interval !== null) return `${value} [${interval}]`;
  return why === undefined ? value : `${value}; ${why}`;
}
