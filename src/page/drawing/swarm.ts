import { groupBy } from '../../kit/grouping.ts';
import type { Axis } from './axis.ts';
import type { Point } from './svg.ts';

/** Pixels between dots. */
const DOT = 5.2;

/** Pixels: between the widths of narrow and wide screens. On a narrow one, dots side by side overlap. */
const WIDTH = 600;

/** Stacks dots that would overlap; the fullest stack sets the spacing. @param height of the band, in pixels */
export function swarm(values: readonly number[], { place }: Axis, height: number): readonly Point[] {
  const columns = [...groupBy(values, (value) => Math.round((place(value) * WIDTH) / DOT)).values()];
  const fullest = columns.reduce((most, column) => Math.max(most, column.length), 2);
  const step = Math.min(DOT, (height - DOT) / (fullest - 1));
  return columns.flatMap((column) =>
    column.map((value, at): Point => {
      const offset = (at % 2 === 0 ? 1 : -1) * Math.ceil(at / 2) * step;
      return [place(value), height / 2 + offset];
    }),
  );
}
