import type { Analysis, VariantSummary } from '../../analysis/analysis.ts';
import { headlineLatency } from '../../analysis/samples/headline.ts';
import type { Comparison } from '../../compare/comparison.ts';
import {
  count,
  type DurationUnit,
  duration,
  durationInterval,
  share,
  shareInterval,
  usd,
} from '../../text/quantity.ts';
import { headlineComparisons, isCompared } from '../statements/comparison-statement.ts';
import { latencyUnits } from '../statements/latency-unit.ts';
import { sameOutputs } from '../statements/sameness.ts';
import { speedEvidence } from '../statements/speed-statement.ts';
import { type Measures, measuresOf, type Statement, statementOf } from '../statements/statement.ts';
import { noteWords } from '../words/measures/note-words.ts';
import { speedWords } from '../words/measures/speed-words.ts';
import { LEVEL_WORDS } from '../words/outputs/level-words.ts';
import { sweepSteps } from '../words/run/load-words.ts';
import { variantNames } from '../words/run/variant-names.ts';
import { markdownTable, markdownText } from './markdown-text.ts';

interface Column {
  readonly head: string;
  readonly of: (variant: VariantSummary) => string;
}

/** The measured variants of a kind, at most so many, in one table of at most eight columns, those of the page: speed, latency, sameness, errors, cost. Rows without a number would hide them: others are only named. */
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
  const measures = measuresOf(analysis);
  const { load } = analysis.run.plan;
  const names = new Set(variants.map(({ name }) => name));
  const headlines = headlineComparisons(comparisons, load).filter(
    ({ variant, step }) => step === null && names.has(variant),
  );
  const columns: readonly Column[] = [
    { head: 'Variant', of: ({ name }) => name },
    ...speedColumns(headlines),
    ...(sweepSteps(load) !== null
      ? [kneeColumn(measures)]
      : latencyColumns(headlineLatency(load), measures, latencyUnits(analysis)(variants[0]?.name ?? ''))),
    {
      head: 'Equal repeats',
      of: (variant) => {
        const { value, level, bound, shortBound } = sameOutputs(variant, analysis.cells, measures);
        if (value === null) return `– ${bound}`;
        return [`${value} ${LEVEL_WORDS[level].same}`, shortBound].filter((part) => part !== '').join('; ');
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
  const table = markdownTable(
    columns.map(({ head }) => head),
    variants.map((variant) => columns.map(({ of }) => of(variant))),
    'variant',
    most,
  );
  return unmeasured.length === 0 ? table : [...table, '', ...unmeasured];
}

/** Against the baseline variant of the kind, and where variants of the stored baseline were sent again, against these. */
function speedColumns(headlines: readonly Comparison[]): readonly Column[] {
  const columns = [
    { head: 'Speed against baseline variant', own: headlines.filter(({ baselineRun }) => baselineRun === null) },
    { head: 'Against stored baseline', own: headlines.filter(({ baselineRun }) => baselineRun !== null) },
  ];
  return columns.flatMap(({ head, own }) => (own.length === 0 ? [] : [speedColumn(head, own)]));
}

function speedColumn(head: string, comparisons: readonly Comparison[]): Column {
  const baselines = new Set(comparisons.map(({ baseline }) => baseline));
  return {
    head,
    of: ({ name }) => {
      const comparison = comparisons.find(({ variant }) => variant === name);
      if (comparison === undefined) return baselines.has(name) ? 'baseline' : '–';
      const { interval, remark } = speedEvidence(comparison);
      if (comparison.value === null || !isCompared(comparison)) return `– ${remark}`;
      return `${speedWords(comparison.value)}${interval === null ? '' : ` ${interval}`}${remark === null ? '' : `, ${remark}`}`;
    },
  };
}

function latencyColumns(metric: string, measures: Measures, unit: DurationUnit): readonly Column[] {
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
