import type { VideoSignals } from '../facts.ts';
import type { Luma } from '../pixels.ts';
import { type OnGrounds, onEachGround, onGrounds, type Views } from '../still/grounds.ts';
import { emptyLevelCounts, isBlank, SampleSpread } from './blank.ts';

/**
 * Spatial and temporal detail after ITU-T P.910 (04/2008), section 5.3, in levels of luma. A mean is added to the
 * maximum over time, which one cut decides. Luma is 0 to 255: values are up to 255/219 times those of video levels, 16
 * to 235.
 */
interface SpatialTemporalInformation {
  readonly siMax: number | null;
  readonly siMean: number | null;
  /** Null below two frames of one size. */
  readonly tiMax: number | null;
  readonly tiMean: number | null;
}

interface SpatialTemporalCount {
  /** `before` is null for the first frame and after a change of size. The larger value of two grounds counts. */
  readonly add: (frame: Views, before: Views | null) => void;
  readonly end: () => SpatialTemporalInformation;
}

export function openSpatialTemporalInformation(): SpatialTemporalCount {
  const spatial = new OverTime();
  const temporal = new OverTime();
  return {
    add: (frame, before) => {
      spatial.add(Math.max(...frame.map(spatialInformation)));
      if (before === null) return;
      temporal.add(Math.max(...onEachGround(before, frame).map(([one, other]) => temporalInformation(one, other))));
    },
    end: () => ({ siMax: spatial.max, siMean: spatial.mean, tiMax: temporal.max, tiMean: temporal.mean }),
  };
}

/**
 * Standard deviation of the gradient's magnitude over a frame, by Sobel's two filters, where all nine pixels exist; 0
 * below three rows or columns.
 */
function spatialInformation({ width, height, data }: Luma): number {
  if (width < 3) return 0;
  const magnitudes = new SampleSpread();
  const ofRow = new Float64Array(width - 2);
  for (let row = 1; row < height - 1; row += 1) {
    const above = (row - 1) * width;
    const below = (row + 1) * width;
    // Of each column's three pixels: the smoothed value, and the lower less the upper. Each is read once per row.
    let leftSmooth = 0;
    let leftStep = 0;
    let smooth = 0;
    let step = 0;
    for (let column = 0; column < width; column += 1) {
      const top = data[above + column] ?? 0;
      const bottom = data[below + column] ?? 0;
      const rightSmooth = top + 2 * (data[row * width + column] ?? 0) + bottom;
      const rightStep = bottom - top;
      if (column >= 2) {
        const across = rightSmooth - leftSmooth;
        const down = leftStep + 2 * step + rightStep;
        ofRow[column - 2] = Math.sqrt(across * across + down * down);
      }
      leftSmooth = smooth;
      leftStep = step;
      smooth = rightSmooth;
      step = rightStep;
    }
    magnitudes.add(ofRow);
  }
  return magnitudes.stdDev;
}

function temporalInformation(before: Luma, frame: Luma): number {
  const differences = new SampleSpread();
  const { width, height, data } = frame;
  const ofRow = new Float64Array(width);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0, at = row * width; column < width; column += 1, at += 1)
      ofRow[column] = (data[at] ?? 0) - (before.data[at] ?? 0);
    differences.add(ofRow);
  }
  return differences.stdDev;
}

class OverTime {
  #count = 0;
  #sum = 0;
  #max = 0;

  add(value: number): void {
    this.#count += 1;
    this.#sum += value;
    this.#max = Math.max(this.#max, value);
  }

  get max(): number | null {
    return this.#count === 0 ? null : this.#max;
  }

  get mean(): number | null {
    return this.#count === 0 ? null : this.#sum / this.#count;
  }
}

interface VideoSignalCount {
  /** `atS`: seconds. Keeps the frame until the next one, so each needs arrays of its own. */
  readonly add: (frame: Views, digest: string, atS: number) => void;
  readonly end: () => VideoSignals;
}

/** Mean absolute difference of luma below which frames count as equal: -60 dB, as in FFmpeg's freezedetect. */
const STILL = 0.001 * 255;

/** Limit within a block: a small moving thing hardly changes the mean of a frame. */
const STILL_IN_BLOCK = 4;
const BLOCK = 16;

