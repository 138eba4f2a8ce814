import type { Unit } from '../kit/value-words.ts';
import type { HistoryLine } from '../record/kept-run.ts';
import type { Missing, Run } from '../record/run.ts';
import type { AnalysedRun } from './analyse.ts';
import type { Analysis } from './analysis.ts';
import { baselineFrom } from './baseline.ts';
import type { Metric } from './metric.ts';
import type { ScorerSummary } from './score-summaries.ts';
import {
  areSameCells,
  type NumberOfRun,
  numberOfRun,
  overPrompts,
  type SequentialNumbers,
  type SequentialRatio,
  sequentialRatios,
} from './sequential.ts';
import { againstBaseline, DIGEST_LEVELS, stabilityAt, type VariantStability } from './stability.ts';
import type { Measure } from './summaries.ts';
import type { Warning } from './warnings.ts';

/** Two consecutive runs by their common cells: what `retake compare --json` prints. */
export interface TwoRuns {
  readonly before: string;
  readonly after: string;
  /** Where calls were sent from; null if unknown. Absent if unknown for both runs. */
  readonly vantages?: { readonly before: string | null; readonly after: string | null };
  /** Why latencies of a run are not to be used, or may reflect its machine. */
  readonly unfit: readonly { readonly run: string; readonly warning: Warning }[];
  readonly commonCells: number;
  readonly latency: readonly SequentialRatio[];
  readonly rates: readonly SequentialRate[];
  /** Means in both runs; absent without one. */
  readonly scores?: readonly SequentialScore[];
  /** Per variant and level that digests can decide. */
  readonly stability: readonly VariantStability[];
  readonly missing: readonly Missing[];
}

export interface SequentialRate {
  readonly variant: string;
  readonly metric: (typeof RATES)[number];
  readonly before: NumberOfRun;
  readonly after: NumberOfRun;
}

export interface SequentialScore {
  readonly variant: string;
  readonly metric: string;
  readonly unit: Unit;
  /** Null if the scorer's version differs: then means are not comparable. */
  readonly means: SequentialNumbers | null;
}

export interface RunWithAnalysis {
  readonly run: Run;
  readonly analysed: AnalysedRun;
}

const RATES = ['error_rate', 'block_rate'] as const;

/** Compares two runs of one history without a decision: the numbers include every change between them. */
export function compareRuns(
  { run: earlier, analysed: then }: RunWithAnalysis,
  { run, analysed }: RunWithAnalysis,
  metrics: readonly Metric[],
  lines: readonly HistoryLine[],
): TwoRuns {
  const baseline = baselineFrom(earlier, then, metrics);
  const against = againstBaseline(baseline, run, analysed, metrics);
  const { cells, missing } = against;
  const known = new Set(baseline.variants.map(({ name }) => name));
  const stability = analysed.analysis.variants.flatMap((variant) => stabilityAt(DIGEST_LEVELS, variant, against));
  const scores = scoresOf(then.analysis, analysed.analysis);
  const vantages = { before: earlier.vantage ?? null, after: run.vantage ?? null };
  return {
    before: earlier.id,
    after: run.id,
    ...(vantages.before === null && vantages.after === null ? {} : { vantages }),
    unfit: [...unfitOf(earlier.id, then.analysis), ...unfitOf(run.id, analysed.analysis)],
    commonCells: stability.reduce((sum, { level, common }) => sum + (level === 'byte' ? common : 0), 0),
    latency: sequentialRatios(against.baseline, { cells, measures: overPrompts(analysed.analysis) }, run.plan.load, {
      pair: [earlier.id, run.id],
      lines,
    }),
    rates: analysed.analysis.variants
      .filter(({ name }) => known.has(name))
      .flatMap(({ name }) => ratesOf(name, then.analysis.measures, analysed.analysis.measures)),
    ...(scores.length === 0 ? {} : { scores }),
    stability,
    missing,
  };
}

/** Warnings to show before a run's latencies. */
export function unfitOf(run: string, { warnings }: Pick<Analysis, 'warnings'>): TwoRuns['unfit'] {
  return warnings
    .filter(({ unfit, code }) => unfit === true || code === 'unfit_machine')
    .map((warning) => ({ run, warning }));
}

/** A sweep has no mean over all steps. */
function scoresOf(then: Analysis, now: Analysis): readonly SequentialScore[] {
  const means = (analysis: Analysis, metrics: readonly string[]) =>
    analysis.measures.filter(
      ({ metric, prompt, step, value }) =>
        prompt === null && step === null && value !== null && metrics.includes(metric),
    );
  return (now.scorers ?? []).flatMap(({ scorer, metrics, source }) => {
    const before = then.scorers?.find((summary) => summary.scorer === scorer);
    const isSame = isComparable(before?.source ?? null, source);
    return means(now, metrics).flatMap((after) => {
      const { variant, metric, unit } = after;
      const matching = means(then, before?.metrics ?? []).find(
        (mean) => mean.variant === variant && mean.metric === metric,
      );
      if (matching === undefined) return [];
      return [
        {
          variant,
          metric,
          unit,
          means: isSame
            ? {
                before: numberOfRun(matching),
                after: numberOfRun(after),
                sameCells: areSameCells(variant, then.cells, now.cells),
              }
            : null,
        },
      ];
    });
  });
}

/** Files of values differ from run to run; a program must have the same identity. */
function isComparable(a: ScorerSummary['source'], b: ScorerSummary['source']): boolean {
  if (a === null || b === null) return false;
  return a.by === b.by || (a.declared.use === 'file' && JSON.stringify(a.declared) === JSON.stringify(b.declared));
}

function ratesOf(variant: string, before: readonly Measure[], after: readonly Measure[]): readonly SequentialRate[] {
  return RATES.flatMap((metric) => {
    const [then, now] = [before, after].map((measures) =>
      measures.find(
        (measure) =>
          measure.variant === variant && measure.metric === metric && measure.prompt === null && measure.step === null,
      ),
    );
    return then === undefined || now === undefined
      ? []
      : [{ variant, metric, before: numberOfRun(then), after: numberOfRun(now) }];
  });
}
