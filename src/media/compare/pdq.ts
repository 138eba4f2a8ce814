import type { Luma } from '../pixels.ts';

export interface Pdq {
  /** 256 bits as 64 hexadecimal digits. */
  readonly hash: string;
  /** 0 to 100; Meta advises against using hashes below 50. */
  readonly quality: number;
}

/** Sides of the image that is transformed, and of the lowest frequencies that are kept. */
const BLOCK = 64;
const KEPT = 16;

const ROWS = 4;

const SHORTEST_SIDE = 5;

const round = Math.fround;

/** Rows of the discrete cosine transform of 64 values, for the frequencies 1 to 16, without 0, the mean. */
const COSINES = Float32Array.from({ length: KEPT * BLOCK }, (_, at) => {
  const [frequency, place] = [Math.floor(at / BLOCK) + 1, at % BLOCK];
  return round(Math.sqrt(2 / BLOCK)) * Math.cos((Math.PI / 2 / BLOCK) * frequency * (2 * place + 1));
});

/**
 * PDQ, Meta's perceptual hash: "The TMK+PDQF video-hashing algorithm and the PDQ image-hashing algorithm", 2019, and
 * the reference program in C++ (github.com/facebook/ThreatExchange, pdq/). A tent filter (two box filters in each
 * direction), decimation to 64 x 64, the frequencies 1 to 16 of its cosine transform in each direction, one bit for
 * each above their median (the lower of the two middle ones). Text as in Meta's tools: the bit of the highest
 * frequencies first.
 *
 * Every step is rounded to single precision in the order of the reference, so the hash is equal to the last bit. That
 * matters: if an image varies in one direction only (plain, stripes, a straight gradient), most frequencies are zero
 * but for rounding, which then decides the bits. Stripes have quality 100, and one step of noise in 8 bits changes
 * their hash completely.
 *
 * Meta's program for files first shrinks an image with a side above 512 to 512 x 512 by nearest pixels, to save time;
 * this hash uses all pixels. Mostly a few bits differ, more with fine noise. An image with a side below 5 pixels has,
 * as in the reference, the hash of all zeros and quality 0.
 */
export function pdq(luma: Luma): Pdq {
  if (luma.width < SHORTEST_SIDE || luma.height < SHORTEST_SIDE) return { hash: '0'.repeat(64), quality: 0 };
  const block = shrink(luma);
  return { hash: hexOf(lowFrequencies(block)), quality: qualityOf(block) };
}

/** Bits of 256 that differ. Throws if a text is not a hash. */
export function pdqDistance(a: string, b: string): number {
  let distance = 0;
  for (let at = 0; at < 64; at += 8) distance += bitsIn(wordAt(a, at) ^ wordAt(b, at));
  return distance;
}

/**
 * The image at 64 x 64: filtered twice along rows and columns, then the middle pixel of each cell. Works on a few rows
 * at a time, so that they stay in cache and no second image is made.
 */
function shrink({ width, height, data }: Luma): Float32Array {
  if (width === BLOCK && height === BLOCK) return new Float32Array(data);
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
  const taken = new Float32Array(BLOCK * height);
  filterColumns(enter, rowAt, width, height, down, (row, sums, size) => {
    const line = row % ROWS;
    for (let column = 0, at = line * width; column < width; column += 1, at += 1)
      lines[at] = (sums[column] ?? 0) / size;
    if (line < ROWS - 1 && row < height - 1) return;
    filterRows(lines, filtered, width, across);
    for (let at = 0; at < (line + 1) * BLOCK; at += 1) {
      const value = filtered[Math.floor(at / BLOCK) * width + middleOf(at % BLOCK, width)] ?? 0;
      taken[(row - line) * BLOCK + at] = value;
    }
  });
  const takenAt = (row: number) => taken.subarray(row * BLOCK, (row + 1) * BLOCK);
  const block = new Float32Array(BLOCK * BLOCK);
  // An image less than 64 pixels high gives some rows to several cells.
  let cell = 0;
  filterColumns(takenAt, takenAt, BLOCK, height, down, (row, sums, size) => {
    for (; cell < BLOCK && middleOf(cell, height) === row; cell += 1) {
      for (let column = 0; column < BLOCK; column += 1) block[cell * BLOCK + column] = (sums[column] ?? 0) / size;
    }
  });
  return block;
}

function lineRoom(width: number): Float32Array {
  return new Float32Array(ROWS * width);
}

/** The middle of a cell if `length` is divided into 64 cells. */
function middleOf(cell: number, length: number): number {
  return Math.floor(((cell + 0.5) * length) / BLOCK);
}

interface Box {
  readonly before: number;
  readonly after: number;
}

/** Two passes cover one cell: half of it, rounded up; the extra place of an even width is after the middle. */
function boxOf(length: number): Box {
  const size = Math.ceil(length / (2 * BLOCK));
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

/** C block C^T with C the rows of cosines; row i holds the vertical frequency i. */
function lowFrequencies(block: Float32Array): Float32Array {
  const half = new Float32Array(KEPT * BLOCK);
  const whole = new Float32Array(KEPT * KEPT);
  for (let down = 0; down < KEPT; down += 1) {
    for (let column = 0; column < BLOCK; column += 1) {
      half[down * BLOCK + column] = product(COSINES, down * BLOCK, block, column, BLOCK);
    }
    for (let across = 0; across < KEPT; across += 1) {
      whole[down * KEPT + across] = product(COSINES, across * BLOCK, half, down * BLOCK, 1);
    }
  }
  return whole;
}

/** The sum of 64 products; values of `a` are adjacent, those of `b` are `stride` apart. */
function product(a: Float32Array, fromA: number, b: Float32Array, fromB: number, stride: number): number {
  let sum = 0;
  for (let at = 0; at < BLOCK; at += 1) {
    sum = round(sum + round((a[fromA + at] ?? 0) * (b[fromB + at * stride] ?? 0)));
  }
  return sum;
}

/** Gradients of at least 1 % of the range between neighbours, in whole percents, summed and scaled. */
function qualityOf(block: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < block.length; at += 1) {
    const here = block[at] ?? 0;
    if (at + BLOCK < block.length) sum += percents(here, block[at + BLOCK] ?? 0);
    if (at % BLOCK < BLOCK - 1) sum += percents(here, block[at + 1] ?? 0);
  }
  return Math.min(100, Math.floor(sum / 90));
}

function percents(a: number, b: number): number {
  return Math.floor(round(round(Math.abs(round(a - b)) * 100) / 255));
}

function hexOf(frequencies: Float32Array): string {
  const median = [...frequencies].sort((a, b) => a - b)[frequencies.length / 2 - 1] ?? 0;
  let hash = '';
  for (let at = frequencies.length - 4; at >= 0; at -= 4) {
    let digit = 0;
    for (let bit = 0; bit < 4; bit += 1) if ((frequencies[at + bit] ?? 0) > median) digit |= 1 << bit;
    hash += digit.toString(16);
  }
  return hash;
}

function wordAt(hash: string, at: number): number {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new RangeError(`'${hash}' is not a PDQ hash`);
  return Number.parseInt(hash.slice(at, at + 8), 16);
}

/** Set bits of a 32-bit word: Warren, "Hacker's Delight", 5-1. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
