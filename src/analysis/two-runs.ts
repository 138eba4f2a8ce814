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

/**
 * Two runs, one after the other, by the variants and cells that both have. Plain data: what `retake compare --json`
 * prints.
 */
export interface TwoRuns {
  readonly before: string;
  readonly after: string;
  /** Where calls were sent from; null: not known. Left out where that is known of neither run. */
  readonly vantages?: { readonly before: string | null; readonly after: string | null };
  /** Why latencies of a run are not to be used, or may be those of its machine. */
  readonly unfit: readonly { readonly run: string; readonly warning: Warning }[];
  readonly commonCells: number;
  readonly latency: readonly SequentialRatio[];
  readonly rates: readonly SequentialRate[];
  /** Means that both runs have; left out where there is none. */
  readonly scores?: readonly SequentialScore[];
  /** Of each variant at each level that digests tell. */
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
  /** Null where another version of the scorer gave those of one run: they say nothing beside each other. */
  readonly means: SequentialNumbers | null;
}

export interface RunWithAnalysis {
  readonly run: Run;
  readonly analysed: AnalysedRun;
}

const RATES = ['error_rate', 'block_rate'] as const;

/** Puts two runs of one history beside each other. It decides nothing: all that changed between them is in the numbers. */
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

/** What is said of a run's latencies before them. */
export function unfitOf(run: string, { warnings }: Pick<Analysis, 'warnings'>): TwoRuns['unfit'] {
  return warnings
    .filter(({ unfit, code }) => unfit === true || code === 'unfit_machine')
    .map((warning) => ({ run, warning }));
}

/** Of a sweep there is no mean over all steps. */
function scoresOf(then: Analysis, now: Analysis): readonly SequentialScore[] {
  const means = (analysis: Analysis, metrics: readonly string[]) =>
    analysis.measures.filter(
      ({ metric, prompt, step, value }) =>
        prompt === null && step === null && value !== null && metrics.includes(metric),
    );
  return (now.scorers ?? []).flatMap(({ scorer, metrics, source }) => {
    const before = then.scorers?.find((each) => each.scorer === scorer);
    const isSame = isComparable(before?.source ?? null, source);
    return means(now, metrics).flatMap((after) => {
      const { variant, metric, unit } = after;
      const own = means(then, before?.metrics ?? []).find((each) => each.variant === variant && each.metric === metric);
      if (own === undefined) return [];
      return [
        {
          variant,
          metric,
          unit,
          means: isSame
            ? {
                before: numberOfRun(own),
                after: numberOfRun(after),
                sameCells: areSameCells(variant, then.cells, now.cells),
              }
            : null,
        },
      ];
    });
  });
}

/** Files of values differ from run to run; a program must be the same in all that it says of itself. */
function isComparable(a: ScorerSummary['source'], b: ScorerSummary['source']): boolean {
  if (a === null || b === null) return false;
  return a.by === b.by || (a.declared.use === 'file' && JSON.stringify(a.declared) === JSON.stringify(b.declared));
}

/** Both runs' rates over all prompts; a sweep has no such rates. */
function ratesOf(variant: string, before: readonly Measure[], after: readonly Measure[]): readonly SequentialRate[] {
  return RATES.flatMap((metric) => {
    const [then, now] = [before, after].map((measures) =>
      measures.find(
        (each) => each.variant === variant && each.metric === metric && each.prompt === null && each.step === null,
      ),
    );
    return then === undefined || now === undefined
      ? []
      : [{ variant, metric, before: numberOfRun(then), after: numberOfRun(now) }];
  });
}
