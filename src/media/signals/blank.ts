import type { ImageIntegrity } from '../facts.ts';
import { type Luma, type Pixels, peakOf } from '../pixels.ts';
import { flattened, onGrounds, type Views, viewsOf } from '../still/grounds.ts';

/** The number of samples at each of the levels 0 to 255. */
type LevelCounts = Uint32Array;

export function emptyLevelCounts(): LevelCounts {
  return new Uint32Array(256);
}

/** Levels that the central 99 % of a blank image's samples may span: noise with a deviation up to 1.5. */
const MOST_SPAN = 8;

/** A sample further from the median is visible: a star, a line, a letter. */
const FAR = 16;

/** At most one sample in so many may be far: fewer than the smallest drawing. */
const SAMPLES_PER_FAR = 100_000;

/**
 * Whether samples are one level but for noise: the central 99 % span at most 8 levels of 255, and at most one in
 * 100,000 is more than 16 from the median. An image is blank if red, green and blue are, a video frame if its luma is.
 * Plain colour is blank, also after lossy coding; stars from eleven pixels of a megapixel on, a small logo or text are
 * not. Says nothing of the reason: a plain image may have been the prompt.
 */
export function isBlank(counts: LevelCounts): boolean {
  const sumOf = (some: LevelCounts): number => some.reduce((sum, count) => sum + count, 0);
  const samples = sumOf(counts);
  const median = quantileLevel(counts, 0.5 * samples);
  if (quantileLevel(counts, 0.995 * samples) - quantileLevel(counts, 0.005 * samples) > MOST_SPAN) return false;
  const near = sumOf(counts.subarray(Math.max(0, median - FAR), median + FAR + 1));
  return (samples - near) * SAMPLES_PER_FAR <= samples;
}

/** The lowest level with at least `rank` samples at or below it (Hyndman and Fan's type 1). */
function quantileLevel(counts: LevelCounts, rank: number): number {
  let below = 0;
  for (let level = 0; level < 255; level += 1) {
    below += counts[level] ?? 0;
    if (below > 0 && below >= rank) return level;
  }
  return 255;
}

/**
 * Mean and population standard deviation of values that come in runs. Sums are relative to the first value, so that
 * equal values deviate by exactly 0 and small spreads keep their digits.
 */
export class SampleSpread {
  #origin = 0;
  #count = 0;
  #sum = 0;
  #squares = 0;

  add(values: Float64Array): this {
    if (this.#count === 0) this.#origin = values[0] ?? 0;
    const origin = this.#origin;
    let [sum, squares] = [0, 0];
    for (let at = 0; at < values.length; at += 1) {
      const above = (values[at] ?? 0) - origin;
      sum += above;
      squares += above * above;
    }
    this.#count += values.length;
    this.#sum += sum;
    this.#squares += squares;
    return this;
  }

  get mean(): number {
    return this.#count === 0 ? 0 : this.#origin + this.#sum / this.#count;
  }

  get variance(): number {
    if (this.#count === 0) return 0;
    const mean = this.#sum / this.#count;
    return Math.max(0, this.#squares / this.#count - mean * mean);
  }

  get stdDev(): number {
    return Math.sqrt(this.variance);
  }
}

export function integrityOf(pixels: Pixels, views: Views = viewsOf(pixels)): ImageIntegrity {
  const spreads = onGrounds(views, ({ data }) => new SampleSpread().add(data));
  const onWhite = colourSignals(flattened(pixels, () => 255));
  return {
    lumaMean: spreads[0].mean,
    lumaStdDev: Math.max(...spreads.map(({ stdDev }) => stdDev)),
    sharpness: Math.max(...views.map(varianceOfLaplacian)),
    ...onWhite,
    blank: onWhite.blank && (views.length === 1 || colourSignals(flattened(pixels, () => 0)).blank),
  };
}

function colourSignals(pixels: Pixels): Pick<ImageIntegrity, 'blank' | 'clippedLow' | 'clippedHigh' | 'colourfulness'> {
  const { width, height, depth, data } = pixels;
  const peak = peakOf(pixels);
  const [reds, greens, blues] = [new Uint32Array(peak + 1), new Uint32Array(peak + 1), new Uint32Array(peak + 1)];
  const [redGreen, yellowBlue] = [new SampleSpread(), new SampleSpread()];
  const [rowRedGreen, rowYellowBlue] = [new Float64Array(width), new Float64Array(width)];
  for (let row = 0, at = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, at += 3) {
      const red = data[at] ?? 0;
      const green = data[at + 1] ?? 0;
      const blue = data[at + 2] ?? 0;
      reds[red] = (reds[red] ?? 0) + 1;
      greens[green] = (greens[green] ?? 0) + 1;
      blues[blue] = (blues[blue] ?? 0) + 1;
      rowRedGreen[column] = red - green;
      rowYellowBlue[column] = (red + green) / 2 - blue;
    }
    redGreen.add(rowRedGreen);
    yellowBlue.add(rowYellowBlue);
  }
  const counts = [reds, greens, blues];
  const share = (level: number): number =>
    counts.reduce((sum, channel) => sum + (channel[level] ?? 0), 0) / Math.max(1, 3 * width * height);
  const spread = Math.sqrt(redGreen.variance + yellowBlue.variance);
  const distance = Math.sqrt(redGreen.mean * redGreen.mean + yellowBlue.mean * yellowBlue.mean);
  return {
    blank: counts.every((channel) => isBlank(depth === 8 ? channel : inLevels(channel))),
    clippedLow: share(0),
    clippedHigh: share(peak),
    colourfulness: ((spread + 0.3 * distance) * 255) / peak,
  };
}

function inLevels(counts: Uint32Array): LevelCounts {
  const levels = emptyLevelCounts();
  for (let level = 0; level < counts.length; level += 1) {
    const of256 = Math.round(level / 257);
    levels[of256] = (levels[of256] ?? 0) + (counts[level] ?? 0);
  }
  return levels;
}

function varianceOfLaplacian({ width, height, data }: Luma): number {
  if (width < 3) return 0;
  const spread = new SampleSpread();
  const ofRow = new Float64Array(width - 2);
  for (let row = 1; row < height - 1; row += 1) {
    for (let column = 1, at = row * width + 1; column < width - 1; column += 1, at += 1) {
      const around = (data[at - width] ?? 0) + (data[at + width] ?? 0) + (data[at - 1] ?? 0) + (data[at + 1] ?? 0);
      ofRow[column - 1] = around - 4 * (data[at] ?? 0);
    }
    spread.add(ofRow);
  }
  return spread.variance;
}
