import { clipped, textWidth } from '../../../text/text-width.ts';
import { html, type Markup } from '../markup/markup.ts';
import { linearAxis, linearTicks, ticksBetween } from './axis.ts';
import { chart, forEachWidth, group, isNarrow, level, sign, upright, WRITTEN, words } from './svg.ts';
import type { VariantMark } from './variant-mark.ts';

/** Latency is in milliseconds. */
interface TradeOffDot {
  readonly name: string;
  readonly mark: VariantMark;
  readonly x: number;
  readonly y: number;
  readonly isOnFront: boolean;
  readonly isBaseline: boolean;
  readonly title: string;
}

export interface TradeOffDrawing {
  readonly label: string;
  readonly axes: string;
  readonly dots: readonly TradeOffDot[];
  /** Of a score, whose zero means nothing, the axis shows what its values span, and what is better is below. */
  readonly upwards: 'from_zero' | 'lower_score' | 'higher_score';
  readonly print: (value: number) => string;
}

const MARGIN = { top: 26, right: 20, bottom: 26, left: 56 } as const;

/** Average pixels of a name's character; a wide one counts as two. */
const CHARACTER = 6.9;
const LONGEST_NAME = 28;

/** Of more variants, only the front and the baseline variant have names: others would lie between marks. */
const MOST_NAMED = 12;

/** Latency to the right, the other value upwards, downwards where more is better; dots on the Pareto front are filled. */
export function tradeOffPlot(drawing: TradeOffDrawing): readonly Markup[] {
  const { dots, label } = drawing;
  return forEachWidth({ marks: dots.length, isSweep: false, scrollLabel: label }, (width) => plot(drawing, width));
}

/** How to read plots of so many dots. */
export function tradeOffNote(dots: number): Markup {
  return html`<p class="note">Towards the lower left is better. A filled mark is on the Pareto front: no other variant is better in all columns of the table below.${
    dots > MOST_NAMED &&
    ' The front and the baseline variant are named. Point at another mark for its name; the table below has all.'
  }</p>`;
}

function plot({ label, axes, dots, upwards: scale, print }: TradeOffDrawing, width: number): Markup {
  const narrow = isNarrow(width);
  const height = narrow ? 260 : 300;
  const frame = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  const across = linearAxis(
    dots.reduce((most, { x }) => Math.max(most, x), 0),
    narrow ? 4 : 8,
  );
  const { ticks, place } = upwardScale(
    dots.map(({ y }) => y),
    scale,
  );
  const yOf = (value: number) => MARGIN.top + (1 - place(value)) * frame.height;
  const placed = dots.map((dot) => ({
    ...dot,
    name: clipped(dot.name, LONGEST_NAME),
    x: MARGIN.left + across.place(dot.x) * frame.width,
    y: yOf(dot.y),
  }));
  const labels = placeLabels(
    placed.map(({ name, x, y, isOnFront, isBaseline }) => {
      const isFirst = isOnFront || isBaseline;
      const isNamed = isFirst || dots.length <= MOST_NAMED;
      return { name: isNamed ? name : null, x: x - MARGIN.left, y: y - MARGIN.top, isFirst };
    }),
    frame,
    (name) => textWidth(name) * CHARACTER,
  ).map(({ name, x, y }) => ({ name, x: x + MARGIN.left, y: y + MARGIN.top }));
  const upwards = ticks.map((tick) => ({ y: yOf(tick), text: print(tick) }));
  const along = across.ticks.map((tick) => ({
    x: MARGIN.left + across.place(tick) * frame.width,
    text: across.format(tick),
  }));
  const muted = { fill: 'var(--muted)' };
  return chart(label, { width, height }, [
    group({ stroke: 'var(--line)' }, [
      ...upwards.map(({ y }) => level(MARGIN.left, width - MARGIN.right, y)),
      ...along.map(({ x }) => upright(x, MARGIN.top, height - MARGIN.bottom)),
    ]),
    group(
      { ...muted, 'text-anchor': 'end' },
      upwards.map(({ y, text }) => words(MARGIN.left - 6, y, text)),
    ),
    group(
      muted,
      along.map(({ x, text }) => words(x, height - 10, text)),
    ),
    words(1, 10, axes, { ...muted, 'text-anchor': 'start' }),
    // The front is drawn on top.
    ...placed
      .toSorted((a, b) => Number(a.isOnFront) - Number(b.isOnFront))
      .map(({ x, y, mark, isOnFront, title }) => {
        const look = { fill: isOnFront ? mark.fill : 'var(--page)', stroke: mark.fill, 'stroke-width': 1.6 };
        return html`<g><title>${title}</title>${sign(mark.outline, x, y, look, 1.25)}</g>`;
      }),
    group(
      { fill: 'var(--text)', 'text-anchor': 'start', ...WRITTEN },
      labels.map(({ x, y, name }) => words(x, y, name)),
    ),
  ]);
}

