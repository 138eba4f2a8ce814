import sharp from 'sharp';
import { heatColour, SCALE_END } from './heat-scale.ts';
import { type Pixels, peakOf } from './pixels.ts';

/** Longer side in pixels. */
const SIDE = 120;

/** Share of an image's width and height that its map covers in a corner; what is hardly seen does not count. */
const COVERED = 0.27;
const CORNERS = ['bottom right', 'bottom left', 'top right', 'top left'];

const STEPS = 255;
const COLOURS = Uint8Array.from(Array.from({ length: STEPS + 1 }, (_, step) => heatColour(step / STEPS)).flat());

/** Shows where two images, or the frames of two videos, differ. */
export interface HeatMap {
  /** Ignores frames whose sizes differ. */
  readonly add: (one: Pixels, other: Pixels) => void;
  /**
   * WebP of the mean difference, in each pixel that of its farthest channel; its metadata name the emptiest corner;
   * null without a frame.
   */
  readonly draw: () => Promise<Uint8Array | null>;
}

export function openHeatMap(): HeatMap {
  let sums: { readonly width: number; readonly height: number; readonly data: Float64Array } | null = null;
  let frames = 0;
  return {
    add: (one, other) => {
      if (one.width !== other.width || one.height !== other.height) return;
      sums ??= emptyMap(one);
      addDifferences(sums, one, other);
      frames += 1;
    },
    draw: async () => {
      if (sums === null) return null;
      const { width, height, data } = sums;
      const differs = [0, 0, 0, 0];
      const colours = new Uint8Array(3 * width * height);
      for (let at = 0; at < data.length; at += 1) {
        const step = Math.min(STEPS, Math.round((STEPS * (data[at] ?? 0)) / frames / SCALE_END));
        const [x, y] = [(at % width) / width, Math.floor(at / width) / height];
        const corner = 2 * Number(y < 0.5) + Number(x < 0.5);
        if (Math.max(Math.min(x, 1 - x), Math.min(y, 1 - y)) < COVERED)
          differs[corner] = (differs[corner] ?? 0) + (step >> 5);
        for (let channel = 0; channel < 3; channel += 1) colours[3 * at + channel] = COLOURS[3 * step + channel] ?? 0;
      }
      return await sharp(colours, { raw: { width, height, channels: 3 } })
        .withExif({ IFD0: { ImageDescription: `least: ${CORNERS[differs.indexOf(Math.min(...differs))]}` } })
        .webp({ quality: 70, effort: 2 })
        .toBuffer();
    },
  };
}

function emptyMap({ width, height }: Pixels): { width: number; height: number; data: Float64Array } {
  const scale = Math.min(1, SIDE / Math.max(width, height));
  const [columns, rows] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  return { width: columns, height: rows, data: new Float64Array(columns * rows) };
}

/** Adds to each place the mean difference of its pixels, of 255. */
function addDifferences(map: { width: number; height: number; data: Float64Array }, one: Pixels, other: Pixels): void {
  const isPlain = one.channels === 3 && other.channels === 3 && one.depth === 8 && other.depth === 8;
  const sumOf = isPlain ? sumOfPlain : sumOfShown;
  const [lefts, tops] = [edgesOf(map.width, one.width), edgesOf(map.height, one.height)];
  for (let at = 0; at < map.data.length; at += 1) {
    const [column, row] = [at % map.width, Math.floor(at / map.width)];
    const [left = 0, right = 0] = [lefts[column], lefts[column + 1]];
    const [top = 0, bottom = 0] = [tops[row], tops[row + 1]];
    let sum = 0;
    for (let y = top; y < bottom; y += 1) sum += sumOf(one, other, y * one.width + left, y * one.width + right);
    map.data[at] = (map.data[at] ?? 0) + sum / ((right - left) * (bottom - top));
  }
}

/** Where each of so many places begins in `length` pixels, and the end of the last. */
function edgesOf(places: number, length: number): Uint32Array {
  return Uint32Array.from({ length: places + 1 }, (_, place) => Math.ceil((place * length) / places));
}

/** The fast way for 8 bits and no alpha, as most images have. */
function sumOfPlain({ data: x }: Pixels, { data: y }: Pixels, from: number, to: number): number {
  let sum = 0;
  for (let at = 3 * from; at < 3 * to; at += 3) {
    const red = size((x[at] ?? 0) - (y[at] ?? 0));
    const green = size((x[at + 1] ?? 0) - (y[at + 1] ?? 0));
    const blue = size((x[at + 2] ?? 0) - (y[at + 2] ?? 0));
    sum += larger(larger(red, green), blue);
  }
  return sum;
}

/** Of whole numbers, without the branches of Math.abs and Math.max, which noise makes processors mispredict. */
function size(value: number): number {
  return (value ^ (value >> 31)) - (value >> 31);
}

function larger(a: number, b: number): number {
  return a - ((a - b) & ((a - b) >> 31));
}

/** Compares transparent images on white and black; the larger difference counts. */
function sumOfShown(one: Pixels, other: Pixels, from: number, to: number): number {
  const [scaleOfOne, scaleOfOther] = [255 / peakOf(one), 255 / peakOf(other)];
  let sum = 0;
  for (let i = from * one.channels, j = from * other.channels; i < to * one.channels; ) {
    const shownOfOne = one.channels === 4 ? (one.data[i + 3] ?? 0) / peakOf(one) : 1;
    const shownOfOther = other.channels === 4 ? (other.data[j + 3] ?? 0) / peakOf(other) : 1;
    const white = 255 * (shownOfOther - shownOfOne);
    const [weightOfOne, weightOfOther] = [scaleOfOne * shownOfOne, scaleOfOther * shownOfOther];
    const red = weightOfOne * (one.data[i] ?? 0) - weightOfOther * (other.data[j] ?? 0);
    const green = weightOfOne * (one.data[i + 1] ?? 0) - weightOfOther * (other.data[j + 1] ?? 0);
    const blue = weightOfOne * (one.data[i + 2] ?? 0) - weightOfOther * (other.data[j + 2] ?? 0);
    const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
    sum += Math.max(Math.abs(least), Math.abs(most), Math.abs(least + white), Math.abs(most + white));
    i += one.channels;
    j += other.channels;
  }
  return sum;
}
