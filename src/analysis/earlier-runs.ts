import { compareCodeUnits, groupBy } from '../kit/grouping.ts';
import { digestOf } from '../plan/build-trial.ts';
import { caseSeedOf } from '../plan/plan.ts';
import { HISTORY_FORMAT, MOST_LN } from '../record/codes.ts';
import { isTwin } from '../record/compared-variants.ts';
import type { HistoryCell, HistoryLine, HistoryVariant } from '../record/kept-run.ts';
import type { Run, RunPlan, RunVariant } from '../record/run.ts';
import { mean } from '../statistics/mean.ts';
import { extendedMedian } from '../statistics/quantile.ts';
import { stepsOf } from '../suite/sweep.ts';
import type { AnalysedRun } from './analyse.ts';
import { type EffectiveSample, headlineLatency, type TimedSample } from './effective-sample.ts';
import type { Metric, ValueReading } from './metric.ts';
import type { Measure } from './summaries.ts';

export const FEWEST_RUNS = 8;
export const MOST_RUNS = 30;

/** ln of the value of each cell, by the cell's key. */
export type RunCells = ReadonlyMap<string, number>;

export interface RunOfVariant {
  readonly line: HistoryLine;
  readonly of: HistoryVariant;
}

/** The complete runs that sent a variant the same requests as now, the earliest first. */
export function comparableRuns(
  lines: readonly HistoryLine[],
  { variant, digest }: { readonly variant: string; readonly digest: string },
): readonly RunOfVariant[] {
  return byTime(lines)
    .filter(({ complete }) => complete)
    .flatMap((line) =>
      line.variants
        .filter((of) => of.variant === variant && of.comparableDigest === digest)
        .map((of) => ({ line, of })),
    );
}

export function byTime<Line extends StartedRun>(lines: readonly Line[]): readonly Line[] {
  return lines.toSorted(orderOf);
}

export function isBefore(a: StartedRun, b: StartedRun): boolean {
  return orderOf(a, b) < 0;
}

export type StartedRun = Pick<HistoryLine, 'run' | 'startedAt'>;

function orderOf(a: StartedRun, b: StartedRun): number {
  return compareCodeUnits(a.startedAt, b.startedAt) || compareCodeUnits(a.run, b.run);
}

export function cellsOfRun(
  { cells, lnValues }: Pick<HistoryVariant, 'cells' | 'lnValues'>,
  metric: string,
  prompts: ReadonlySet<string> | null = null,
): RunCells {
  const values = lnValues[metric] ?? [];
  return new Map(
    cells.flatMap((cell, at) => {
      const value = values[at] ?? null;
      const isAsked = prompts === null || prompts.has(cell.prompt);
      return value === null || !isAsked ? [] : [[caseSeedOf(cell), value] as const];
    }),
  );
}

/** The history line of a run, which later runs read. */
export function lineOfRun(
  run: Run,
  analysed: AnalysedRun,
  { complete, verdict }: Pick<HistoryLine, 'complete' | 'verdict'>,
  metrics: readonly Metric[],
): HistoryLine {
  const whole = analysed.analysis.measures.filter(({ prompt, step }) => prompt === null && step === null);
  const measures = groupBy(whole, ({ variant }) => variant);
  return {
    format: HISTORY_FORMAT,
    run: run.id,
    ...(run.label === undefined ? {} : { label: run.label }),
    startedAt: analysed.analysis.run.startedAt,
    suiteDigest: run.suite.digest,
    complete,
    verdict,
    ...(run.calibration === null ? {} : { floorMs: run.calibration.floorMs }),
    variants: run.variants
      .filter((variant) => !isTwin(variant))
      .map((variant) => {
        const { name } = variant;
        const values = { takes: analysed.takes.ofVariant(name), measures: measures.get(name) ?? [] };
        return historyOf(variant, run, values, analysed, metrics);
      }),
  };
}

/**
 * A latency depends on the vantage and the proxy. Runs that ended early sent other cells, unless they are confirmed.
 *
 * @param plan as sent, without the parts after an early end
 * @param vantage null if unknown, as in runs recorded before vantages
 */
export function comparableDigest(
  plan: Pick<RunPlan, 'digest' | 'load' | 'looks'>,
  { name, baseUrl, proxy }: Pick<RunVariant, 'name' | 'baseUrl' | 'proxy'>,
  vantage: string | null,
): string {
  const { looks } = plan;
  const early = looks !== null && looks.kind !== 'confirm' && looks.parts.length < looks.of ? [looks.parts.length] : [];
  const server = proxy === undefined ? baseUrl : { baseUrl, proxy };
  return digestOf([plan.digest, plan.load, name, server, ...early, ...(vantage === null ? [] : [vantage])]);
}

