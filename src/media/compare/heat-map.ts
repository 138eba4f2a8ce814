import sharp from 'sharp';
import { type Pixels, peakOf } from '../pixels.ts';
import { heatColour } from './heat-scale.ts';

/** Longer side in pixels. */
const SIDE = 120;

/** The end of its scale, of 255: one for all pairs, so that a brighter map shows a larger difference. */
const SCALE_END = 64;

/** Shows where two images, or the frames of two videos, differ. */
export interface HeatMap {
  /** Ignores frames whose sizes differ. */
  readonly add: (one: Pixels, other: Pixels) => void;
  /** WebP; null without a frame. The mean difference of the frames: of each pixel that of its farthest channel. */
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
      const colours = new Uint8Array(3 * width * height);
      for (const [at, sum] of data.entries()) colours.set(heatColour(sum / frames / SCALE_END), 3 * at);
      return await sharp(colours, { raw: { width, height, channels: 3 } })
        .webp({ quality: 70 })
        .toBuffer();
    },
  };
}

function emptyMap({ width, height }: Pixels): { width: number; height: number; data: Float64Array } {
  const scale = Math.min(1, SIDE / Math.max(width, height));
  const [columns, rows] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  return { width: columns, height: rows, data: new Float64Array(columns * rows) };
}

/** Adds to each place of the map the mean difference of the pixels that lie in it, of 255. */
function addDifferences(map: { width: number; height: number; data: Float64Array }, one: Pixels, other: Pixels): void {
  const columnOf = new Uint16Array(one.width);
  const widths = new Float64Array(map.width);
  for (let x = 0; x < one.width; x += 1) {
    const column = Math.floor((x * map.width) / one.width);
    columnOf[x] = column;
    widths[column] = (widths[column] ?? 0) + 1;
  }
  const line = new Float64Array(map.width);
  for (let row = 0; row < map.height; row += 1) {
    const [top, end] = [row, row + 1].map((at) => Math.ceil((at * one.height) / map.height));
    if (top === undefined || end === undefined) return;
    line.fill(0);
    for (let y = top; y < end; y += 1) addLine(line, columnOf, one, other, y);
    for (let column = 0; column < map.width; column += 1) {
      const mean = (line[column] ?? 0) / ((widths[column] ?? 1) * (end - top));
      const at = row * map.width + column;
      map.data[at] = (map.data[at] ?? 0) + mean;
    }
  }
}

/** Transparency is shown on white. */
function addLine(line: Float64Array, columnOf: Uint16Array, one: Pixels, other: Pixels, y: number): void {
  const { width } = one;
  const [scaleOfOne, scaleOfOther] = [255 / peakOf(one), 255 / peakOf(other)];
  for (let x = 0, i = y * width * one.channels, j = y * width * other.channels; x < width; x += 1) {
    const shownOfOne = one.channels === 4 ? (one.data[i + 3] ?? 0) / peakOf(one) : 1;
    const shownOfOther = other.channels === 4 ? (other.data[j + 3] ?? 0) / peakOf(other) : 1;
    const white = 255 * (shownOfOther - shownOfOne);
    const [weightOfOne, weightOfOther] = [scaleOfOne * shownOfOne, scaleOfOther * shownOfOther];
    const red = Math.abs(weightOfOne * (one.data[i] ?? 0) - weightOfOther * (other.data[j] ?? 0) + white);
    const green = Math.abs(weightOfOne * (one.data[i + 1] ?? 0) - weightOfOther * (other.data[j + 1] ?? 0) + white);
    const blue = Math.abs(weightOfOne * (one.data[i + 2] ?? 0) - weightOfOther * (other.data[j + 2] ?? 0) + white);
    const column = columnOf[x] ?? 0;
    line[column] = (line[column] ?? 0) + Math.max(red, green, blue);
    i += one.channels;
    j += other.channels;
  }
}
