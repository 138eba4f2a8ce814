import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { VideoSignals } from '../../../src/media/facts.ts';
import { type Luma, lumaOf, type Pixels } from '../../../src/media/pixels.ts';
import { integrityOf } from '../../../src/media/signals/blank.ts';
import { openSpatialTemporalInformation, openVideoSignals } from '../../../src/media/signals/video-signals.ts';
import { expectNear, goldenImages, goldenVideos } from '../../fixtures/golden-signals.ts';
import { imageOf, noiseAt } from '../../fixtures/procedural-image.ts';

const SIDE = 512;
const plain = (red: number, green = red, blue = red): Pixels =>
  imageOf(SIDE, SIDE, 3, 8, (_x, _y, channel) => [red, green, blue][channel] ?? 0);

/** The sum of four even numbers up to `most`: a hump, as noise has. */
const noise = (x: number, y: number, channel: number, most: number): number => {
  const bits = noiseAt(x, y, channel, 3);
  return [0, 8, 16, 24].reduce((sum, shift) => sum + (((bits >>> shift) & 255) * most) / 255, 0) / 4;
};

async function lossy({ width, height, channels, data }: Pixels, quality: number, format: 'jpeg' | 'webp') {
  const coded = await sharp(data, { raw: { width, height, channels } })[format]({ quality }).toBuffer();
  const back = await sharp(coded).removeAlpha().toColourspace('srgb').raw().toBuffer();
  return { width, height, channels: 3, depth: 8, data: new Uint8Array(back) } as const;
}

/** Squares of a brightness at random places on a background. */
const spots = (ground: number, brightness: number, side: number, count: number): Pixels => {
  const places = Array.from(
    { length: count },
    (_, at) => [noiseAt(at, 1, 0, 9) % 500, noiseAt(at, 2, 0, 9) % 500] as const,
  );
  return imageOf(SIDE, SIDE, 3, 8, (x, y) =>
    places.some(([left, top]) => x >= left && x < left + side && y >= top && y < top + side) ? brightness : ground,
  );
};

describe('integrityOf', () => {
  it.each(goldenImages())('integrityOf is what NumPy and SciPy say of $name', ({ pixels, signals }) => {
    const found = integrityOf(pixels, [lumaOf(pixels)]);
    expect(found.blank).toBe(signals.blank);
    for (const name of ['lumaMean', 'lumaStdDev', 'clippedLow', 'clippedHigh', 'sharpness', 'colourfulness'] as const)
      expectNear(found[name], signals[name]);
  });

  it('integrityOf is exact where nothing varies', () => {
    expect(integrityOf(plain(0))).toEqual({
      blank: true,
      lumaMean: 0,
      lumaStdDev: 0,
      clippedLow: 1,
      clippedHigh: 0,
      sharpness: 0,
      colourfulness: 0,
    });
  });

  it('integrityOf shows on white what is transparent', () => {
    const clear = integrityOf(imageOf(20, 20, 4, 8, (x, y, channel) => (channel === 3 ? 0 : x * y)));
    expect(clear).toMatchObject({ blank: true, clippedHigh: 1, clippedLow: 0, colourfulness: 0 });
  });

  it('integrityOf gives numbers for the smallest images', () => {
    for (const [width, height] of [
      [1, 1],
      [2, 9],
      [9, 2],
    ] as const) {
      const found = integrityOf(imageOf(width, height, 3, 8, (x, y, channel) => 20 * (x + y + channel)));
      for (const value of Object.values(found)) expect(Number.isNaN(value)).toBe(false);
      expect(found.sharpness).toBe(0);
    }
  });
});

describe('a blank image', () => {
  it.each([
    ['black', plain(0)],
    ['white', plain(255)],
    ['grey', plain(127)],
    ['red', plain(200, 10, 20)],
    ['grey with faint noise', imageOf(SIDE, SIDE, 3, 8, (x, y, c) => 120 + noise(x, y, c, 10))],
    ['a ramp that cannot be seen', imageOf(SIDE, SIDE, 3, 8, (x) => 12 + (x >> 6))],
  ])('a blank image can be %s, unchanged and after lossy coding', async (_, pixels) => {
    expect(integrityOf(pixels).blank).toBe(true);
    expect(integrityOf(await lossy(pixels, 90, 'jpeg')).blank).toBe(true);
    expect(integrityOf(await lossy(pixels, 40, 'jpeg')).blank).toBe(true);
    expect(integrityOf(await lossy(pixels, 75, 'webp')).blank).toBe(true);
  });

  it('a blank image may have a single odd pixel', () => {
    expect(integrityOf(spots(0, 255, 1, 1)).blank).toBe(true);
  });

  it.each([
    ['a night sky of many stars', spots(3, 220, 2, 200)],
    ['a night sky of five stars', spots(3, 220, 2, 5)],
    ['a moon', spots(0, 180, 24, 1)],
    ['a small flat logo on white', spots(255, 60, 40, 1)],
    ['a small pale logo on white', spots(255, 230, 40, 1)],
    ['a small logo on black', spots(0, 200, 16, 1)],
    ['a dark room', imageOf(SIDE, SIDE, 3, 8, (x, y) => (((x >> 6) + (y >> 6)) % 3 === 0 ? 14 : 2))],
    ['fog', imageOf(SIDE, SIDE, 3, 8, (_x, y) => 215 + Math.floor(y / 24))],
    [
      'colours of one brightness',
      imageOf(SIDE, SIDE, 3, 8, (x, _y, c) => ((x >> 5) % 2 === 0 ? [150, 100, 100] : [100, 125, 102])[c] ?? 0),
    ],
    ['noise', imageOf(SIDE, SIDE, 3, 8, (x, y, c) => noiseAt(x, y, c, 1))],
  ])('%s is no blank image, unchanged and after lossy coding', async (_, pixels) => {
    expect(integrityOf(pixels).blank).toBe(false);
    expect(integrityOf(await lossy(pixels, 90, 'jpeg')).blank).toBe(false);
    expect(integrityOf(await lossy(pixels, 75, 'webp')).blank).toBe(false);
  });
});

const luma = (width: number, rows: readonly number[]): Luma => ({
  width,
  height: rows.length / width,
  data: Float64Array.from(rows),
});

describe('openSpatialTemporalInformation', () => {
  it.each(goldenVideos())('openSpatialTemporalInformation is what SciPy says of $name', ({ frames, information }) => {
    const count = openSpatialTemporalInformation();
    let before: Luma | null = null;
    for (const frame of frames.map((frame) => lumaOf(frame))) {
      count.add([frame], before === null ? null : [before]);
      before = frame;
    }
    const found = count.end();
    for (const name of ['siMax', 'siMean', 'tiMax', 'tiMean'] as const) expectNear(found[name], information[name]);
  });

  it('openSpatialTemporalInformation gives nothing without a frame, and no temporal part for one', () => {
    const none = { siMax: null, siMean: null, tiMax: null, tiMean: null };
    const count = openSpatialTemporalInformation();
    expect(count.end()).toEqual(none);
    count.add([luma(2, [1, 2, 3, 4])], null);
    expect(count.end()).toEqual({ ...none, siMax: 0, siMean: 0 });
  });
});

describe('video signals', () => {
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
      expect(signalsOf([])).toMatchObject({
        ...none,
        frames: 0,
        blackShare: null,
        blankShare: null,
        distinctFrames: 0,
      });
      expect(signalsOf([plain(0)])).toMatchObject({ ...none, frames: 1, blackShare: 1, distinctFrames: 1 });
    });
  });
});
