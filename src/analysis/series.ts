import type { HistoryLine } from '../record/kept-run.ts';
import { changePoints } from '../statistics/change-points.ts';
import { mean } from '../statistics/mean.ts';
import { median, sortSample } from '../statistics/quantile.ts';
import type { Kind } from '../suite/kind.ts';
import type { RunCells } from './earlier-runs.ts';
import { byTime, cellsOfRun, comparableRuns, type RunOfVariant } from './earlier-runs.ts';
import { groupBy } from './grouping.ts';

export interface HistorySeries {
  readonly variant: string;
  readonly kind: Kind;
  readonly metric: string;
  /** `value`: positive, in the metric's unit, changes are ratios; `rate`: a share, changes are differences. */
  readonly scale: 'value' | 'rate';
  /** Complete runs comparable with the variant's last one, the earliest first. */
  readonly points: readonly HistoryPoint[];
  readonly changes: readonly SeriesChange[];
}

export interface HistoryPoint {
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
const FEWEST_RUNS = 2;

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
  const search = changePoints(numbers, { alpha: ALPHA, fewest: FEWEST_RUNS, permutations: PERMUTATIONS });
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
