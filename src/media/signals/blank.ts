/** The number of samples at each of the levels 0 to 255. */
export type LevelCounts = Uint32Array;

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
  let samples = 0;
  for (const count of counts) samples += count;
  const median = quantileLevel(counts, 0.5 * samples);
  if (quantileLevel(counts, 0.995 * samples) - quantileLevel(counts, 0.005 * samples) > MOST_SPAN) return false;
  let near = 0;
  for (let level = Math.max(0, median - FAR); level <= Math.min(255, median + FAR); level += 1)
    near += counts[level] ?? 0;
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

  add(values: Float64Array): void {
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
