import type { Luma, PixelValues } from '../pixels.ts';

/** (0.01 L)^2 and (0.03 L)^2 with L = 255: they keep the quotient stable if both images are dark or flat. */
const C1 = 0.01 * 255 * (0.01 * 255);
const C2 = 0.03 * 255 * (0.03 * 255);

/** Side and standard deviation of the Gaussian window, in pixels. */
const SIDE = 11;
const SIGMA = 1.5;

/** Filtered maps of a pixel, side by side: of s = x + y, d = x - y, s^2 and d^2. */
const MAPS = 4;

/** Size of a piece of work that stays in cache; multiples of the outputs made at once. */
const COLUMNS = 60;
const ROWS = 32;
const AT_ONCE = 4;

/** Allocated once, as frames of a video are small and many. */
const WORK = {
  weights: gaussian(SIDE),
  line: new Float64Array(MAPS * (COLUMNS + SIDE - 1)),
  across: new Float64Array(MAPS * COLUMNS * (ROWS + SIDE - 1)),
  filtered: new Float64Array(MAPS * COLUMNS * ROWS),
};

/**
 * Structural similarity of two images of one size: 1 for equal ones, near 0 for unrelated ones, below 0 for negatives.
 * Symmetric.
 *
 * Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error visibility to structural similarity", IEEE
 * Transactions on Image Processing 13(4), 2004, and the authors' program: luma, L = 255, K1 = 0.01, K2 = 0.03, a
 * normalised Gaussian window of 11 x 11 with sigma 1.5, variances divided by n, the mean over the positions where the
 * window is inside the image.
 *
 * A side below 11 pixels, which the authors' program does not support, gets a window of its own length, sampled in the
 * same way (`fspecial('gaussian', [rows columns], 1.5)`: centred, normalised).
 *
 * Throws if the sizes differ or a side is 0.
 */
export function ssim(a: Luma, b: Luma): number {
  if (a.width !== b.width || a.height !== b.height) {
    throw new RangeError(`SSIM of ${a.width} x ${a.height} and ${b.width} x ${b.height}: sizes differ`);
  }
  if (a.width === 0 || a.height === 0) throw new RangeError('SSIM of no pixels');
  return a.width < SIDE || a.height < SIDE ? meanIndexOfSmall(a, b) : meanIndex(a, b);
}

/**
 * The mean of the index over all positions of the window, which is a product of two: maps are filtered along rows, then
 * columns.
 *
 * Four maps suffice: with s = x + y and d = x - y, mx^2 + my^2 = (ms^2 + md^2) / 2, 2 mx my = (ms^2 - md^2) / 2, and so
 * for variances and covariance; equal images give exactly 1. Doubles, as a variance is a difference of numbers up to
 * 510^2: floats err by about 0.03, beside C2 = 58.5 more than 1e-6 of the index.
 */
function meanIndex(a: Luma, b: Luma): number {
  const { width, height } = a;
  const { weights, line, across, filtered } = WORK;
  const columns = width - SIDE + 1;
  const rows = height - SIDE + 1;
  const pitch = MAPS * COLUMNS;
  let sum = 0;
  for (let left = 0; left < columns; left += COLUMNS) {
    const wide = Math.min(COLUMNS, columns - left);
    for (let top = 0; top < rows; top += ROWS) {
      const high = Math.min(ROWS, rows - top);
      // Rows shared with the piece above are already computed.
      const held = top === 0 ? 0 : SIDE - 1;
      across.copyWithin(0, pitch * ROWS, pitch * (ROWS + held));
      for (let row = held; row < high + SIDE - 1; row += 1) {
        fillMaps(line, a.data, b.data, (top + row) * width + left, wide + SIDE - 1);
        filterAlong(line, MAPS, MAPS, wide, weights, across, row * pitch);
      }
      filterAlong(across, pitch, MAPS * wide, high, weights, filtered, 0);
      for (let row = 0; row < high; row += 1) sum += sumOfIndex(filtered, row * pitch, wide);
    }
  }
  return sum / (columns * rows);
}

function fillMaps(maps: Float64Array, a: Float64Array, b: Float64Array, from: number, count: number): void {
  for (let pixel = 0, at = 0; pixel < count; pixel += 1, at += MAPS) {
    const x = a[from + pixel] ?? 0;
    const y = b[from + pixel] ?? 0;
    maps[at] = x + y;
    maps[at + 1] = x - y;
    maps[at + 2] = (x + y) * (x + y);
    maps[at + 3] = (x - y) * (x - y);
  }
}

/**
 * Applies the symmetric window of 11 at `count` places with neighbours `stride` apart, for `lanes` adjacent numbers.
 * Four places at once need fourteen loads instead of forty-four; results beyond `count` are undefined.
 */