/** ln of each cell's median. Cells without a value, or with most takes timed out, are left out. */
export function cellValues(takes: readonly TimedSample[], metric: Metric, { read }: ValueReading): RunCells {
  const counted = takes.filter(({ timed }) => metric.whenCached !== 'first_takes' || timed);
  const cells = groupBy(counted, ({ sample }) => caseSeedOf(sample.trial));
  return new Map(
    [...cells].flatMap(([cell, cellTakes]) => {
      // Of what is free it is the least that there is.
      const ln = Math.max(Math.log(medianOf(cellTakes, read) ?? Number.NaN), -MOST_LN);
      return Math.abs(ln) <= MOST_LN ? [[cell, ln] as const] : [];
    }),
  );
}

function medianOf(takes: readonly EffectiveSample[], read: ValueReading['read']): number | null {
  return extendedMedian(takes.map(read).filter((value) => value !== null));
}

function ratioReading({ takes }: Metric): ValueReading | null {
  return takes?.find((reading): reading is ValueReading => reading.effect === 'ratio') ?? null;
}

interface OwnOfVariant {
  readonly takes: readonly TimedSample[];
  /** Over all prompts and steps. */
  readonly measures: readonly Measure[];
}

function historyOf(
  variant: RunVariant,
  run: Run,
  { takes, measures }: OwnOfVariant,
  { analysis }: Pick<AnalysedRun, 'analysis'>,
  metrics: readonly Metric[],
): HistoryVariant {
  const { load } = run.plan;
  // A cell of a sweep is sent under several loads, so it has no single value.
  const isSweep = stepsOf(load) !== null;
  const delivered = takes.filter(({ outcome }) => outcome === 'ok');
  const cells = isSweep ? [] : distinctCells(delivered);
  const lnValues = metrics.flatMap((metric): [string, (number | null)[]][] => {
    const reading = ratioReading(metric);
    if (reading === null) return [];
    const values = cellValues(takes, metric, reading);
    const listed = cells.map((cell) => rounded(values.get(caseSeedOf(cell)) ?? null));
    return listed.some((value) => value !== null) ? [[metric.name, listed]] : [];
  });
  const means = lnValues.flatMap(([metric, values]): [string, number][] => {
    const level = rounded(mean(values.filter((value) => value !== null)));
    return level === null ? [] : [[metric, level]];
  });
  const median = measures.find(({ metric, statistic }) => metric === headlineLatency(load) && statistic === 'p50');
  return {
    variant: variant.name,
    kind: variant.kind,
    comparableDigest: comparableDigest(analysis.run.plan, variant, run.vantage ?? null),
    ...(typeof median?.value === 'number' ? { p50Ms: Number(median.value.toFixed(3)) } : {}),
    cells,
    lnValues: Object.fromEntries(lnValues),
    meanLn: Object.fromEntries(means),
    rates: Object.fromEntries(
      measures.flatMap((measure): [string, number][] =>
        measure.value !== null && isRate(measure, metrics) ? [[rateName(measure), measure.value]] : [],
      ),
    ),
  };
}

function distinctCells(takes: readonly EffectiveSample[]): readonly HistoryCell[] {
  const cells = new Map(
    takes.map(({ sample: { trial } }): [string, HistoryCell] => [
      caseSeedOf(trial),
      { prompt: trial.prompt, seed: trial.seed },
    ]),
  );
  return [...cells.values()];
}

/** Whether history keeps a measure as a share: a rate, a departure, or a likeness to another variant. */
function isRate({ metric, statistic }: Measure, metrics: readonly Metric[]): boolean {
  if (statistic === 'departure') return true;
  const { takes = [], gate } = metrics.find(({ name }) => name === metric) ?? {};
  // A reading of outputs depends on more than this run.
  if (takes.some(({ outputUnits }) => outputUnits !== undefined)) return false;
  if (takes.some((reading) => reading.effect === 'rate' && reading.statistic === statistic)) return true;
  if (gate === undefined || 'never' in gate || gate.ofPair !== true) return false;
  return gate.statistics.some((gated) => gated.statistic === statistic && gated.bounded.by === 'events');
}

function rateName({ metric, statistic }: Measure): string {
  return statistic === 'rate' || statistic === 'departure' ? metric : `${metric}.${statistic}`;
}

/** Rounded to 0.0001 %, so that lines stay short. */
function rounded(ln: number | null): number | null {
  return ln === null ? null : Math.round(ln * 1e6) / 1e6;
}
