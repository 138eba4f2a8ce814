import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { lumaOf, type Pixels } from '../../../src/media/pixels.ts';
import { integrityOf } from '../../../src/media/signals/blank.ts';
import { expectNear, goldenImages } from '../../fixtures/golden-signals.ts';
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