function filterAlong(
  source: Float64Array,
  stride: number,
  lanes: number,
  count: number,
  [k0 = 0, k1 = 0, k2 = 0, k3 = 0, k4 = 0, k5 = 0]: readonly number[],
  target: Float64Array,
  to: number,
): void {
  for (let place = 0; place < count; place += AT_ONCE) {
    const end = place * stride + lanes;
    for (let at = place * stride; at < end; at += 1) {
      const v0 = source[at] ?? 0;
      const v1 = source[at + stride] ?? 0;
      const v2 = source[at + 2 * stride] ?? 0;
      const v3 = source[at + 3 * stride] ?? 0;
      const v4 = source[at + 4 * stride] ?? 0;
      const v5 = source[at + 5 * stride] ?? 0;
      const v6 = source[at + 6 * stride] ?? 0;
      const v7 = source[at + 7 * stride] ?? 0;
      const v8 = source[at + 8 * stride] ?? 0;
      const v9 = source[at + 9 * stride] ?? 0;
      const v10 = source[at + 10 * stride] ?? 0;
      const v11 = source[at + 11 * stride] ?? 0;
      const v12 = source[at + 12 * stride] ?? 0;
      const v13 = source[at + 13 * stride] ?? 0;
      const out = to + at;
      target[out] = k0 * (v0 + v10) + k1 * (v1 + v9) + k2 * (v2 + v8) + k3 * (v3 + v7) + k4 * (v4 + v6) + k5 * v5;
      target[out + stride] =
        k0 * (v1 + v11) + k1 * (v2 + v10) + k2 * (v3 + v9) + k3 * (v4 + v8) + k4 * (v5 + v7) + k5 * v6;
      target[out + 2 * stride] =
        k0 * (v2 + v12) + k1 * (v3 + v11) + k2 * (v4 + v10) + k3 * (v5 + v9) + k4 * (v6 + v8) + k5 * v7;
      target[out + 3 * stride] =
        k0 * (v3 + v13) + k1 * (v4 + v12) + k2 * (v5 + v11) + k3 * (v6 + v10) + k4 * (v7 + v9) + k5 * v8;
    }
  }
}

function sumOfIndex(filtered: Float64Array, from: number, count: number): number {
  let sum = 0;
  for (let at = from; at < from + MAPS * count; at += MAPS) {
    sum += indexOf(filtered[at] ?? 0, filtered[at + 1] ?? 0, filtered[at + 2] ?? 0, filtered[at + 3] ?? 0);
  }
  return sum;
}

function indexOf(meanS: number, meanD: number, meanSS: number, meanDD: number): number {
  const s = meanS * meanS;
  const d = meanD * meanD;
  const varianceS = meanSS - s;
  const varianceD = meanDD - d;
  return (
    (((s - d) / 2 + C1) * ((varianceS - varianceD) / 2 + C2)) /
    (((s + d) / 2 + C1) * ((varianceS + varianceD) / 2 + C2))
  );
}

/** For a side shorter than the window: directly from the definition. */
function meanIndexOfSmall({ width, height, data: a }: Luma, { data: b }: Luma): number {
  const across = gaussian(Math.min(SIDE, width));
  const down = gaussian(Math.min(SIDE, height));
  const columns = width - across.length + 1;
  const rows = height - down.length + 1;
  let sum = 0;
  for (let place = 0; place < columns * rows; place += 1) {
    const first = Math.floor(place / columns) * width + (place % columns);
    const means: [number, number, number, number] = [0, 0, 0, 0];
    for (const [row, weightDown] of down.entries()) {
      for (const [column, weightAcross] of across.entries()) {
        const weight = weightDown * weightAcross;
        const x = a[first + row * width + column] ?? 0;
        const y = b[first + row * width + column] ?? 0;
        means[0] += weight * (x + y);
        means[1] += weight * (x - y);
        means[2] += weight * (x + y) * (x + y);
        means[3] += weight * (x - y) * (x - y);
      }
    }
    sum += indexOf(...means);
  }
  return sum / (columns * rows);
}

/** A Gaussian sampled at `length` places around its middle, sum 1. */
function gaussian(length: number): readonly number[] {
  const weights = Array.from({ length }, (_, at) => {
    const distance = at - (length - 1) / 2;
    return Math.exp((-distance * distance) / (2 * SIGMA * SIGMA));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/**
 * Shrinks an image as the authors of SSIM advise: f = max(1, round(shorter side / 256)), the mean of each f x f pixels,
 * every f-th taken, as `imfilter(image, ones(f) / f^2, 'symmetric')` and `(1:f:end, 1:f:end)`. An even window has its
 * extra pixel after the middle.
 */
export function fromAfar(image: PixelValues): PixelValues {
  const { width, height, data } = image;
  const step = Math.round(Math.min(width, height) / 256);
  if (step <= 1) return image;
  const columns = Math.ceil(width / step);
  const rows = Math.ceil(height / step);
  const before = Math.floor((step - 1) / 2);
  const smaller = new Float64Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    for (let down = 0; down < step; down += 1) {
      const from = mirrored(row * step - before + down, height) * width;
      for (let column = 0, at = row * columns; column < columns; column += 1, at += 1) {
        const left = column * step - before;
        const inside = left >= 0 && left + step <= width;
        let sum = smaller[at] ?? 0;
        for (let x = left; x < left + step; x += 1) sum += data[from + (inside ? x : mirrored(x, width))] ?? 0;
        smaller[at] = sum;
      }
    }
  }
  for (let at = 0; at < smaller.length; at += 1) smaller[at] = (smaller[at] ?? 0) / (step * step);
  return { width: columns, height: rows, data: smaller };
}

/** Mirrors a place beyond an edge; the edge itself is repeated. */
function mirrored(place: number, length: number): number {
  if (place < 0) return -1 - place;
  return place < length ? place : 2 * length - 1 - place;
}
