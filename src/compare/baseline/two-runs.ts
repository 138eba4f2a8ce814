import type { AnalysedRun } from '../../analysis/analyse.ts';
import type { Measure } from '../../analysis/analysis.ts';
import type { Metric } from '../../analysis/measures/metric.ts';
import type { Missing, Run } from '../../record/model/run.ts';
import { againstBaseline } from './against-baseline.ts';
import { baselineFrom } from './keep.ts';
import { type NumberOfRun, numberOfRun, overPrompts, type SequentialRatio, sequentialRatios } from './sequential.ts';
import { DIGEST_LEVELS } from './stability.ts';
import { stabilityAt, type VariantStability } from './stability-of-variants.ts';

/**
 * Two runs, one after the other, by the variants and cells that both have. Plain data: what `retake compare --json`
 * prints.
 */
export interface TwoRuns {
  readonly before: string;
  readonly after: string;
  readonly commonCells: number;
  readonly latency: readonly SequentialRatio[];
  readonly rates: readonly SequentialRate[];
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

export interface RunWithAnalysis {
  readonly run: Run;
  readonly analysed: AnalysedRun;
}

const RATES = ['error_rate', 'block_rate'] as const;

/** Puts two runs beside each other. It decides nothing: whatever changed between them is in the numbers. */
export function compareRuns(
  { run: earlier, analysed: then }: RunWithAnalysis,
  { run, analysed }: RunWithAnalysis,
  metrics: readonly Metric[],
): TwoRuns {
  const baseline = baselineFrom(earlier, then, metrics);
  const against = againstBaseline(baseline, run, analysed, metrics);
  const { cells, missing } = against;
  const known = new Set(baseline.variants.map(({ name }) => name));
  const stability = analysed.analysis.variants.flatMap((variant) => stabilityAt(DIGEST_LEVELS, variant, against));
  return {
    before: earlier.id,
    after: run.id,
    commonCells: stability.reduce((sum, { level, common }) => sum + (level === 'byte' ? common : 0), 0),
    latency: sequentialRatios(against.baseline, { cells, measures: overPrompts(analysed.analysis) }, run.plan.load),
    rates: analysed.analysis.variants
      .filter(({ name }) => known.has(name))
      .flatMap(({ name }) => ratesOf(name, then.analysis.measures, analysed.analysis.measures)),
    stability,
    missing,
  };
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
