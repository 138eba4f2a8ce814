import type { Unit } from '../kit/value-words.ts';
import { cellOf } from '../plan/plan.ts';
import type { BaselineCell, BaselineMeasure, HistoryLine } from '../record/kept-run.ts';
import type { Missing, Run } from '../record/run.ts';
import { intervalOf } from '../statistics/pair-test.ts';
import { CONFIDENCE } from '../statistics/quantile.ts';
import { signedRankTest } from '../statistics/signed-rank.ts';
import type { Load } from '../suite/load.ts';
import type { AnalysedRun } from './analyse.ts';
import type { Analysis } from './analysis.ts';
import { commonCells, levelOver } from './decide-runs.ts';
import { cellsOfRun, comparableRuns, isBefore, type RunCells, type RunOfVariant } from './earlier-runs.ts';
import { headlineLatency } from './effective-sample.ts';
import type { Metric } from './metric.ts';
import type { ScorerSummary } from './output-summaries.ts';
import { baseOf, differenceMargin, spreadOf } from './run-spread.ts';
import { againstBaseline, baselineFrom, DIGEST_LEVELS, stabilityAt, type VariantStability } from './stability.ts';
import type { Measure } from './summaries.ts';
import type { Warning } from './warning.ts';

interface TwoOfHistory {
  readonly pair: readonly [earlier: string, later: string];
  readonly lines: readonly HistoryLine[];
}

interface ChangeOfRuns {
  /** Comparable runs with a cell in common, at most 30: those of the run that has fewer. */
  readonly earlierRuns: number;
  /** Change of the mean ln over these cells, and its 95 % margin; null with fewer than 8 earlier runs. */
  readonly change: { readonly ln: number; readonly reach: number } | null;
}

/** The margin is that of `differenceMargin`: the base of a run is the comparable ones before the later of the two. */
export function changeOfRuns({ lines, pair }: TwoOfHistory, variant: string, metric: string): ChangeOfRuns {
  const [one, other] = pair.map((run) => {
    const line = lines.find((candidate) => candidate.run === run);
    const of = line?.variants.find((summary) => summary.variant === variant);
    return line === undefined || of === undefined ? null : { line, of };
  });
  if (!one || !other) return { earlierRuns: 0, change: null };
  const later = isBefore(one.line, other.line) ? other.line : one.line;
  const cellsIn = ({ of }: Pick<RunOfVariant, 'of'>) => cellsOfRun(of, metric);
  const baseFor = ({ of: { comparableDigest } }: RunOfVariant) => {
    const runs = comparableRuns(lines, { variant, digest: comparableDigest });
    const counts = ({ line }: RunOfVariant) => !pair.includes(line.run) && isBefore(line, later);
    return baseOf(runs, runs.length, counts).map(cellsIn);
  };
  const bases = [baseFor(one), baseFor(other)] as const;
  const cells = commonCells([cellsIn(one), cellsIn(other), ...bases.flat()]);
  if (cells.length === 0) return { earlierRuns: 0, change: null };
  const earlierRuns = Math.min(...bases.map((base) => base.length));
  const levelOf = (run: RunCells) => levelOver(run, cells, 'increase');
  const [before, after] = [spreadOf(bases[0].map(levelOf)), spreadOf(bases[1].map(levelOf))];
  if (before === null || after === null) return { earlierRuns, change: null };
  const ln = levelOf(cellsIn(other)) - levelOf(cellsIn(one));
  return { earlierRuns, change: { ln, reach: differenceMargin([before, after], (1 + CONFIDENCE) / 2) } };
}

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

/** A number of one run with its two-sided 95 % interval; null if missing. */
interface NumberOfRun {
  readonly value: number | null;
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  readonly n: number;
}

export interface BothNumbers {
  readonly before: NumberOfRun;
  readonly after: NumberOfRun;
}

interface SequentialNumbers extends BothNumbers {
  /** Whether both runs have the same cells of the variant; else numbers and ratio are of different cells. */
  readonly sameCells: boolean;
}

