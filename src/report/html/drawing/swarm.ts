import { groupBy } from '../../../analysis/grouping.ts';

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
