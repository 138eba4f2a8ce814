import { groupBy } from '../kit/grouping.ts';
import { pick } from '../kit/json.ts';
import type { Unit } from '../kit/value-words.ts';
import type { HistoryLine } from '../record/kept-run.ts';
import { changePoints } from '../statistics/change-points.ts';
import { mean } from '../statistics/mean.ts';
import { median, sortSample } from '../statistics/quantile.ts';
import type { Kind } from '../suite/kind.ts';
import {
  byTime,
  cellsOfRun,
  comparableRuns,
  FEWEST_RUNS,
  type RunCells,
  type RunOfVariant,
  type StartedRun,
} from './earlier-runs.ts';
import type { Metric } from './metric.ts';
import { baseOf, NEXT_RUN_LEVEL, spreadOf } from './run-spread.ts';
import type { Better } from './unit.ts';

interface HistorySeries {
  readonly variant: string;
  readonly kind: Kind;
  readonly metric: string;
  /** `value`: positive, in the metric's unit, changes are ratios; `rate`: a share, changes are differences. */
  readonly scale: 'value' | 'rate';
  /** Complete runs comparable with the variant's last one, the earliest first. */
  readonly points: readonly HistoryPoint[];
  readonly changes: readonly SeriesChange[];
}

interface HistoryPoint {
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** A rate, or the geometric mean over cells, adjusted for cells missing in some runs. */
  readonly value: number;
  readonly floorMs: number | null;
}

export interface SeriesChange {
  /** Position of the first run after the change. */
  readonly index: number;
  readonly run: string;
  readonly startedAt: string;
  /** The mean since the previous change, and until the next; geometric for values. */
  readonly before: number;
  readonly after: number;
  readonly p: number;
  /** Medians over the same runs, in milliseconds; null if a side has no calibrated run. */
  readonly floorMs: { readonly before: number; readonly after: number } | null;
}

const ALPHA = 0.01;

/** The fewest runs between two changes. */
const FEWEST_BETWEEN = 2;

/** The smallest p is 0.005, half of ALPHA. More would be slow: a year of runs has hundreds of series. */
const PERMUTATIONS = 199;

/** Only the last runs are searched: the time grows with the square of their number. */
export const SEARCHED_RUNS = 200;

