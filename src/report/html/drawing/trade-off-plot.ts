import * as Plot from '@observablehq/plot';
import { clipped, textWidth } from '../../../text/text-width.ts';
import { html, type Markup } from '../markup/markup.ts';
import { forEachWidth, isNarrow } from '../markup/responsive.ts';
import { linearAxis, linearTicks } from './axis.ts';
import { chart } from './chart.ts';
import { placeLabels } from './place-labels.ts';
import type { VariantMark } from './variant-mark.ts';

/** One variant: latency in milliseconds, and the other value. */
interface TradeOffDot {
  readonly name: string;
  readonly mark: VariantMark;
  readonly x: number;
  readonly y: number;
  readonly isOnFront: boolean;
  readonly isBaseline: boolean;
  /** What is said of it where it is pointed at. */
  readonly title: string;
}

export interface TradeOffDrawing {
  readonly label: string;
  /** What the axes are. */
  readonly words: string;
  readonly dots: readonly TradeOffDot[];
  /** A value of the upright axis in words. */
  readonly print: (value: number) => string;
}

const MARGIN = { top: 26, right: 20, bottom: 26, left: 56 } as const;

/** About the width of a character of a name as drawn, in pixels; wide characters count as two. */
const CHARACTER = 6.9;
const LONGEST_NAME = 28;

/** Of more variants than this only those on the front and the baseline variant are named: other names would lie between marks. */
const MOST_NAMED = 12;

/** A dot for each variant: latency to the right, the other value upwards; those on the Pareto front are filled. */
export function tradeOffPlot(drawing: TradeOffDrawing): Markup {
  const { dots, label } = drawing;
  return html`${forEachWidth({ marks: dots.length, isSweep: false, scrollLabel: label }, (width) => plot(drawing, width))}
<p class="note">Towards the lower left is better. A filled mark is on the Pareto front: no other variant is better in all columns of the table below.${
    dots.length > MOST_NAMED &&
    ' The front and the baseline variant are named. Point at another mark for its name; the table below has all.'
  }</p>`;
}

function plot({ label, words, dots, print }: TradeOffDrawing, width: number): Markup {
  const narrow = isNarrow(width);
  const height = narrow ? 260 : 300;
  const frame = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  const across = linearAxis(
    dots.reduce((most, { x }) => Math.max(most, x), 0),
    narrow ? 4 : 8,
  );
  const highest = dots.reduce((most, { y }) => Math.max(most, y), 0);
  const upTicks = linearTicks(highest, 6);
  const top = Math.max(highest * 1.12, upTicks.at(-1) ?? 0);
  const placed = dots.map((dot) => ({
    ...dot,
    name: clipped(dot.name, LONGEST_NAME),
    x: MARGIN.left + across.place(dot.x) * frame.width,
    y: MARGIN.top + (1 - dot.y / top) * frame.height,
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
  const upwards = upTicks.map((tick) => ({ y: MARGIN.top + (1 - tick / top) * frame.height, text: print(tick) }));
  const along = across.ticks.map((tick) => ({
    x: MARGIN.left + across.place(tick) * frame.width,
    text: across.format(tick),
  }));
  return chart(label, {
    width,
    height,
    margin: 0,
    x: { type: 'identity', axis: null },
    y: { type: 'identity', axis: null },
    marks: [
      Plot.link(upwards, { x1: MARGIN.left, x2: width - MARGIN.right, y1: 'y', y2: 'y', stroke: 'var(--line)' }),
      Plot.link(along, { x1: 'x', x2: 'x', y1: MARGIN.top, y2: height - MARGIN.bottom, stroke: 'var(--line)' }),
      Plot.text(upwards, { x: MARGIN.left - 6, y: 'y', text: 'text', textAnchor: 'end', fill: 'var(--muted)' }),
      Plot.text(along, { x: 'x', y: height - 10, text: 'text', fill: 'var(--muted)' }),
      Plot.text([words], { x: 1, y: 10, text: (each: string) => each, textAnchor: 'start', fill: 'var(--muted)' }),
      // Those on the front lie on top.
      Plot.dot(
        placed.toSorted((a, b) => Number(a.isOnFront) - Number(b.isOnFront)),
        {
          x: 'x',
          y: 'y',
          r: 5,
          symbol: ({ mark }: TradeOffDot) => mark.symbol,
          fill: ({ mark, isOnFront }: TradeOffDot) => (isOnFront ? mark.fill : 'var(--page)'),
          stroke: ({ mark }: TradeOffDot) => mark.fill,
          strokeWidth: 2,
          title: 'title',
        },
      ),
      Plot.text(labels, {
        x: 'x',
        y: 'y',
        text: 'name',
        textAnchor: 'start',
        fill: 'var(--text)',
        stroke: 'var(--page)',
        strokeWidth: 4,
      }),
    ],
  });
}
