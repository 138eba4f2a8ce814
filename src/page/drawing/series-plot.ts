import { SEARCHED_RUNS, type TrendRun, type TrendSeries } from '../../analysis/series.ts';
import { dayOrTime, wallClock } from '../../kit/time.ts';
import { plural } from '../../kit/wording.ts';
import { html, type Markup } from '../../markup/markup.ts';
import {
  changeDirection,
  changeWords,
  lastChangeWords,
  scaleWithUsual,
  seriesWords,
  usualWords,
} from '../../report/trend-statement.ts';
import type { Axis } from './axis.ts';
import { type FigureRow, rowsFigure } from './rows-figure.ts';
import { across, CROSS, circle, curve, dots, path, sign, upright, WRITTEN, words } from './svg.ts';

/** Pixels of a row, and of the verdicts below all rows. */
const HEIGHT = 56;
const GATE_HEIGHT = 16;

/** Share of the width for the labels of a scale, left of the first run. */
const SCALE_WIDTH = 0.06;

const MOST_DOTS = 120;

const DIRECTION_COLOURS = {
  better: 'var(--good)',
  worse: 'var(--bad)',
  spread: 'var(--muted)',
  neither: 'var(--text)',
} as const;

type RunPlaces = ReadonlyMap<string, number>;

/**
 * Every value, means between changes, changes and verdicts of runs. A dot is a link to the report of its run.
 *
 * @param runs the earliest first
 */
export function seriesFigure(
  label: string,
  runs: readonly TrendRun[],
  series: readonly TrendSeries[],
  reportOf: (run: string) => string | null,
): Markup | false {
  if (series.every(({ points }) => points.length === 0)) return false;
  const axis = runAxis(runs);
  const order: RunPlaces = new Map(runs.map(({ run }, at) => [run, at]));
  const gate = gateRow(runs, axis);
  return rowsFigure({
    label,
    axis,
    rows: [...series.map((trend) => rowOf(trend, { runs, order, axis, reportOf })), ...(gate === null ? [] : [gate])],
  });
}

/** Runs are evenly spaced. */
function runAxis(runs: readonly TrendRun[]): Axis {
  const step = Math.ceil(runs.length / MOST_TICKS);
  const first = Math.floor(((runs.length - 1) % step) / 2);
  const ticks = Array.from({ length: Math.ceil((runs.length - first) / step) }, (_, tick) => first + tick * step);
  const instant = (at: number): string => runs[at]?.startedAt ?? '';
  const tickWords = dayOrTime(ticks.map((at) => wallClock(instant(at))));
  return {
    type: 'linear',
    ticks,
    format: (at) => tickWords[ticks.indexOf(at)] ?? '',
    instant,
    place: (at) => SCALE_WIDTH + ((1 - SCALE_WIDTH) * (at + 0.5)) / runs.length,
  };
}

const MOST_TICKS = 6;

interface SeriesLook {
  readonly runs: readonly TrendRun[];
  readonly order: RunPlaces;
  readonly axis: Axis;
  readonly reportOf: (run: string) => string | null;
}

/** At the foot of a scale that does not begin at 0, behind its words. */
const BREAK = 'M37 4L41 -4M43 4L47 -4';

function rowOf(series: TrendSeries, look: SeriesLook): FigureRow {
  const { order, axis } = look;
  const { place } = axis;
  const scale = scaleWithUsual(series);
  const y = (value: number): number => HEIGHT * (1 - Math.min(1, Math.max(0, scale.place(value))));
  const points = series.points.flatMap(({ run, value }) => {
    const at = order.get(run);
    return at === undefined ? [] : [[place(at), y(value)] as const];
  });
  const changes = series.changes.map((change) => {
    const direction = changeDirection(series, change);
    const sign = series.scale === 'rate' ? (change.after > change.before ? '+' : '−') : '';
    return {
      x: place((order.get(change.run) ?? 0) - 0.5),
      words: direction === 'spread' ? 'spread' : `${sign}${changeWords(series, change)}`,
      colour: DIRECTION_COLOURS[direction],
    };
  });
  return {
    mark: null,
    name: series.metric,
    words: rowWords(series),
    height: HEIGHT,
    levels: [scale.low, scale.high].map((value, at) => ({
      y: at === 0 ? HEIGHT : 0,
      words: seriesWords(series)(value),
    })),
    paths: [
      path(usualBands(series, order, place, y), { fill: 'var(--accent)', 'fill-opacity': 0.12 }),
      ...changes.map(({ x, colour }) => path([upright(x, 0, HEIGHT)], { stroke: colour, 'stroke-dasharray': '4 3' })),
      path([curve(points)], { stroke: 'var(--dot)', 'stroke-width': 1.2, 'stroke-linejoin': 'round' }),
      order.size <= MOST_DOTS && dots(points, 'var(--dot)', 2, 1),
      path(
        meansOf(series, order).map(({ from, to, mean }) => across(place(from), place(to), y(mean))),
        { stroke: 'var(--accent)', 'stroke-width': 2 },
      ),
      dots(points.slice(-1), 'var(--accent)', 3.5, 1),
    ],
    signs: [
      scale.low > 0 && sign(BREAK, 0, HEIGHT, { stroke: 'var(--muted)', 'stroke-width': 1.5 }),
      ...changes.map(({ x, words: text, colour }) =>
        words(x, 8, text, { dx: -4, 'text-anchor': 'end', 'font-weight': 600, ...WRITTEN, fill: colour }),
      ),
      ...(order.size <= MOST_DOTS ? runDots(series, look, y) : []),
    ],
  };
}