/** In the order of the last run's variants, then by metric. */
export function historySeries(lines: readonly HistoryLine[]): readonly HistorySeries[] {
  const newest = new Map(
    byTime(lines)
      .filter(({ complete }) => complete)
      .flatMap(({ variants }) => variants.map((variant) => [variant.variant, variant] as const)),
  );
  return [...newest.values()].flatMap(({ variant, kind, comparableDigest }) => {
    const runs = comparableRuns(lines, { variant, digest: comparableDigest });
    const metrics = distinct(runs.flatMap(({ of }) => Object.keys(of.meanLn)));
    const rates = distinct(runs.flatMap(({ of }) => Object.keys(of.rates)));
    return [
      ...metrics.map((metric) => seriesOf({ variant, kind, metric, scale: 'value' }, valuePoints(runs, metric))),
      ...rates.map((metric) => seriesOf({ variant, kind, metric, scale: 'rate' }, ratePoints(runs, metric))),
    ];
  });
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

function seriesOf(
  about: Pick<HistorySeries, 'variant' | 'kind' | 'metric' | 'scale'>,
  points: readonly HistoryPoint[],
): HistorySeries {
  return { ...about, points, changes: changesOf(points, about.scale) };
}

/** Uses logarithms of values, so that changes are ratios. */
function changesOf(points: readonly HistoryPoint[], scale: HistorySeries['scale']): readonly SeriesChange[] {
  const from = Math.max(0, points.length - SEARCHED_RUNS);
  const numbers = points.slice(from).map(({ value }) => (scale === 'value' ? Math.log(value) : value));
  const shown = (number: number) => (scale === 'value' ? Math.exp(number) : number);
  const search = changePoints(numbers, { alpha: ALPHA, fewest: FEWEST_BETWEEN, permutations: PERMUTATIONS });
  const meanFrom = (start: number, end: number) => shown(mean(numbers.slice(start, end)) ?? 0);
  const floorFrom = (start: number, end: number) =>
    median(sortSample(points.slice(from + start, from + end).flatMap(({ floorMs }) => floorMs ?? [])));
  return search.flatMap(({ index, p }, at): SeriesChange[] => {
    const point = points[from + index];
    if (point === undefined) return [];
    const [start, end] = [search[at - 1]?.index ?? 0, search[at + 1]?.index ?? numbers.length];
    const [floorBefore, floorAfter] = [floorFrom(start, index), floorFrom(index, end)];
    return [
      {
        index: from + index,
        run: point.run,
        startedAt: point.startedAt,
        before: meanFrom(start, index),
        after: meanFrom(index, end),
        p,
        floorMs: floorBefore === null || floorAfter === null ? null : { before: floorBefore, after: floorAfter },
      },
    ];
  });
}

/** Averages deviations from each cell's median over all runs: a run without the slowest cell is not faster. */
function valuePoints(runs: readonly RunOfVariant[], metric: string): readonly HistoryPoint[] {
  const cells = runs.map(({ of }): RunCells => cellsOfRun(of, metric));
  const byCell = groupBy(
    cells.flatMap((runCells) => [...runCells]),
    ([cell]) => cell,
  );
  const centres = new Map(
    [...byCell].map(([cell, values]) => [cell, median(sortSample(values.map(([, value]) => value))) ?? 0]),
  );
  const centre = mean([...centres.values()]) ?? 0;
  return runs.flatMap(({ line }, at) => {
    const deviations = [...(cells[at] ?? [])].map(([cell, value]) => value - (centres.get(cell) ?? 0));
    const level = mean(deviations);
    return level === null ? [] : [pointOf(line, Math.exp(centre + level))];
  });
}

function pointOf({ run, startedAt, floorMs }: HistoryLine, value: number): HistoryPoint {
  return { run, startedAt, value, floorMs: floorMs ?? null };
}

function ratePoints(runs: readonly RunOfVariant[], metric: string): readonly HistoryPoint[] {
  return runs.flatMap(({ line, of }) => {
    const value = of.rates[metric];
    return value === undefined ? [] : [pointOf(line, value)];
  });
}

/** The last run of a series against its base: 8 to 30 runs before the last two, as in a rule. */
interface AgainstBase {
  readonly runs: number;
  /** Geometric mean of values. */
  readonly base: number;
  /** Last run / base for values, last run - base for rates. */
  readonly change: number;
  /** Range of 98 of 100 changes of an unchanged service, if ln values are normal. Null for rates, mostly 0. */
  readonly usual: { readonly low: number; readonly high: number } | null;
}

/** Two slow runs in a row are a finding, so the run before is not in the base. */
const RUNS_BETWEEN = 1;

/** Those of the base, between, and the last. */
export const FEWEST_RUNS_OF_TREND = FEWEST_RUNS + RUNS_BETWEEN + 1;

type BasedSeries = Pick<HistorySeries, 'points' | 'scale'>;

/** `from`: earlier runs are not in the base; null allows all. Null if the base is too short. */
function againstBase({ points, scale }: BasedSeries, at: number, from: string | null): AgainstBase | null {
  const run = points[at];
  const base = baseOf(points, at - RUNS_BETWEEN, ({ startedAt }) => from === null || startedAt >= from);
  const isRate = scale === 'rate';
  const spread = spreadOf(base.map(({ value }) => (isRate ? value : Math.log(value))));
  if (run === undefined || spread === null) return null;
  const { mean } = spread;
  const margin = spread.margin(NEXT_RUN_LEVEL);
  return {
    runs: base.length,
    base: isRate ? mean : Math.exp(mean),
    change: isRate ? run.value - mean : run.value / Math.exp(mean),
    usual: isRate ? null : { low: Math.exp(-margin), high: Math.exp(margin) },
  };
}

/** The values of 98 of 100 runs if the service does not change, by the base before that run. */
interface UsualRange {
  readonly low: number;
  readonly high: number;
}

/** In the unit of the points. Null for rates, and if the base is too short. */
function usualRange(series: BasedSeries, at: number, from: string | null): UsualRange | null {
  const { base = 0, usual = null } = againstBase(series, at, from) ?? {};
  return usual === null ? null : { low: base * usual.low, high: base * usual.high };
}

/** The runs of a suite over time: what `retake history` shows, and prints with `--json`. */
export interface Trend {
  readonly format: typeof TREND_FORMAT;
  readonly suite: string;
  readonly runs: readonly TrendRun[];
  /** The first run that a base may hold, as `retake baseline --restart-history` keeps it; null: any. */
  readonly baseFrom: StartedRun | null;
  readonly variants: readonly TrendVariant[];
}

const TREND_FORMAT = 1;

export type TrendRun = Pick<
  HistoryLine,
  'run' | 'label' | 'startedAt' | 'complete' | 'verdict' | 'notJudged' | 'ofClaims'
>;

export interface TrendVariant {
  readonly variant: string;
  readonly kind: Kind;
  /** False if there is a complete run, and the last one lacks the variant. */
  readonly isInLastRun: boolean;
  readonly comparable: readonly string[];
  readonly leftOut: readonly LeftOutRun[];
  readonly series: readonly TrendSeries[];
}

export interface LeftOutRun {
  readonly run: string;
  /** `other_requests`: different requests, load or base URL than in its last complete run. */
  readonly reason: 'incomplete' | 'other_requests';
}

interface TrendPoint extends HistoryPoint {
  readonly usual: UsualRange | null;
}

export interface TrendSeries extends Omit<HistorySeries, 'variant' | 'kind' | 'points'> {
  readonly points: readonly TrendPoint[];
  readonly unit: Unit;
  readonly better: Better;
  readonly againstBase: AgainstBase | null;
}

/**
 * Metrics that are not given are left out: an earlier version measured them. `baseFrom`: the first run that counts.
 */
export function trendOf(
  suite: string,
  lines: readonly HistoryLine[],
  { metrics, baseFrom }: { readonly metrics: readonly Metric[]; readonly baseFrom: StartedRun | null },
): Trend {
  const runs = byTime(lines);
  const complete = runs.filter((line) => line.complete);
  const known = new Map(runs.flatMap(({ variants }) => variants.map(({ variant, kind }) => [variant, kind] as const)));
  const current = new Set(complete.at(-1)?.variants.map(({ variant }) => variant));
  const series = groupBy(historySeries(lines), ({ variant }) => variant);
  const digests = new Map(
    runs.map((line) => [line, new Map(line.variants.map((entry) => [entry.variant, entry.comparableDigest]))]),
  );
  const digestOf = (line: HistoryLine, variant: string): string | null => digests.get(line)?.get(variant) ?? null;
  const variants = [...known].map(([variant, kind]): TrendVariant => {
    const digest = complete.map((line) => digestOf(line, variant)).findLast((known) => known !== null) ?? null;
    const measuredRuns = runs.filter((line) => digestOf(line, variant) !== null);
    const isComparable = (line: HistoryLine) => line.complete && digestOf(line, variant) === digest;
    return {
      variant,
      kind,
      isInLastRun: complete.length === 0 || current.has(variant),
      comparable: measuredRuns.filter(isComparable).map(({ run }) => run),
      leftOut: measuredRuns
        .filter((line) => !isComparable(line))
        .map((line) => ({ run: line.run, reason: line.complete ? 'other_requests' : 'incomplete' })),
      series: (series.get(variant) ?? []).flatMap((entry): TrendSeries[] => {
        const scale = scaleOf(entry, metrics);
        const { metric, changes } = entry;
        const from = baseFrom?.startedAt ?? null;
        const points = entry.points.map((point, at) => ({ ...point, usual: usualRange(entry, at, from) }));
        const base = againstBase(entry, entry.points.length - 1, from);
        return scale === null ? [] : [{ metric, scale: entry.scale, ...scale, points, changes, againstBase: base }];
      }),
    };
  });
  return {
    format: TREND_FORMAT,
    suite,
    runs: runs.map((line) => pick(line, 'run', 'label', 'startedAt', 'complete', 'verdict', 'notJudged', 'ofClaims')),
    baseFrom,
    variants,
  };
}

/** Null if the metric is not measured now. */
function scaleOf(
  { metric, scale }: Pick<HistorySeries, 'metric' | 'scale'>,
  metrics: readonly Metric[],
): Pick<TrendSeries, 'unit' | 'better'> | null {
  // The name of a rate with a limit ends with its statistic: `slow_rate.rate_over_10000ms`.
  const metricOf = metrics.find(({ name }) => metric === name || (scale === 'rate' && metric.startsWith(`${name}.`)));
  if (metricOf === undefined) return null;
  if (scale === 'value') return { unit: metricOf.unit, better: metricOf.better };
  // A name without a statistic is a rate of failures or differing takes.
  const statistic = metric.slice(metricOf.name.length + 1);
  return {
    unit: '1',
    better: statistic === '' ? 'lower' : (metricOf.statistics?.[statistic]?.better ?? metricOf.better),
  };
}
