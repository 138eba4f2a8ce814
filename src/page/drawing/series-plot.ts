import { SEARCHED_RUNS } from '../../analysis/series.ts';
import type { TrendRun, TrendSeries } from '../../analysis/trend.ts';
import { clipped } from '../../kit/text-width.ts';
import { dayOrTime, wallClock } from '../../kit/wall-clock.ts';
import { plural } from '../../kit/wording.ts';
import type { Markup } from '../../markup/markup.ts';
import {
  changeDirection,
  changeWords,
  lastChangeWords,
  type SeriesScale,
  scaleWithUsual,
  seriesWords,
  usualWords,
} from '../../report/trend-statement.ts';
import type { Axis } from './axis.ts';
import { type Across, layOutRows, rowLabels, rowsChart, SIDE, spanOf, wordsAtLeft } from './rows-chart.ts';
import {
  type BandStep,
  band,
  CROSS,
  circle,
  curve,
  forEachWidth,
  group,
  isNarrow,
  level,
  sign,
  upright,
  WRITTEN,
  words,
} from './svg.ts';

const LAYOUT = layOutRows(56, 18);

/** Pixels for the verdicts below the rows. */
const GATE_HEIGHT = 24;

/** Pixels for the words of a scale, left of a row. */
const SCALE_WIDTH = 36;

/** Pixels below the upper line of a scale, clear of the row's name. */
const BELOW_LINE = 6;

/** With more runs, lines have no dots. */
const MOST_DOTS = 120;

const DIRECTION_COLOURS = {
  better: 'var(--good)',
  worse: 'var(--bad)',
  spread: 'var(--muted)',
  neither: 'var(--text)',
} as const;

/** A run's place on the axis, counted from 0. */
interface PointPlace {
  readonly row: number;
  readonly at: number;
  readonly y: number;
}

