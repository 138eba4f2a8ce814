import type { ImageIntegrity } from '../facts.ts';
import { type Luma, type Pixels, peakOf } from '../pixels.ts';
import { flattened, onGrounds, type Views, viewsOf } from '../still/grounds.ts';
import { emptyLevelCounts, isBlank, type LevelCounts, SampleSpread } from './blank.ts';

export function integrityOf(pixels: Pixels, views: Views = viewsOf(pixels)): ImageIntegrity {
  const spreads = onGrounds(views, spreadOf);
  const onWhite = colourSignals(flattened(pixels, () => 255));
  return {
    lumaMean: spreads[0].mean,
    lumaStdDev: Math.max(...spreads.map(({ stdDev }) => stdDev)),
    sharpness: Math.max(...views.map(varianceOfLaplacian)),
    ...onWhite,
    blank: onWhite.blank && (views.length === 1 || colourSignals(flattened(pixels, () => 0)).blank),
  };
}

function spreadOf({ data }: Luma): SampleSpread {
  const brightness = new SampleSpread();
  brightness.add(data);
  return brightness;
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
