import { groupBy } from '../../analysis/grouping.ts';
import type { Markup } from '../../markup/markup.ts';
import { circle, group, path } from './svg.ts';

/** In pixels. */
export interface Dot {
  readonly x: number;
  readonly y: number;
  readonly fill: string;
}

/** From this many on, dots of one colour are drawn as one path. */
const FEWEST = 50;

/**
 * Many dots of one colour are one path of zero-length lines with round ends: ten bytes for each dot instead of forty,
 * and one element to lay out. Where dots overlap, the colour stays even.
 */
export function dotMarks(
  dots: readonly Dot[],
  { r, opacity }: { readonly r: number; readonly opacity: number },
): readonly (Markup | false)[] {
  const colours = [...groupBy(dots, ({ fill }) => fill)];
  const many = colours.filter(([, alike]) => alike.length >= FEWEST);
  const few = colours.filter(([, alike]) => alike.length < FEWEST);
  return [
    group(
      { fill: 'none', 'stroke-linecap': 'round', 'stroke-width': 2 * r, 'stroke-opacity': opacity },
      many.map(([stroke, alike]) => path(pathOf(alike), { stroke })),
    ),
    ...few.map(([fill, alike]) =>
      group(
        { fill, 'fill-opacity': opacity },
        alike.map(({ x, y }) => circle(x, y, r)),
      ),
    ),
  ];
}

/** Offsets are shorter than places; in whole tenths of a pixel, so that rounding does not add up. */
function pathOf(dots: readonly Dot[]): string {
  let path = '';
  let [x, y] = [0, 0];
  for (const dot of dots) {
    const [toX, toY] = [Math.round(10 * dot.x), Math.round(10 * dot.y)];
    const down = tenths(toY - y);
    path += `m${tenths(toX - x)}${down.startsWith('-') ? '' : ' '}${down}h0`;
    [x, y] = [toX, toY];
  }
  return path;
}

/** `-3` as `-.3`. */
function tenths(count: number): string {
  return String(count / 10).replace(/^(-?)0\./, '$1.');
}

/** Pixels between dots. */
const DOT = 5.2;

/**
 * Stacks dots that would overlap around the middle of their band. The fullest stack sets the spacing for all, so the
 * outline shows where dots are many.
 *
 * @param place from 0 at the low end of the axis to 1 at the high one
 * @param width of the axis, and `bandHeight` of the band, in pixels
 */
export function swarm(
  values: readonly number[],
  place: (value: number) => number,
  { width, bandHeight }: { readonly width: number; readonly bandHeight: number },
): readonly { readonly value: number; readonly offset: number }[] {
  const columns = groupBy(values, (value) => Math.round((place(value) * width) / DOT));
  const fullest = [...columns.values()].reduce((most, column) => Math.max(most, column.length), 2);
  const step = Math.min(DOT, (bandHeight - DOT) / (fullest - 1));
  return [...columns.values()].flatMap((column) =>
    column.map((value, index) => ({
      value,
      offset: (index % 2 === 0 ? 1 : -1) * Math.ceil(index / 2) * step,
    })),
  );
}
