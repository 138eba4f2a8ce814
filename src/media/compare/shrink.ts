import type { Luma } from '../pixels.ts';

export const SHRUNK_SIDE = 64;

const ROWS = 4;

const round = Math.fround;

/**
 * The luma at 64 x 64, as in PDQ: filtered twice along rows and columns, then the middle pixel of each cell. Works on a
 * few rows at a time, which stay in cache.
 */
export function shrink({ width, height, data }: Luma): Float32Array {
  if (width === SHRUNK_SIDE && height === SHRUNK_SIDE) return new Float32Array(data);
  const [across, down] = [boxOf(width), boxOf(height)];
  const middles = Int32Array.from({ length: SHRUNK_SIDE }, (_, cell) => middleOf(cell, width));
  const [read, lines, filtered] = [lineRoom(width), lineRoom(width), lineRoom(width)];
  const held = openRows(width, ROWS * (Math.ceil((down.before + down.after + 1) / ROWS) + 1));
  const taken = openRows(SHRUNK_SIDE, ROWS * Math.ceil(height / ROWS));
  const enter = (row: number): void => {
    if (row % ROWS !== 0) return;
    read.set(data.subarray(row * width, (row + ROWS) * width));
    filterRows(read, held.data, held.placeOf(row), width, across);
  };
  filterColumns(held, height, down, enter, (row, means) => {
    lines.set(means, (row % ROWS) * width);
    if ((row + 1) % ROWS !== 0 && row < height - 1) return;
    filterRows(lines, filtered, 0, width, across);
    const to = taken.placeOf(row - (row % ROWS));
    for (let line = 0; line < ROWS; line += 1) {
      for (let cell = 0; cell < SHRUNK_SIDE; cell += 1) {
        taken.data[to + line * SHRUNK_SIDE + cell] = filtered[line * width + (middles[cell] ?? 0)] ?? 0;
      }
    }
  });
  const block = new Float32Array(SHRUNK_SIDE * SHRUNK_SIDE);
  // An image less than 64 pixels high gives some rows to several cells.
  let cell = 0;
  const nothing = (): void => {};
  filterColumns(taken, height, down, nothing, (row, means) => {
    for (; cell < SHRUNK_SIDE && middleOf(cell, height) === row; cell += 1) block.set(means, cell * SHRUNK_SIDE);
  });
  return block;
}

function lineRoom(width: number): Float32Array {
  return new Float32Array(ROWS * width);
}

/** The last rows of an image, in turn; then a row of zeros, for those outside of it. */
interface HeldRows {
  readonly width: number;
  readonly data: Float32Array;
  readonly placeOf: (row: number) => number;
  readonly zeros: number;
}

function openRows(width: number, rows: number): HeldRows {
  const data = new Float32Array((rows + 1) * width);
  return { width, data, placeOf: (row) => (row % rows) * width, zeros: rows * width };
}

function middleOf(cell: number, length: number): number {
  return Math.floor(((cell + 0.5) * length) / SHRUNK_SIDE);
}

interface Box {
  readonly before: number;
  readonly after: number;
}

/** Two passes cover one cell: half of it, rounded up; the extra place of an even width is after the middle. */
function boxOf(length: number): Box {
  const size = Math.ceil(length / (2 * SHRUNK_SIDE));
  const after = Math.floor(size / 2);
  return { before: size - 1 - after, after };
}

/**
 * Running means along four rows (the sums of one row wait for each other), over the places that exist. A place is added
 * before another is removed, and sums are rounded, as in the reference.
 */
function filterRows(
  source: Float32Array,
  target: Float32Array,
  to: number,
  width: number,
  { before, after }: Box,
): void {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  let size = 0;
  for (let column = -after; column < width; column += 1) {
    if (column + after < width) {
      const entering = column + after;
      sum0 = round(sum0 + (source[entering] ?? 0));
      sum1 = round(sum1 + (source[entering + width] ?? 0));
      sum2 = round(sum2 + (source[entering + 2 * width] ?? 0));
      sum3 = round(sum3 + (source[entering + 3 * width] ?? 0));
      size += 1;
    }
    if (column > before) {
      const leaving = column - before - 1;
      sum0 = round(sum0 - (source[leaving] ?? 0));
      sum1 = round(sum1 - (source[leaving + width] ?? 0));
      sum2 = round(sum2 - (source[leaving + 2 * width] ?? 0));
      sum3 = round(sum3 - (source[leaving + 3 * width] ?? 0));
      size -= 1;
    }
    if (column >= 0) {
      target[to + column] = sum0 / size;
      target[to + column + width] = sum1 / size;
      target[to + column + 2 * width] = sum2 / size;
      target[to + column + 3 * width] = sum3 / size;
    }
  }
}

function filterColumns(
  { width, data, placeOf, zeros }: HeldRows,
  height: number,
  { before, after }: Box,
  enter: (row: number) => void,
  give: (row: number, means: Float32Array) => void,
): void {
  const sums = new Float32Array(width);
  const means = new Float32Array(width);
  for (let row = -after; row < height; row += 1) {
    const [entering, leaving] = [row + after, row - before - 1];
    if (entering < height) enter(entering);
    const size = Math.min(entering, height - 1) - Math.max(leaving, -1);
    slide(sums, data, entering < height ? placeOf(entering) : zeros, leaving < 0 ? zeros : placeOf(leaving));
    if (row < 0) continue;
    for (let column = 0; column < width; column += 1) means[column] = (sums[column] ?? 0) / size;
    give(row, means);
  }
}

function slide(sums: Float32Array, data: Float32Array, entering: number, leaving: number): void {
  for (let column = 0; column < sums.length; column += 1) {
    const wider = round((sums[column] ?? 0) + (data[entering + column] ?? 0));
    sums[column] = wider - (data[leaving + column] ?? 0);
  }
}