interface Mean {
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

interface ChangeMark {
  readonly row: number;
  readonly at: number;
  readonly words: string;
  readonly colour: string;
}

interface SeriesRow {
  readonly row: number;
  readonly series: TrendSeries;
  readonly scale: SeriesScale;
  readonly places: readonly PointPlace[];
}

/** Every value, means between changes, changes and verdicts of runs. @param runs the earliest first */
export function seriesFigure(
  label: string,
  runs: readonly TrendRun[],
  series: readonly TrendSeries[],
): readonly Markup[] {
  const marks = series.reduce((sum, { points }) => sum + points.length, 0);
  if (marks === 0) return [];
  return forEachWidth({ marks, isSweep: false, scrollLabel: label }, (width) => plot(label, runs, series, width));
}

function plot(label: string, runs: readonly TrendRun[], series: readonly TrendSeries[], width: number): Markup {
  const narrow = isNarrow(width);
  const order = new Map(runs.map(({ run }, at) => [run, at]));
  const rows = series.map((each, row) => rowOf(each, row, order));
  const rowsHeight = rows.length * LAYOUT.rowHeight;
  const decided = runs
    .map(({ verdict }, at) => ({ verdict, at }))
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive');
  const gateHeight = decided.length === 0 ? 0 : GATE_HEIGHT;
  const levels = rows.flatMap(({ row, scale, series: own }) => [
    { y: LAYOUT.bottom(row), words: seriesWords(own)(scale.low) },
    { y: LAYOUT.top(row), words: seriesWords(own)(scale.high) },
  ]);
  const scaleWords = [
    ...levels.map((each, at) => ({ ...each, y: at % 2 === 1 ? each.y + BELOW_LINE : each.y })),
    ...(gateHeight === 0 ? [] : [{ y: rowsHeight + GATE_HEIGHT / 2, words: 'gate' }]),
  ];
  const places = rows.flatMap((each) => each.places);
  const changes = rows.flatMap((each) => changesOf(each, order));
  return rowsChart(label, runAxis(runs, width), { width, rowsHeight: rowsHeight + gateHeight }, (x) => [
    group(
      { stroke: 'var(--line)' },
      levels.map(({ y }) => level(SIDE, width - SIDE, y)),
    ),
    group({ fill: 'var(--accent)', 'fill-opacity': 0.12 }, rows.flatMap(bandsOf(order, x))),
    group(
      { 'stroke-dasharray': '4 3' },
      changes.map(({ row, at, colour }) => upright(x(at), LAYOUT.top(row), LAYOUT.bottom(row), { stroke: colour })),
    ),
    group(
      { stroke: 'var(--dot)', 'stroke-width': 1.2, 'stroke-linejoin': 'round' },
      rows.map(({ places: own }) => curve(own.map(({ at, y }) => [x(at), y]))),
    ),
    group({ fill: 'var(--dot)' }, runs.length > MOST_DOTS ? [] : places.map(({ at, y }) => circle(x(at), y, 2))),
    group(
      { stroke: 'var(--accent)', 'stroke-width': 2 },
      rows.flatMap(meansOf(order)).map(({ from, to, y }) => level(x(from), x(to), y)),
    ),
    group(
      { fill: 'var(--accent)' },
      rows.flatMap(({ places: own }) => own.slice(-1).map(({ at, y }) => circle(x(at), y, 3.5))),
    ),
    group(
      { 'text-anchor': 'end', 'font-weight': 600, ...WRITTEN },
      changes.map(({ row, at, words: text, colour }) => words(x(at) - 4, LAYOUT.top(row) + 8, text, { fill: colour })),
    ),
    ...gateMarks(decided, rowsHeight + GATE_HEIGHT / 2, x),
    wordsAtLeft(scaleWords),
    ...rowLabels(
      rows.map(({ row, series: each }) => ({
        row,
        mark: null,
        name: clipped(each.metric, 34),
        words: rowWords(each, narrow),
      })),
      LAYOUT.rowHeight,
      width,
    ),
  ]);
}

/** Runs are evenly spaced. A tick shows its run's day; after a tick of the same day, its time. */
function runAxis(runs: readonly TrendRun[], width: number): Axis {
  const mostTicks = isNarrow(width) ? 3 : 6;
  const step = Math.ceil(runs.length / mostTicks);
  const first = Math.floor(((runs.length - 1) % step) / 2);
  const low = -0.5 - (runs.length * SCALE_WIDTH) / (spanOf(width) - SCALE_WIDTH);
  const high = runs.length - 0.5;
  const ticks = Array.from({ length: Math.ceil((runs.length - first) / step) }, (_, tick) => first + tick * step);
  const instant = (at: number): string => runs[at]?.startedAt ?? '';
  const tickWords = dayOrTime(ticks.map((at) => wallClock(instant(at))));
  return {
    type: 'linear',
    domain: [low, high],
    ticks,
    format: (at) => tickWords[ticks.indexOf(at)] ?? '',
    instant,
    place: (at) => (at - low) / (high - low),
  };
}

function rowOf(series: TrendSeries, row: number, order: ReadonlyMap<string, number>): SeriesRow {
  const scale = scaleWithUsual(series);
  const places = series.points.flatMap(({ run, value }): PointPlace[] => {
    const at = order.get(run);
    return at === undefined ? [] : [{ row, at, y: heightOf(row, scale, value) }];
  });
  return { row, series, scale, places };
}

function heightOf(row: number, { place }: SeriesScale, value: number): number {
  return LAYOUT.bottom(row) - Math.min(1, Math.max(0, place(value))) * LAYOUT.bandHeight;
}

function changesOf({ row, series }: SeriesRow, order: ReadonlyMap<string, number>): readonly ChangeMark[] {
  return series.changes.map((change) => {
    const direction = changeDirection(series, change);
    const sign = series.scale === 'rate' ? (change.after > change.before ? '+' : '−') : '';
    return {
      row,
      at: (order.get(change.run) ?? 0) - 0.5,
      words: direction === 'spread' ? 'spread' : `${sign}${changeWords(series, change)}`,
      colour: DIRECTION_COLOURS[direction],
    };
  });
}

/** What is usual of each run that has a base; runs in a row make one band. */
function bandsOf(order: ReadonlyMap<string, number>, x: Across): (row: SeriesRow) => readonly Markup[] {
  return ({ row, series: { points }, scale }) => {
    const bands: BandStep[][] = [];
    let next = -1;
    for (const { run, usual } of points) {
      const at = order.get(run);
      if (at === undefined || usual === null) continue;
      const [top, bottom] = [heightOf(row, scale, usual.high), heightOf(row, scale, usual.low)];
      const step = { left: x(at - 0.5), right: x(at + 0.5), top, bottom };
      if (at === next) bands.at(-1)?.push(step);
      else bands.push([step]);
      next = at + 1;
    }
    return bands.map(band);
  };
}

/** The means of a series between its changes; none where it does not change. */
function meansOf(order: ReadonlyMap<string, number>): (row: SeriesRow) => readonly Mean[] {
  return ({ row, series: { points, changes }, scale }) => {
    const first = points[Math.max(0, points.length - SEARCHED_RUNS)];
    const last = points.at(-1);
    if (first === undefined || last === undefined) return [];
    const ends = [first.run, ...changes.map(({ run }) => run)].map((run) => order.get(run) ?? 0);
    const levels = [...changes.slice(0, 1).map(({ before }) => before), ...changes.map(({ after }) => after)];
    return levels.map((level, at) => ({
      from: (ends[at] ?? 0) - 0.5,
      to: (ends[at + 1] ?? (order.get(last.run) ?? 0) + 1) - 0.5,
      y: heightOf(row, scale, level),
    }));
  };
}

/** Verdicts of runs that did not pass. */
function gateMarks(
  decided: readonly { readonly verdict: TrendRun['verdict']; readonly at: number }[],
  y: number,
  x: Across,
): readonly Markup[] {
  return decided.map(({ verdict, at }) =>
    verdict === 'fail'
      ? sign(CROSS, x(at), y, { stroke: 'var(--bad)', 'stroke-width': 2 })
      : circle(x(at), y, 3, { stroke: 'var(--warn)', 'stroke-width': 1.5, fill: 'var(--page)' }),
  );
}

function rowWords(series: TrendSeries, narrow: boolean): string {
  const last = series.points.at(-1);
  const change = lastChangeWords(series);
  const usual = usualWords(series);
  const value = last === undefined ? '–' : `last ${seriesWords(series)(last.value)}`;
  if (change === null) return value;
  if (narrow) return `${value}   ${change}`;
  return `${value}   ${change}${usual === null ? '' : `, usual ${usual}`}   base ${plural(series.againstBase?.runs ?? 0, 'run')}`;
}