interface UpwardScale {
  readonly ticks: readonly number[];
  /** From 0 at the bottom to 1 at the top. */
  readonly place: (value: number) => number;
}

function upwardScale(values: readonly number[], scale: TradeOffDrawing['upwards']): UpwardScale {
  const highest = values.reduce((most, value) => Math.max(most, value), scale === 'from_zero' ? 0 : -Infinity);
  if (scale === 'from_zero') {
    const ticks = linearTicks(highest, 6);
    const top = Math.max(highest * 1.12, ticks.at(-1) ?? 0);
    return { ticks, place: (value) => value / top };
  }
  const lowest = values.reduce((least, value) => Math.min(least, value), Infinity);
  const pad = (highest - lowest) * 0.15;
  const [low, high] = [lowest - pad, highest + pad];
  const place = (value: number) => (value - low) / (high - low);
  return {
    ticks: ticksBetween(low, high, 6),
    place: scale === 'lower_score' ? place : (value) => 1 - place(value),
  };
}

/** In pixels. */
export interface NamedDot {
  readonly x: number;
  readonly y: number;
  /** Null: the dot has no name, and no other name covers it. */
  readonly name: string | null;
  readonly isFirst: boolean;
}

/** The left end of the line and the middle of its height, in pixels. */
export interface PlacedLabel {
  readonly x: number;
  readonly y: number;
  readonly name: string;
}

interface LabelBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Pixels of a dot, and of a line of words. */
const DOT_SIZE = 6;
const LINE = 15;

/** Distances of a name from its dot, in lines, in the order they are tried. */
const LINES_AWAY = [0, -1, 1, -2, 2, -3, 3] as const;

/**
 * Keeps names off each other and off dots, inside the frame; names marked first, then the topmost, are placed first. A
 * name that fits nowhere is left out.
 *
 * @param widthOf a name as written, in pixels
 */
export function placeLabels(
  dots: readonly NamedDot[],
  frame: { readonly width: number; readonly height: number },
  widthOf: (name: string) => number,
): readonly PlacedLabel[] {
  const taken: LabelBox[] = dots.map(({ x, y }) => box(x - DOT_SIZE, y - DOT_SIZE, 2 * DOT_SIZE, 2 * DOT_SIZE));
  return dots
    .toSorted((a, b) => Number(b.isFirst) - Number(a.isFirst) || a.y - b.y || a.x - b.x)
    .flatMap(({ x, y, name }): PlacedLabel[] => {
      if (name === null) return [];
      const width = widthOf(name);
      for (const away of LINES_AWAY) {
        for (const left of [x + DOT_SIZE + 3, x - DOT_SIZE - 3 - width, x - width / 2]) {
          const middle = y + away * LINE;
          const own = box(left, middle - LINE / 2, width, LINE);
          const inside = own.left >= 0 && own.right <= frame.width && own.top >= 0 && own.bottom <= frame.height;
          if (!inside || taken.some((other) => overlap(own, other))) continue;
          taken.push(own);
          return [{ x: left, y: middle, name }];
        }
      }
      return [];
    });
}

function box(left: number, top: number, width: number, height: number): LabelBox {
  return { left, right: left + width, top, bottom: top + height };
}

function overlap(a: LabelBox, b: LabelBox): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