/** For the pointer: the value of each run with its label; a link where the run has a report. Keys use the table. */
function runDots(
  series: TrendSeries,
  { runs, order, axis, reportOf }: SeriesLook,
  y: (value: number) => number,
): readonly Markup[] {
  const inWords = seriesWords(series);
  return series.points.flatMap(({ run, value }) => {
    const at = order.get(run);
    if (at === undefined) return [];
    const report = reportOf(run);
    const title = html`<title>${runs[at]?.label ?? run}: ${inWords(value)}</title>`;
    const dot = circle(axis.place(at), y(value), 7, { fill: 'transparent' }, title);
    return [report === null ? dot : html`<a href="${report}" tabindex="-1">${dot}</a>`];
  });
}

/** Consecutive runs with a base share one band, so that no seam shows between them. */
function usualBands(
  { points }: TrendSeries,
  order: RunPlaces,
  place: (at: number) => number,
  y: (value: number) => number,
): readonly string[] {
  const bands: (readonly [at: number, low: number, high: number])[][] = [];
  for (const { run, usual } of points) {
    const at = order.get(run);
    if (at === undefined || usual === null) continue;
    const step = [at, y(usual.low), y(usual.high)] as const;
    if (bands.at(-1)?.at(-1)?.[0] === at - 1) bands.at(-1)?.push(step);
    else bands.push([step]);
  }
  return bands.map((steps) => {
    const above = steps.flatMap(([at, , top]) => [[place(at - 0.5), top] as const, [place(at + 0.5), top] as const]);
    const below = steps.flatMap(([at, low]) => [[place(at - 0.5), low] as const, [place(at + 0.5), low] as const]);
    return `${curve([...above, ...below.toReversed()])}Z`;
  });
}

/** Means between changes; empty if the series does not change. */
function meansOf(
  { points, changes }: TrendSeries,
  order: RunPlaces,
): readonly { readonly from: number; readonly to: number; readonly mean: number }[] {
  const first = points[Math.max(0, points.length - SEARCHED_RUNS)];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return [];
  const ends = [first.run, ...changes.map(({ run }) => run)].map((run) => order.get(run) ?? 0);
  const means = [...changes.slice(0, 1).map(({ before }) => before), ...changes.map(({ after }) => after)];
  return means.map((mean, at) => ({
    from: (ends[at] ?? 0) - 0.5,
    to: (ends[at + 1] ?? (order.get(last.run) ?? 0) + 1) - 0.5,
    mean,
  }));
}

function gateRow(runs: readonly TrendRun[], { place }: Axis): FigureRow | null {
  const signs = runs.map(({ verdict }, at) => {
    if (verdict === 'fail') return sign(CROSS, place(at), GATE_HEIGHT / 2, { stroke: 'var(--bad)', 'stroke-width': 2 });
    const look = { stroke: 'var(--warn)', 'stroke-width': 1.5, fill: 'var(--page)' };
    return verdict === 'inconclusive' && circle(place(at), GATE_HEIGHT / 2, 3, look);
  });
  if (signs.every((drawn) => drawn === false)) return null;
  return { mark: null, name: 'gate', words: '', height: GATE_HEIGHT, paths: [], signs };
}

function rowWords(series: TrendSeries): string {
  const last = series.points.at(-1);
  const change = lastChangeWords(series);
  const usual = usualWords(series);
  const value = last === undefined ? '–' : `last ${seriesWords(series)(last.value)}`;
  if (change === null) return value;
  return `${value}   ${change}${usual === null ? '' : `, usual ${usual}`}   base ${plural(series.againstBase?.runs ?? 0, 'run')}`;
}