/** A variant's latency in two consecutive runs. No rule uses the ratio: it includes changes of service and machine. */
export interface SequentialRatio extends Pick<ChangeOfRuns, 'earlierRuns'> {
  readonly variant: string;
  readonly metric: string;
  /** Later / earlier run, over common cells: Hodges-Lehmann, or with an interval the ratio of geometric means. */
  readonly ratio: number | null;
  /** Two-sided 95 %, from differences of earlier runs; null with fewer than 8 of them. */
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  /** Whether the interval excludes 1: a difference larger than usual between runs. */
  readonly toldApart: boolean;
  /** Two-sided 95 % over cells of both runs, without shared changes, so it proves no change. Null for too few cells. */
  readonly overCells: { readonly low: number; readonly high: number } | null;
  readonly cells: number;
  /** Cells that were faster in the later run. */
  readonly faster: number;
  /** Null if a run has none, as in a sweep. */
  readonly p50Ms: SequentialNumbers | null;
}

interface SequentialRate extends BothNumbers {
  readonly variant: string;
  readonly metric: (typeof RATES)[number];
}

interface SequentialScore {
  readonly variant: string;
  readonly metric: string;
  readonly unit: Unit;
  /** Null if the scorer's version differs: then means are not comparable. */
  readonly means: SequentialNumbers | null;
}

interface RunWithAnalysis {
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
  const against = againstBaseline(baselineFrom(earlier, then, metrics), run, analysed, metrics);
  const { baseline, cells, missing } = against;
  const now = { cells, measures: overPrompts(analysed.analysis) };
  const known = new Set(baseline.variants.map(({ name }) => name));
  const stability = analysed.analysis.variants.flatMap((variant) => stabilityAt(DIGEST_LEVELS, variant, against));
  const scores = scoresOf(then.analysis, analysed.analysis, baseline, now);
  const vantages = { before: earlier.vantage ?? null, after: run.vantage ?? null };
  return {
    before: earlier.id,
    after: run.id,
    ...(vantages.before === null && vantages.after === null ? {} : { vantages }),
    unfit: [...unfitOf(earlier.id, then.analysis), ...unfitOf(run.id, analysed.analysis)],
    commonCells: stability.reduce((sum, { level, common }) => sum + (level === 'byte' ? common : 0), 0),
    latency: sequentialRatios(baseline, now, run.plan.load, { pair: [earlier.id, run.id], lines }),
    rates: analysed.analysis.variants
      .filter(({ name }) => known.has(name))
      .flatMap(({ name: variant }) =>
        RATES.flatMap((metric) => {
          const numbers = numbersOf({ variant, metric, statistic: 'rate' }, baseline, now);
          return numbers === null ? [] : [{ variant, metric, before: numbers.before, after: numbers.after }];
        }),
      ),
    ...(scores.length === 0 ? {} : { scores }),
    stability,
    missing,
  };
}

/** Warnings to show before a run's latencies. */
function unfitOf(run: string, { warnings }: Pick<Analysis, 'warnings'>): TwoRuns['unfit'] {
  return warnings
    .filter(({ unfit, code }) => unfit?.of === 'latencies' || code === 'unfit_machine')
    .map((warning) => ({ run, warning }));
}

/** A sweep has no mean over all steps. */
function scoresOf(then: Analysis, now: Analysis, earlier: RunNumbers, later: RunNumbers): readonly SequentialScore[] {
  return (now.scorers ?? []).flatMap(({ scorer, metrics, source }) => {
    const before = then.scorers?.find((summary) => summary.scorer === scorer);
    const isSame = isComparable(before?.source ?? null, source);
    return now.measures.flatMap(({ variant, metric, statistic, unit, prompt, step }) => {
      if (prompt !== null || step !== null || !metrics.includes(metric)) return [];
      const means = before?.metrics.includes(metric) ? numbersOf({ variant, metric, statistic }, earlier, later) : null;
      if (means === null || means.before.value === null || means.after.value === null) return [];
      return [{ variant, metric, unit, means: isSame ? means : null }];
    });
  });
}

