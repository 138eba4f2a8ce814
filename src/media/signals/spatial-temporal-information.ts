import type { Luma } from '../pixels.ts';
import { onEachGround, type Views } from '../still/grounds.ts';
import { SampleSpread } from './blank.ts';

/**
 * Spatial and temporal detail after ITU-T P.910 (04/2008), section 5.3, in levels of luma. A mean is added to the
 * maximum over time, which one cut decides. Luma is 0 to 255: values are up to 255/219 times those of video levels, 16
 * to 235.
 */
export interface SpatialTemporalInformation {
  readonly siMax: number | null;
  readonly siMean: number | null;
  /** Null below two frames of one size. */
  readonly tiMax: number | null;
  readonly tiMean: number | null;
}

export interface SpatialTemporalCount {
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
