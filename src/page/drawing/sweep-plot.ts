import type { VariantSummary } from '../../analysis/summaries.ts';
import { count, trimmed } from '../../kit/wording.ts';
import type { Markup } from '../../markup/markup.ts';
import { type Measures, throughputRange } from '../../report/statement.ts';
import { type Axis, linearAxis } from './axis.ts';
import { type FigureRow, rowsFigure } from './rows-figure.ts';
import { circle, curve, type Point, path, sign, upright, WRITTEN, words } from './svg.ts';
import type { VariantMark } from './variant-mark.ts';

const HEIGHT = 150;

export interface SweepPoint {
  readonly step: number;
  readonly p50: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly p95: number | null;
  readonly perSecond: number | null;
  /** The interval or, where slices are too short, the bracket. */
  readonly perSecondLow: number | null;
  readonly perSecondHigh: number | null;
}

export interface SweepCurve {
  readonly mark: VariantMark;
  readonly points: readonly SweepPoint[];
  readonly knee: number | null;
}

/** The largest values of the kind make figures comparable. */
export interface SweepScale {
  readonly steps: readonly number[];
  readonly mostMs: number;
  readonly mostRate: number;
  readonly per: 's' | 'min';
}

export function pointsOf(
  { name }: VariantSummary,
  steps: readonly number[],
  measures: Measures,
): readonly SweepPoint[] {
  return steps.map((step) => {
    const median = measures(name, 'latency.total', 'p50', step);
    const throughput = throughputRange(measures, name, step);
    return {
      step,
      p50: median?.value ?? null,
      low: median?.ciLow ?? null,
      high: median?.ciHigh ?? null,
      p95: measures(name, 'latency.total', 'p95', step)?.value ?? null,
      perSecond: throughput.value,
      perSecondLow: throughput.low,
      perSecondHigh: throughput.high,
    };
  });
}

/** Latency and throughput of all curves; p95 only of a lone curve: rings of several would hide them. */
export function sweepPlot(label: string, curves: readonly SweepCurve[], scale: SweepScale): Markup {
  const { per, mostMs, mostRate, steps } = scale;
  const inUnit = per === 's' ? 1 : 60;
  const axis = stepsAxis(steps);
  const times = linearAxis(mostMs, 4);
  const isLone = curves.length === 1;
  const latency: Panel = {
    name: 'Latency',
    words: `mark p50, bar interval${isLone ? ', ring p95' : ''}`,
    scale: times,
    print: times.format,
    valuesOf: ({ p50, low, high, p95 }) => ({ value: p50, low, high, tail: isLone ? p95 : null }),
    kneeAt: 8,
  };
  const throughput: Panel = {
    name: `Throughput, assets / ${per}`,
    words: 'bar interval',
    scale: linearAxis(mostRate * inUnit, 4),
    print: trimmed,
    valuesOf: ({ perSecond, perSecondLow, perSecondHigh }) => {
      const [value, low, high] = [perSecond, perSecondLow, perSecondHigh].map((each) => each && each * inUnit);
      return { value: value ?? null, low: low ?? null, high: high ?? null, tail: null };
    },
    kneeAt: HEIGHT - 9,
  };
  return rowsFigure({ label, axis, rows: [latency, throughput].map((panel) => rowOf(panel, curves, axis)) });
}

interface Panel {
  readonly name: string;
  readonly words: string;
  readonly scale: Axis;
  readonly print: (value: number) => string;
  readonly valuesOf: (point: SweepPoint) => Readonly<Record<'value' | 'low' | 'high' | 'tail', number | null>>;
  /** Pixels from the top, where the word "knee" is clear of the curves. */
  readonly kneeAt: number;
}

function rowOf(panel: Panel, curves: readonly SweepCurve[], { place }: Axis): FigureRow {
  const { name, words: said, scale, print, valuesOf, kneeAt } = panel;
  const y = (value: number): number => HEIGHT * (1 - scale.place(value));
  const lines = curves.map(({ mark, points, knee }) => {
    const values = points.map((point) => ({ x: place(point.step), ...valuesOf(point) }));
    const pointsOf = (key: 'value' | 'tail'): readonly Point[] =>
      values.flatMap(({ x, [key]: value }) => (value === null ? [] : [[x, y(value)] as const]));
    const ranges = values.flatMap(({ x, low, high }) =>
      low === null || high === null ? [] : [upright(x, y(low), y(high))],
    );
    return { mark, knee, values: pointsOf('value'), tails: pointsOf('tail'), ranges };
  });
  const knees = [...new Set(curves.flatMap(({ knee }) => knee ?? []))];
  return {
    mark: null,
    name,
    words: said,
    height: HEIGHT,
    levels: scale.ticks.map((tick) => ({ y: y(tick), words: print(tick) })),
    paths: [
      ...lines.map(
        ({ knee, mark }) =>
          knee !== null && path([upright(place(knee), 0, HEIGHT)], { stroke: mark.fill, 'stroke-dasharray': '4 3' }),
      ),
      ...lines.flatMap(({ mark: { fill }, values, tails, ranges }) => [
        path([curve(tails)], { stroke: 'var(--muted)', 'stroke-width': 1.5, 'stroke-dasharray': '2 3' }),
        path(ranges, { stroke: fill, 'stroke-width': 7, 'stroke-opacity': 0.3 }),
        path([curve(values)], { stroke: fill, 'stroke-width': 1.5, 'stroke-linejoin': 'round' }),
      ]),
    ],
    signs: [
      ...lines.flatMap(({ mark: { outline, fill }, values, tails }) => [
        ...tails.map(([x, top]) =>
          circle(x, top, 3.5, { stroke: 'var(--muted)', 'stroke-width': 1.5, fill: 'var(--page)' }),
        ),
        ...values.map(([x, top]) => sign(outline, x, top, { fill })),
      ]),
      ...knees.map((knee) =>
        words(place(knee), kneeAt, 'knee', {
          dx: 6,
          fill: 'var(--text)',
          'font-weight': 600,
          'text-anchor': 'start',
          ...WRITTEN,
        }),
      ),
    ],
  };
}

/** Shares of the width: the words of levels stand left of the first step. */
const FIRST = 0.08;
const LAST = 0.96;

/** By ratio, since steps mostly double; a single step is in the middle. */
function stepsAxis(steps: readonly number[]): Axis {
  const low = Math.log(steps[0] ?? 1);
  const span = Math.log(steps.at(-1) ?? 1) - low;
  const place = (step: number): number => (span === 0 ? 0.5 : FIRST + ((Math.log(step) - low) / span) * (LAST - FIRST));
  return { type: 'log', ticks: steps, format: count, place };
}