/** Files of values differ from run to run; a program must have the same identity. */
function isComparable(a: ScorerSummary['source'], b: ScorerSummary['source']): boolean {
  if (a === null || b === null) return false;
  return a.by === b.by || (a.declared.use === 'file' && JSON.stringify(a.declared) === JSON.stringify(b.declared));
}

/** What a stored baseline keeps of a run. */
interface RunNumbers {
  readonly cells: readonly BaselineCell[];
  /** Over all prompts. */
  readonly measures: readonly Pick<BaselineMeasure, 'variant' | 'step' | 'metric' | 'statistic' | keyof NumberOfRun>[];
}

/** The measures over all prompts, as a stored baseline keeps them. */
function overPrompts({ measures }: Pick<Analysis, 'measures'>): readonly Measure[] {
  return measures.filter(({ prompt }) => prompt === null);
}

export function sequentialRatios(
  earlier: RunNumbers,
  later: RunNumbers,
  load: Pick<Load, 'mode'>,
  history: TwoOfHistory,
): readonly SequentialRatio[] {
  const metric = headlineLatency(load);
  const now = new Map(later.cells.map((cell) => [cellOf(cell), cell]));
  const known = new Set(later.cells.map(({ variant }) => variant));
  const variants = [...new Set(earlier.cells.map(({ variant }) => variant))].filter((variant) => known.has(variant));
  return variants.map((variant): SequentialRatio => {
    const differences = earlier.cells.flatMap((cell): number[] => {
      if (cell.variant !== variant) return [];
      const before = cell.values[metric];
      const after = now.get(cellOf(cell))?.values[metric];
      return before === undefined || after === undefined || before <= 0 || after <= 0 ? [] : [Math.log(after / before)];
    });
    const test = signedRankTest(differences);
    const interval = intervalOf(test, CONFIDENCE);
    const { earlierRuns, change } = changeOfRuns(history, variant, metric);
    const [ciLow, ciHigh] =
      change === null ? [null, null] : [-1, 1].map((side) => Math.exp(change.ln + side * change.reach));
    return {
      variant,
      metric,
      ratio: change !== null ? Math.exp(change.ln) : test.estimate === null ? null : Math.exp(test.estimate),
      ciLow,
      ciHigh,
      earlierRuns,
      toldApart: (ciLow ?? 0) > 1 || (ciHigh ?? Infinity) < 1,
      overCells: interval === null ? null : { low: Math.exp(interval.low), high: Math.exp(interval.high) },
      cells: test.n,
      faster: differences.filter((difference) => difference < 0).length,
      p50Ms: numbersOf({ variant, metric, statistic: 'p50' }, earlier, later),
    };
  });
}

/** Null if a run lacks the number, as a sweep does over all its steps. */
function numbersOf(
  { variant, metric, statistic }: Pick<BaselineMeasure, 'variant' | 'metric' | 'statistic'>,
  earlier: RunNumbers,
  later: RunNumbers,
): SequentialNumbers | null {
  const numberOf = ({ measures }: RunNumbers): NumberOfRun | null => {
    const found = measures.find(
      (measure) =>
        measure.variant === variant &&
        measure.metric === metric &&
        measure.statistic === statistic &&
        measure.step === null,
    );
    return found === undefined ? null : { value: found.value, ciLow: found.ciLow, ciHigh: found.ciHigh, n: found.n };
  };
  const [before, after] = [numberOf(earlier), numberOf(later)];
  if (before === null || after === null) return null;
  const cellsOf = ({ cells }: RunNumbers) =>
    JSON.stringify(
      cells
        .filter((cell) => cell.variant === variant)
        .map(cellOf)
        .toSorted(),
    );
  return { before, after, sameCells: cellsOf(earlier) === cellsOf(later) };
}
