import { createRandom, type Random } from '../distributions/random.ts';

/**
 * The means of all pairs of values, each value paired with itself too, in ascending order. The mean of `Infinity` and
 * `-Infinity` is left out.
 */
export interface WalshAverages {
  /** n (n + 1) / 2 less those left out. */
  readonly count: number;
  readonly belowInfinity: number;
  readonly leftOut: number;
  /** The average of a rank, 1 to `count`. */
  readonly atRank: (rank: number) => number;
}

/** Up to so many values, sorting their averages is faster than a search for each rank. */
const MOST_HELD = 64;

/**
 * Above 64 values the averages are not stored: of sorted values they are ascending rows, and a rank is found by
 * selection with random pivots (Monahan, ACM Transactions on Mathematical Software 10, 1984, 265-270), in O(n log n)
 * time on average and O(n) memory. No result depends on the pivots, drawn from a fixed seed. Throws on NaN.
 */
export function walshAverages(values: readonly number[]): WalshAverages {
  const sorted = Float64Array.from(values).sort();
  if (Number.isNaN(sorted.at(-1))) throw new RangeError('a value is NaN');
  let low = 0;
  while (sorted[low] === -Infinity) low += 1;
  let end = sorted.length;
  while (end > low && sorted[end - 1] === Infinity) end -= 1;
  const finite = sorted.subarray(low, end);
  const [middle, high] = [finite.length, sorted.length - end];
  // Every average with an infinite value is infinite, and below or above all others.
  const lowAverages = low * middle + triangle(low);
  const belowInfinity = lowAverages + triangle(middle);
  const held = middle <= MOST_HELD ? allAverages(finite) : null;
  const count = belowInfinity + high * middle + triangle(high);
  return {
    count,
    belowInfinity,
    leftOut: low * high,
    atRank: (rank) => {
      if (!Number.isSafeInteger(rank) || rank < 1 || rank > count) throw new RangeError(`no rank ${rank} of ${count}`);
      if (rank <= lowAverages) return -Infinity;
      if (rank > belowInfinity) return Infinity;
      return held?.[rank - lowAverages - 1] ?? select(finite, rank - lowAverages, createRandom(1));
    },
  };
}

/** Unlike (a + b) / 2 it does not overflow, and rises with either value whatever the rounding. */
export function average(a: number, b: number): number {
  return a / 2 + b / 2;
}

function allAverages(finite: Float64Array): Float64Array {
  const averages = new Float64Array(triangle(finite.length));
  let made = 0;
  for (let at = 0; at < finite.length; at += 1) {
    const value = finite[at] ?? NaN;
    for (let other = at; other < finite.length; other += 1) {
      averages[made] = average(value, finite[other] ?? NaN);
      made += 1;
    }
  }
  return averages.sort();
}

function triangle(n: number): number {
  return (n * (n + 1)) / 2;
}

/** The average of a rank, from 1. Row i holds the averages of value i with itself and all larger ones. */
function select(sorted: Float64Array, rank: number, random: Random): number {
  const n = sorted.length;
  const at = (row: number, column: number): number => average(sorted[row] ?? NaN, sorted[column] ?? NaN);
  // The columns of each row that may still be the result: from `from` up to, and without, `to`.
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

/** One of the remaining averages, each with the same chance. */
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

/**
 * For each row the first column at which `holds` is false, at least the row itself; it does not rise from row to row.
 */
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
