import { createRandom, type Random } from './random.ts';
import { type SortedSample, sortSample } from './sorted-sample.ts';

/**
 * The estimate that belongs to the signed rank test (Hodges and Lehmann, Annals of Mathematical Statistics 34, 1963,
 * 598-611): the median of the Walsh averages, the means of all pairs of values, each paired with itself too. Null of none.
 *
 * The n (n + 1) / 2 averages are never held: sorted values make them rows that ascend, and the median is found by
 * selection with random pivots (Monahan, ACM Transactions on Mathematical Software 10, 1984, 265-270), in
 * O(n log n) time on average and O(n) memory. The pivots are drawn from a fixed seed; the result does not depend on them.
 * Throws on NaN and `-Infinity`.
 */
export function hodgesLehmann(values: readonly number[]): number | null {
  const sorted = sortSample(values);
  const count = (sorted.length * (sorted.length + 1)) / 2;
  if (count === 0) return null;
  const random = createRandom(1);
  const lower = walshAverage(sorted, Math.ceil(count / 2), random);
  if (count % 2 === 1) return lower + 0; // a zero without a sign
  const upper = walshAverage(sorted, count / 2 + 1, random);
  return upper === Infinity ? Infinity : lower + (upper - lower) / 2;
}

/** The mean of two values; unlike (a + b) / 2 it does not overflow, and rises with either value whatever the rounding. */
function average(a: number, b: number): number {
  return a / 2 + b / 2;
}

/** The Walsh average of a rank, from 1. Row i holds the averages of value i with itself and all larger ones. */
function walshAverage(sorted: SortedSample, rank: number, random: Random): number {
  const n = sorted.length;
  const at = (row: number, column: number): number => average(sorted[row] ?? NaN, sorted[column] ?? NaN);
  // The columns of each row that may still be the one sought: from `from` up to, and without, `to`.
  let from: Int32Array = Int32Array.from(sorted, (_, row) => row);
  let to: Int32Array = new Int32Array(n).fill(n);
  for (;;) {
    const pivot = drawPivot(from, to, random, at);
    const below = columnsWhere(n, (row, column) => at(row, column) < pivot);
    const upTo = columnsWhere(n, (row, column) => at(row, column) <= pivot);
    if (rank <= averagesIn(below)) to = below;
    else if (rank > averagesIn(upTo)) from = upTo;
    else return pivot;
  }
}

/** Of the averages that are left, any with the same chance. */
function drawPivot(
  from: Int32Array,
  to: Int32Array,
  random: Random,
  at: (row: number, column: number) => number,
): number {
  let left = 0;
  for (let row = 0; row < from.length; row += 1) left += Math.max(0, (to[row] ?? 0) - (from[row] ?? 0));
  let drawn = random.below(left);
  for (let row = 0; ; row += 1) {
    const columns = Math.max(0, (to[row] ?? 0) - (from[row] ?? 0));
    if (drawn < columns) return at(row, (from[row] ?? 0) + drawn);
    drawn -= columns;
  }
}

/** Of each row the first column at which `holds` ends, at least the row itself. It ends no later in a later row. */
function columnsWhere(n: number, holds: (row: number, column: number) => boolean): Int32Array {
  const ends = new Int32Array(n);
  let column = n;
  for (let row = 0; row < n; row += 1) {
    while (column > row && !holds(row, column - 1)) column -= 1;
    ends[row] = Math.max(row, column);
  }
  return ends;
}

function averagesIn(ends: Int32Array): number {
  let total = 0;
  for (let row = 0; row < ends.length; row += 1) total += (ends[row] ?? row) - row;
  return total;
}
