import * as Plot from '@observablehq/plot';
import type { VariantSummary } from '../../../analysis/analysis.ts';
import { count, significant } from '../../../text/quantity.ts';
import { clipped } from '../../../text/text-width.ts';
import type { Measures } from '../../statements/statement.ts';
import { throughputRange } from '../../statements/throughput-statement.ts';
import type { Markup } from '../markup/markup.ts';
import { isNarrow } from '../markup/responsive.ts';
import { type DurationAxis, linearAxis } from './axis.ts';
import { chart } from './chart.ts';
import type { VariantMark } from './variant-mark.ts';

const PANEL_HEIGHT = 150;
const HEAD = 26;
const TITLE = 26;
const FOOT = 30;
const LEFT = 58;
const RIGHT = 14;

/** What a variant does at each step: of latencies null where there is none. */
export interface SweepPoint {
  readonly step: number;
  readonly p50: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly p95: number | null;
  readonly perSecond: number | null;
  /** Its interval, or where slices are too short its bracket. */
  readonly perSecondLow: number | null;
  readonly perSecondHigh: number | null;
}

/** A variant's points, ascending by step, with its knee; the largest values of its kind make scales comparable. */
export interface SweepCurve {
  readonly name: string;
  readonly mark: VariantMark;
  readonly points: readonly SweepPoint[];
  readonly knee: number | null;
  readonly mostMs: number;
  /** In `per`. */
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

interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

/** Latency and throughput of one variant over what is in flight: beside each other, or one below the other where it is narrow. */
export function sweepPlot(label: string, curve: SweepCurve, width: number): Markup {
  const narrow = isNarrow(width);
  const half = narrow ? width : width / 2;
  const frames: readonly [Frame, Frame] = [
    { left: LEFT, right: half - RIGHT, top: HEAD + TITLE },
    narrow
      ? { left: LEFT, right: half - RIGHT, top: HEAD + TITLE + PANEL_HEIGHT + FOOT + TITLE }
      : { left: half + LEFT, right: width - RIGHT, top: HEAD + TITLE },
  ];
  const { points, per, knee, mark } = curve;
  const times = linearAxis(curve.mostMs, 4);
  const rates = linearAxis(curve.mostRate, 4);
  const inUnit = (perSecond: number): number => (per === 's' ? perSecond : perSecond * 60);
  const latencies = points.flatMap(({ step, p50 }) => (p50 === null ? [] : [{ step, value: p50 }]));
  const tails = points.flatMap(({ step, p95 }) => (p95 === null ? [] : [{ step, value: p95 }]));
  const throughputs = points.flatMap(({ step, perSecond }) =>
    perSecond === null ? [] : [{ step, value: inUnit(perSecond) }],
  );
  const intervals = points.flatMap(({ step, low, high }) =>
    low === null || high === null ? [] : [{ step, low, high }],
  );
  const ranges = points.flatMap(({ step, perSecondLow, perSecondHigh }) =>
    perSecondLow === null || perSecondHigh === null
      ? []
      : [{ step, low: inUnit(perSecondLow), high: inUnit(perSecondHigh) }],
  );
  const steps = points.map(({ step }) => step);
  const bottom = Math.max(...frames.map(({ top }) => top)) + PANEL_HEIGHT;
  const x = (frame: Frame) => xScale(steps, frame);
  const y = (frame: Frame, axis: DurationAxis) => (value: number) => frame.top + PANEL_HEIGHT * (1 - axis.place(value));
  const [first, second] = frames;
  return chart(label, {
    width,
    height: bottom + FOOT,
    margin: 0,
    x: { type: 'identity', axis: null },
    y: { type: 'identity', axis: null },
    marks: [
      Plot.dot([mark], { x: 5, y: 12, r: 4, symbol: mark.symbol, fill: mark.fill }),
      Plot.text([curve.name], {
        x: 15,
        y: 12,
        text: (name: string) => clipped(name, 34),
        textAnchor: 'start',
        fill: 'var(--text)',
        fontWeight: 600,
      }),
      ...panel(first, 'Latency: mark p50, bar interval, ring p95', times, times.format, steps, {
        step: knee,
        beside: 'top',
      }),
      ...panel(second, `Throughput, assets / ${per}: bar interval`, rates, plain, steps, {
        step: knee,
        beside: 'bottom',
      }),
      Plot.line(tails, {
        x: (d) => x(first)(d.step),
        y: (d) => y(first, times)(d.value),
        stroke: 'var(--muted)',
        strokeDasharray: '2 3',
      }),
      Plot.dot(tails, {
        x: (d) => x(first)(d.step),
        y: (d) => y(first, times)(d.value),
        r: 3.5,
        fill: 'var(--page)',
        stroke: 'var(--muted)',
      }),
      bars(intervals, x(first), y(first, times), mark),
      ...curveOf(latencies, x(first), y(first, times), mark),
      bars(ranges, x(second), y(second, rates), mark),
      ...curveOf(throughputs, x(second), y(second, rates), mark),
    ],
  });
}

interface Point {
  readonly step: number;
  readonly value: number;
}

interface Range {
  readonly step: number;
  readonly low: number;
  readonly high: number;
}

function bars(
  ranges: readonly Range[],
  x: (step: number) => number,
  y: (value: number) => number,
  { fill }: VariantMark,
): Plot.Markish {
  return Plot.link(ranges, {
    x1: (d: Range) => x(d.step),
    x2: (d: Range) => x(d.step),
    y1: (d: Range) => y(d.low),
    y2: (d: Range) => y(d.high),
    stroke: fill,
    strokeWidth: 7,
    strokeOpacity: 0.3,
  });
}

function curveOf(
  points: readonly Point[],
  x: (step: number) => number,
  y: (value: number) => number,
  { fill, symbol }: VariantMark,
): Plot.Markish[] {
  const at = { x: (d: Point) => x(d.step), y: (d: Point) => y(d.value) };
  return [
    Plot.line(points, { ...at, stroke: fill, strokeWidth: 1.5 }),
    Plot.dot(points, { ...at, r: 4, symbol, fill }),
  ];
}

/** Grid, ticks and words of a panel, and the knee as a line through it, named where the curve is not. */
function panel(
  frame: Frame,
  title: string,
  axis: DurationAxis,
  format: (value: number) => string,
  steps: readonly number[],
  knee: { readonly step: number | null; readonly beside: 'top' | 'bottom' },
): Plot.Markish[] {
  const { left, right, top } = frame;
  const x = xScale(steps, frame);
  const bottom = top + PANEL_HEIGHT;
  const level = (tick: number): number => top + PANEL_HEIGHT * (1 - axis.place(tick));
  const kneeAt = knee.step === null ? [] : [x(knee.step)];
  return [
    Plot.text([title], { x: left, y: top - 14, text: (d: string) => d, textAnchor: 'start', fill: 'var(--muted)' }),
    Plot.link(axis.ticks, { x1: left, x2: right, y1: level, y2: level, stroke: 'var(--line)' }),
    Plot.text(axis.ticks, {
      x: left - 8,
      y: level,
      text: format,
      textAnchor: 'end',
      fill: 'var(--muted)',
      fontSize: 11,
    }),
    Plot.text(steps, { x, y: bottom + 14, text: (step: number) => count(step), fill: 'var(--muted)' }),
    Plot.link(kneeAt, {
      x1: (d: number) => d,
      x2: (d: number) => d,
      y1: top,
      y2: bottom,
      stroke: 'var(--text)',
      strokeDasharray: '4 3',
    }),
    Plot.text(kneeAt, {
      x: (d: number) => d,
      y: knee.beside === 'top' ? top + 8 : bottom - 9,
      dx: 6,
      text: () => 'knee',
      textAnchor: 'start',
      fill: 'var(--text)',
      fontWeight: 600,
      stroke: 'var(--page)',
      strokeWidth: 4,
    }),
  ];
}

/** Steps by their ratio, as they mostly double; a single one in the middle. */
function xScale(steps: readonly number[], { left, right }: Frame): (step: number) => number {
  const low = Math.log(steps[0] ?? 1);
  const span = Math.log(steps.at(-1) ?? 1) - low;
  const inset = 16;
  return (step) =>
    span === 0 ? (left + right) / 2 : left + inset + ((Math.log(step) - low) / span) * (right - left - 2 * inset);
}

function plain(value: number): string {
  const words = significant(value);
  return words.includes('.') ? words.replace(/\.?0+$/, '') : words;
}
