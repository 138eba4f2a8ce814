import { describe, expect, it } from 'vitest';
import type { VideoSignals } from '../../../src/media/facts.ts';
import { type Luma, lumaOf } from '../../../src/media/pixels.ts';
import { openVideoSignals } from '../../../src/media/signals/video-signals.ts';
import { expectNear, goldenVideos } from '../../fixtures/golden-signals.ts';
import { noiseAt } from '../../fixtures/procedural-image.ts';

const [WIDTH, HEIGHT] = [100, 60];
const FPS = 10;

function frame(value: (x: number, y: number) => number, width = WIDTH, height = HEIGHT): Luma {
  const data = Float64Array.from({ length: width * height }, (_, at) => value(at % width, Math.floor(at / width)));
  return { width, height, data };
}

const plain = (level: number): Luma => frame(() => level);
/** A still scene, and a small thing in it. */
const scene = (left: number, top: number, side = 5): Luma =>
  frame((x, y) => (x >= left && x < left + side && y >= top && y < top + side ? 250 : 40 + x + (y % 7)));

function signalsOf(frames: readonly Luma[], digests = frames.map((_, at) => `${at}`)): VideoSignals {
  const signals = openVideoSignals();
  for (const [at, each] of frames.entries()) signals.add([each], digests[at] ?? '', at / FPS);
  return signals.end();
}

describe('openVideoSignals', () => {
  it.each(goldenVideos())(
    'openVideoSignals has the flicker and the information that SciPy finds in $name',
    ({ frames, information }) => {
      const found = signalsOf(frames.map((frame) => lumaOf(frame)));
      for (const name of ['siMax', 'siMean', 'tiMax', 'tiMean', 'flicker'] as const)
        expectNear(found[name], information[name]);
    },
  );

  it('openVideoSignals measures the longest of several stills', () => {
    const moving = (at: number): Luma => scene(10 + 8 * at, 20);
    // Frames 1 to 3 are one, 6 to 10 are one.
    const places = [0, 1, 1, 1, 2, 3, 4, 4, 4, 4, 4, 5];
    const found = signalsOf(places.map(moving));
    expect(found.frames).toBe(12);
    expect(found.frozenShare).toBeCloseTo(6 / 11, 12);
    expect(found.longestFrozenS).toBeCloseTo(0.4, 12);
    expect(found.duplicateShare).toBe(0);
  });

  it('openVideoSignals takes the noise of coding for a still, and a small thing that moves for movement', () => {
    const grain = (seed: number): Luma => frame((x, y) => 40 + x + (noiseAt(x, y, 0, seed) % 8 === 0 ? 1 : 0));
    expect(signalsOf([1, 2, 3].map(grain)).frozenShare).toBe(1);
    // A speck: two pixels of 6000 change by some 190 levels, 0.06 in the mean, 1.5 in their block.
    expect(signalsOf([scene(20, 20, 1), scene(21, 20, 1)]).frozenShare).toBe(1);
    // A bird: 18 pixels of 57600 change by 210 levels, 0.07 in the mean, 14.8 in their block.
    const bird = (at: number): Luma => frame((x, y) => (x >= at && x < at + 3 && y < 3 ? 250 : 40), 320, 180);
    expect(signalsOf([bird(0), bird(3), bird(6)]).frozenShare).toBe(0);
    // A brightness that rises: 1 level everywhere.
    expect(signalsOf([plain(40), plain(41)]).frozenShare).toBe(0);
  });

  it('openVideoSignals takes frames of equal digests for duplicates, also those that come again later', () => {
    const frames = [1, 2, 3, 4, 5].map((at) => scene(10 * at, 20));
    const found = signalsOf(frames, ['a', 'a', 'b', 'a', 'c']);
    expect(found).toMatchObject({ duplicateShare: 0.25, distinctFrames: 3, frozenShare: 0.25, longestFrozenS: 0.1 });
  });

  it('openVideoSignals tells black frames from dark scenes and from other plain ones', () => {
    const stars = frame((x, y) => (noiseAt(x, y, 0, 1) % 500 === 0 ? 200 : 3));
    const found = signalsOf([plain(0), plain(16), plain(17), plain(255), stars, scene(0, 0), plain(2), plain(2)]);
    expect(found).toMatchObject({ blackShare: 4 / 8, blankShare: 6 / 8 });
  });

  it('openVideoSignals measures flicker as the mean change of brightness', () => {
    expect(signalsOf([plain(10), plain(14), plain(4), plain(4)]).flicker).toBeCloseTo(14 / 3, 12);
  });

  it('openVideoSignals compares no frames of different sizes', () => {
    const found = signalsOf([plain(10), frame(() => 90, 20, 20), frame(() => 91, 20, 20)]);
    expect(found).toMatchObject({ frames: 3, flicker: 1, frozenShare: 0, tiMax: 0, longestFrozenS: 0 });
  });

  it('openVideoSignals gives nothing that one frame, or none, cannot show', () => {
    const none = {
      frozenShare: null,
      longestFrozenS: null,
      duplicateShare: null,
      flicker: null,
      tiMax: null,
      tiMean: null,
    };
    expect(signalsOf([])).toMatchObject({ ...none, frames: 0, blackShare: null, blankShare: null, distinctFrames: 0 });
    expect(signalsOf([plain(0)])).toMatchObject({ ...none, frames: 1, blackShare: 1, distinctFrames: 1 });
  });
});
