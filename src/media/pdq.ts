import { SHRUNK_SIDE as BLOCK, shrink } from './compare/shrink.ts';
import type { Luma } from './pixels.ts';
import type { OnGrounds } from './still/grounds.ts';

export interface Pdq {
  /** 256 bits as 64 hexadecimal digits. */
  readonly hash: string;
  /** 0 to 100; Meta advises against using hashes below 50. */
  readonly quality: number;
}

export interface Shrunk {
  readonly block: Float32Array;
  readonly hash: Pdq;
}

/** Below this quality PDQ is unreliable. */
export const LEAST_QUALITY = 50;

/** Side of the lowest frequencies that are kept. */
const KEPT = 16;

const SHORTEST_SIDE = 5;

const round = Math.fround;

/**
 * Rows of the discrete cosine transform of 64 values, for the frequencies 1 to 16, without 0, the mean.
 * Single-precision numbers in doubles, which processors read faster.
 */
const COSINES = Float64Array.from({ length: KEPT * BLOCK }, (_, at) => {
  const [frequency, place] = [Math.floor(at / BLOCK) + 1, at % BLOCK];
  return round(round(Math.sqrt(2 / BLOCK)) * Math.cos((Math.PI / 2 / BLOCK) * frequency * (2 * place + 1)));
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
 *
 * @param block the shrunk luma, if known
 */
export function pdq(luma: Luma, block: Float32Array = shrink(luma)): Pdq {
  if (luma.width < SHORTEST_SIDE || luma.height < SHORTEST_SIDE) return { hash: '0'.repeat(64), quality: 0 };
  return { hash: hexOf(lowFrequencies(block)), quality: qualityOf(block) };
}

/** The hash on white, or on black if only that one is reliable. */
export function hashOf([onWhite, onBlack = onWhite]: OnGrounds<Pdq>): Pdq {
  return onWhite.quality < LEAST_QUALITY && onBlack.quality >= LEAST_QUALITY ? onBlack : onWhite;
}

export function shrunkOf(luma: Luma): Shrunk {
  const block = shrink(luma);
  return { block, hash: pdq(luma, block) };
}

/** Bits of 256 that differ. Throws if a text is not a hash. */
export function pdqDistance(a: string, b: string): number {
  let distance = 0;
  for (let at = 0; at < 64; at += 8) distance += bitsIn(wordAt(a, at) ^ wordAt(b, at));
  return distance;
}

/** C block C^T with C the rows of cosines; row i holds the vertical frequency i. */
function lowFrequencies(block: Float32Array): Float64Array {
  const half = new Float64Array(BLOCK * KEPT);
  const whole = new Float64Array(KEPT * KEPT);
  transform(new Float64Array(block), BLOCK, half);
  transform(half, KEPT, whole);
  return whole;
}

/**
 * (C source)^T for 64 rows. Every sum adds its products in order, rounded one by one; four sums grow together, as those
 * of one wait for each other.
 */
function transform(source: Float64Array, columns: number, target: Float64Array): void {
  for (let frequency = 0; frequency < KEPT; frequency += 1) {
    for (let column = 0; column < columns; column += 4) {
      let sum0 = 0;
      let sum1 = 0;
      let sum2 = 0;
      let sum3 = 0;
      for (let row = 0, at = column; row < BLOCK; row += 1, at += columns) {
        const weight = COSINES[frequency * BLOCK + row] ?? 0;
        sum0 = round(sum0 + round(weight * (source[at] ?? 0)));
        sum1 = round(sum1 + round(weight * (source[at + 1] ?? 0)));
        sum2 = round(sum2 + round(weight * (source[at + 2] ?? 0)));
        sum3 = round(sum3 + round(weight * (source[at + 3] ?? 0)));
      }
      const to = column * KEPT + frequency;
      target[to] = sum0;
      target[to + KEPT] = sum1;
      target[to + 2 * KEPT] = sum2;
      target[to + 3 * KEPT] = sum3;
    }
  }
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

function hexOf(frequencies: Float64Array): string {
  const median = frequencies.toSorted()[frequencies.length / 2 - 1] ?? 0;
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
