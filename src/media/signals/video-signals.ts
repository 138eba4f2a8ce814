import type { VideoSignals } from '../facts.ts';
import type { Luma } from '../pixels.ts';
import { type OnGrounds, onEachGround, onGrounds, type Views } from '../still/grounds.ts';
import { emptyLevelCounts, isBlank } from './blank.ts';

interface VideoSignalCount {
  /** Keeps the frame until the next one, so each needs arrays of its own. */
  readonly add: (frame: Views, digest: string) => void;
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
  let [frames, blank, black] = [0, 0, 0];
  let [pairs, frozen, duplicates, change] = [0, 0, 0, 0];
  let before: SeenFrame | null = null;

  return {
    add: (frame, digest) => {
      const brightness = onGrounds(frame, brightnessOf);
      const blankFrame = brightness.every((view) => view.isBlank);
      const comparable = before !== null && isOfSize(before.frame[0], frame[0]) ? before : null;
      frames += 1;
      if (blankFrame) blank += 1;
      if (blankFrame && brightness[0].meanLuma <= BLACK) black += 1;
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
      if (still) frozen += 1;
      before = { frame, digest, brightness };
    },
    end: () => {
      const share = (of: number, all: number): number | null => (all === 0 ? null : of / all);
      return {
        frames,
        frozenShare: share(frozen, pairs),
        duplicateShare: share(duplicates, pairs),
        blankShare: share(blank, frames),
        blackShare: share(black, frames),
        flicker: share(change, pairs),
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