const BLACK = 16;

interface Brightness {
  readonly meanLuma: number;
  readonly isBlank: boolean;
}

interface SeenFrame {
  readonly frame: Views;
  readonly digest: string;
  readonly brightness: OnGrounds<Brightness>;
}

export function openVideoSignals(): VideoSignalCount {
  const information = openSpatialTemporalInformation();
  const digests = new Set<string>();
  let [frames, blank, black] = [0, 0, 0];
  let [pairs, frozen, duplicates, change] = [0, 0, 0, 0];
  let longestFrozenS = 0;
  let frozenSinceS = 0;
  let before: SeenFrame | null = null;

  return {
    add: (frame, digest, atS) => {
      const brightness = onGrounds(frame, brightnessOf);
      const blankFrame = brightness.every((view) => view.isBlank);
      const comparable = before !== null && isOfSize(before.frame[0], frame[0]) ? before : null;
      frames += 1;
      digests.add(digest);
      if (blankFrame) blank += 1;
      if (blankFrame && brightness[0].meanLuma <= BLACK) black += 1;
      information.add(frame, comparable?.frame ?? null);
      const still =
        comparable !== null &&
        (comparable.digest === digest ||
          onEachGround(comparable.frame, frame).every(([one, other]) => isStill(one, other)));
      if (comparable !== null) {
        pairs += 1;
        change += Math.max(
          ...onEachGround(comparable.brightness, brightness).map(([one, other]) =>
            Math.abs(other.meanLuma - one.meanLuma),
          ),
        );
        if (comparable.digest === digest) duplicates += 1;
      }
      if (still) {
        frozen += 1;
        longestFrozenS = Math.max(longestFrozenS, atS - frozenSinceS);
      } else frozenSinceS = atS;
      before = { frame, digest, brightness };
    },
    end: () => {
      const share = (of: number, all: number): number | null => (all === 0 ? null : of / all);
      return {
        frames,
        frozenShare: share(frozen, pairs),
        longestFrozenS: pairs === 0 ? null : longestFrozenS,
        duplicateShare: share(duplicates, pairs),
        distinctFrames: digests.size,
        blankShare: share(blank, frames),
        blackShare: share(black, frames),
        flicker: share(change, pairs),
        ...information.end(),
      };
    },
  };
}

function isOfSize(one: Luma, other: Luma): boolean {
  return one.width === other.width && one.height === other.height;
}

function brightnessOf({ data }: Luma): Brightness {
  const counts = emptyLevelCounts();
  let sum = 0;
  for (let at = 0; at < data.length; at += 1) {
    const value = data[at] ?? 0;
    const level = (value + 0.5) | 0;
    counts[level] = (counts[level] ?? 0) + 1;
    sum += value;
  }
  return { meanLuma: sum / Math.max(1, data.length), isBlank: isBlank(counts) };
}

/**
 * Whether nothing moves: the mean absolute difference of luma is at most 0.255 of 255, and in no block of 16 x 16
 * pixels above 4. Noise of lossy coding is no movement, a bird in a still sky is, a fade over a minute is not.
 */
function isStill(one: Luma, other: Luma): boolean {
  const { width, height } = one;
  const columns = Math.ceil(width / BLOCK);
  const sums = new Float64Array(columns);
  let total = 0;
  for (let top = 0; top < height; top += BLOCK) {
    const rows = Math.min(BLOCK, height - top);
    sums.fill(0);
    for (let at = top * width; at < (top + rows) * width; at += width) addRow(sums, one, other, at);
    for (let column = 0; column < columns; column += 1) {
      const sum = sums[column] ?? 0;
      if (sum > STILL_IN_BLOCK * rows * Math.min(BLOCK, width - column * BLOCK)) return false;
      total += sum;
    }
  }
  return total <= STILL * width * height;
}

function addRow(sums: Float64Array, { width, data }: Luma, other: Luma, from: number): void {
  for (let left = 0; left < width; left += BLOCK) {
    let sum = 0;
    for (let at = from + left; at < from + Math.min(left + BLOCK, width); at += 1)
      sum += Math.abs((data[at] ?? 0) - (other.data[at] ?? 0));
    sums[left / BLOCK] = (sums[left / BLOCK] ?? 0) + sum;
  }
}
