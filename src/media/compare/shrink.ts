import type { Luma } from '../pixels.ts';

/** Side of a shrunk image. */
export const SHRUNK_SIDE = 64;

const ROWS = 4;

const round = Math.fround;

/**
 * The luma at 64 x 64, as PDQ begins: filtered twice along rows and columns, then the middle pixel of each cell. Works
 * on a few rows at a time, so that they stay in cache and no second image is made.
 */
export function shrink({ width, height, data }: Luma): Float32Array {
  if (width === SHRUNK_SIDE && height === SHRUNK_SIDE) return new Float32Array(data);
  const across = boxOf(width);
  const down = boxOf(height);
  const [read, lines, filtered] = [lineRoom(width), lineRoom(width), lineRoom(width)];
  const held = Array.from({ length: Math.ceil((down.before + down.after + 1) / ROWS) + 1 }, () => lineRoom(width));
  const heldAt = (row: number): Float32Array => held[Math.floor(row / ROWS) % held.length] ?? read;
  const rowAt = (row: number) => heldAt(row).subarray((row % ROWS) * width, ((row % ROWS) + 1) * width);
  const enter = (row: number): Float32Array => {
    if (row % ROWS === 0) {
      read.set(data.subarray(row * width, (row + ROWS) * width));
      filterRows(read, heldAt(row), width, across);
    }
    return rowAt(row);
  };
  // The second filter only computes the columns that are used.
  const taken = new Float32Array(SHRUNK_SIDE * height);
  filterColumns(enter, rowAt, width, height, down, (row, sums, size) => {
    const line = row % ROWS;
    for (let column = 0, at = line * width; column < width; column += 1, at += 1)
      lines[at] = (sums[column] ?? 0) / size;
    if (line < ROWS - 1 && row < height - 1) return;
    filterRows(lines, filtered, width, across);
    for (let at = 0; at < (line + 1) * SHRUNK_SIDE; at += 1) {
      const value = filtered[Math.floor(at / SHRUNK_SIDE) * width + middleOf(at % SHRUNK_SIDE, width)] ?? 0;
      taken[(row - line) * SHRUNK_SIDE + at] = value;
    }
  });
  const takenAt = (row: number) => taken.subarray(row * SHRUNK_SIDE, (row + 1) * SHRUNK_SIDE);
  const block = new Float32Array(SHRUNK_SIDE * SHRUNK_SIDE);
  // An image less than 64 pixels high gives some rows to several cells.
  let cell = 0;
  filterColumns(takenAt, takenAt, SHRUNK_SIDE, height, down, (row, sums, size) => {
    for (; cell < SHRUNK_SIDE && middleOf(cell, height) === row; cell += 1) {
      for (let column = 0; column < SHRUNK_SIDE; column += 1)
        block[cell * SHRUNK_SIDE + column] = (sums[column] ?? 0) / size;
    }
  });
  return block;
}

function lineRoom(width: number): Float32Array {
  return new Float32Array(ROWS * width);
}

/** The middle of a cell if `length` is divided into 64 cells. */
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
 * Running means along four rows, over the places that exist at their ends. A place is added before another is removed,
 * and each sum rounded, as in the reference. Four rows, because the sums of one row wait for each other.
 */
function filterRows(source: Float32Array, target: Float32Array, width: number, { before, after }: Box): void {
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
      target[column] = sum0 / size;
      target[column + width] = sum1 / size;
      target[column + 2 * width] = sum2 / size;
      target[column + 3 * width] = sum3 / size;
    }
  }
}

/** Reads each row once as it enters and once as it leaves the window, in order. */
function filterColumns(
  enter: (row: number) => Float32Array,
  leave: (row: number) => Float32Array,
  width: number,
  height: number,
  { before, after }: Box,
  give: (row: number, sums: Float32Array, size: number) => void,
): void {
  const sums = new Float32Array(width);
  let size = 0;
  for (let row = -after; row < height; row += 1) {
    if (row + after < height) {
      addRow(sums, enter(row + after));
      size += 1;
    }
    if (row > before) {
      subtractRow(sums, leave(row - before - 1));
      size -= 1;
    }
    if (row >= 0) give(row, sums, size);
  }
}

function addRow(sums: Float32Array, row: Float32Array): void {
  for (let column = 0; column < sums.length; column += 1) sums[column] = (sums[column] ?? 0) + (row[column] ?? 0);
}

function subtractRow(sums: Float32Array, row: Float32Array): void {
  for (let column = 0; column < sums.length; column += 1) sums[column] = (sums[column] ?? 0) - (row[column] ?? 0);
}
