import type { VariantSummary } from '../../analysis/summaries.ts';
import { count, trimmed } from '../../kit/wording.ts';
import type { Markup } from '../../markup/markup.ts';
import { type Measures, throughputRange } from '../../report/statement.ts';
import { type Axis, linearAxis } from './axis.ts';
import { chart, circle, curve, group, isNarrow, level, type SvgLook, sign, upright, WRITTEN, words } from './svg.ts';
import type { VariantMark } from './variant-mark.ts';

const PANEL_HEIGHT = 150;
const TITLE = 26;
const FOOT = 30;
const LEFT = 58;
const RIGHT = 14;

/** Latencies are null where there are none. */
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

/** Points ascend by step. */
export interface SweepCurve {
  readonly mark: VariantMark;
  readonly points: readonly SweepPoint[];
  readonly knee: number | null;
}

/** The largest values of the kind make figures comparable. */
export interface SweepScale {
  readonly steps: readonly number[];
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

interface Point {
  readonly step: number;
  readonly value: number;
}

interface AxisRange {
  readonly step: number;
  readonly low: number;
  readonly high: number;
}

interface Panel {
  readonly title: string;
  readonly axis: Axis;
  readonly print: (value: number) => string;
  readonly lines: readonly PanelLine[];
  /** The side where the word "knee" is clear of the curves. */
  readonly kneeWord: 'top' | 'bottom';
}

interface PanelLine {
  readonly curve: SweepCurve;
  readonly values: readonly Point[];
  readonly ranges: readonly AxisRange[];
  /** Drawn as rings. */
  readonly tails: readonly Point[];
}

/** All curves in one panel of latency and one of throughput; p95 only of a lone curve: rings of several would hide them. */
export function sweepPlot(label: string, curves: readonly SweepCurve[], scale: SweepScale, width: number): Markup {
  const narrow = isNarrow(width);
  const half = narrow ? width : width / 2;
  const first: Frame = { left: LEFT, right: half - RIGHT, top: TITLE };
  const second: Frame = narrow
    ? { ...first, top: first.top + PANEL_HEIGHT + FOOT + TITLE }
    : { ...first, left: half + LEFT, right: width - RIGHT };
  const { per } = scale;
  const inUnit = (perSecond: number): number => (per === 's' ? perSecond : perSecond * 60);
  const times = linearAxis(scale.mostMs, 4);
  const isLone = curves.length === 1;
  const latency: Panel = {
    title: `Latency: mark p50, bar interval${isLone ? ', ring p95' : ''}`,
    axis: times,
    print: times.format,
    lines: curves.map((drawn) => ({
      curve: drawn,
      values: drawn.points.flatMap(({ step, p50 }) => (p50 === null ? [] : [{ step, value: p50 }])),
      ranges: drawn.points.flatMap(({ step, low, high }) =>
        low === null || high === null ? [] : [{ step, low, high }],
      ),
      tails: isLone ? drawn.points.flatMap(({ step, p95 }) => (p95 === null ? [] : [{ step, value: p95 }])) : [],
    })),
    kneeWord: 'top',
  };
  const throughput: Panel = {
    title: `Throughput, assets / ${per}: bar interval`,
    axis: linearAxis(scale.mostRate, 4),
    print: trimmed,
    lines: curves.map((drawn) => ({
      curve: drawn,
      values: drawn.points.flatMap(({ step, perSecond }) =>
        perSecond === null ? [] : [{ step, value: inUnit(perSecond) }],
      ),
      ranges: drawn.points.flatMap(({ step, perSecondLow: low, perSecondHigh: high }) =>
        low === null || high === null ? [] : [{ step, low: inUnit(low), high: inUnit(high) }],
      ),
      tails: [],
    })),
    kneeWord: 'bottom',
  };
  return chart(label, { width, height: second.top + PANEL_HEIGHT + FOOT }, [
    ...panel(first, latency, scale),
    ...panel(second, throughput, scale),
  ]);
}

/** A knee is a line through the panel. */
function panel(
  frame: Frame,
  { title, axis, print, lines, kneeWord }: Panel,
  { steps }: SweepScale,
): readonly (Markup | false)[] {
  const { left, right, top } = frame;
  const bottom = top + PANEL_HEIGHT;
  const x = xScale(steps, frame);
  const y = (value: number): number => top + PANEL_HEIGHT * (1 - axis.place(value));
  const place = ({ step, value }: Point) => [x(step), y(value)] as const;
  const muted = { fill: 'var(--muted)' };
  const dashed: SvgLook = { stroke: 'var(--muted)', 'stroke-width': 1.5, 'stroke-dasharray': '2 3' };
  const named: SvgLook = { fill: 'var(--text)', 'font-weight': 600, 'text-anchor': 'start', ...WRITTEN };
  const knees = [...new Set(lines.flatMap(({ curve: { knee } }) => knee ?? []))];
  return [
    words(left, top - 14, title, { ...muted, 'text-anchor': 'start' }),
    group(
      { stroke: 'var(--line)' },
      axis.ticks.map((tick) => level(left, right, y(tick))),
    ),
    group(
      { ...muted, 'text-anchor': 'end' },
      axis.ticks.map((tick) => words(left - 8, y(tick), print(tick))),
    ),
    group(
      muted,
      steps.map((step) => words(x(step), bottom + 14, count(step))),
    ),
    ...lines.map(
      ({ curve: { knee, mark } }) =>
        knee !== null && upright(x(knee), top, bottom, { stroke: mark.fill, 'stroke-dasharray': '4 3' }),
    ),
    ...knees.map((knee) => words(x(knee) + 6, kneeWord === 'top' ? top + 8 : bottom - 9, 'knee', named)),
    ...lines.flatMap(({ curve: { mark }, values, ranges, tails }) => [
      tails.length > 0 && curve(tails.map(place), dashed),
      group(
        { stroke: 'var(--muted)', 'stroke-width': 1.5, fill: 'var(--page)' },
        tails.map(place).map(([across, up]) => circle(across, up, 3.5)),
      ),
      group(
        { stroke: mark.fill, 'stroke-width': 7, 'stroke-opacity': 0.3 },
        ranges.map(({ step, low, high }) => upright(x(step), y(low), y(high))),
      ),
      values.length > 0 &&
        curve(values.map(place), { stroke: mark.fill, 'stroke-width': 1.5, 'stroke-linejoin': 'round' }),
      ...values.map(place).map(([across, up]) => sign(mark.outline, across, up, { fill: mark.fill })),
    ]),
  ];
}

/** By ratio, since steps mostly double; a single step is in the middle. */
function xScale(steps: readonly number[], { left, right }: Frame): (step: number) => number {
  const low = Math.log(steps[0] ?? 1);
  const span = Math.log(steps.at(-1) ?? 1) - low;
  const inset = 16;
  return (step) =>
    span === 0 ? (left + right) / 2 : left + inset + ((Math.log(step) - low) / span) * (right - left - 2 * inset);
}
