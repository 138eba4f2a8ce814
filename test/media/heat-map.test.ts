import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openHeatMap } from '../../src/media/heat-map.ts';
import { HEAT_COLOURS, heatColour } from '../../src/media/heat-scale.ts';
import type { Pixels } from '../../src/media/pixels.ts';
import { paint } from '../fixtures/painted-images.ts';

async function drawn(...frames: readonly (readonly [Pixels, Pixels])[]) {
  const map = openHeatMap();
  for (const [one, other] of frames) map.add(one, other);
  const webp = await map.draw();
  if (webp === null) throw new Error('nothing was drawn');
  const { data, info } = await sharp(webp).raw().toBuffer({ resolveWithObject: true });
  /** Brightness of a place, as shares of width and height. */
  const at = (x: number, y: number): number => {
    const from = 3 * (Math.floor(y * info.height) * info.width + Math.floor(x * info.width));
    return data.subarray(from, from + 3).reduce((sum, channel) => sum + channel, 0) / 3;
  };
  return { webp, width: info.width, height: info.height, at };
}

const grey = (level: number, width = 300, height = 200): Pixels => ({
  width,
  height,
  channels: 3,
  depth: 8,
  data: new Uint8Array(3 * width * height).fill(level),
});

/** Its left half is so much brighter. */
function withBrighterLeft(pixels: Pixels, by: number): Pixels {
  const data = Uint8Array.from(pixels.data, (value, at) =>
    Math.floor(at / 3) % pixels.width < pixels.width / 2 ? Math.min(255, value + by) : value,
  );
  return { ...pixels, data };
}

describe('the heat map of two outputs', () => {
  it('a heat map is bright where they differ, dark elsewhere, and at most 120 pixels wide', async () => {
    const { width, height, at } = await drawn([grey(80), withBrighterLeft(grey(80), 100)]);
    expect([width, height]).toEqual([120, 80]);
    expect(at(0.25, 0.5)).toBeGreaterThan(200);
    expect(at(0.75, 0.5)).toBeLessThan(40);
  });

  it('a heat map names the corner of its image where the two differ least', async () => {
    const place = async (...pair: readonly [Pixels, Pixels]) =>
      /least: [a-z ]+/.exec((await drawn(pair)).webp.toString())?.[0];
    expect(await place(grey(80), withBrighterLeft(grey(80), -60))).toBe('least: bottom right');
    const [one, other] = [grey(80), grey(80)];
    other.data.fill(250, 3 * 300 * 190);
    expect(await place(one, other)).toBe('least: top right');
  });

  it('a heat map is no larger than the images, and the same whichever comes first', async () => {
    const [one, other] = [1, 2].map((seed) => paint({ texture: 'fractal', width: 48, height: 40, seed }));
    if (one === undefined || other === undefined) throw new Error('no images');
    const map = await drawn([one, other]);
    expect([map.width, map.height]).toEqual([48, 40]);
    expect(map.webp).toEqual((await drawn([other, one])).webp);
  });

  it('a heat map of frames has their mean difference, that of 16 bits counts like that of 8', async () => {
    const changed = withBrighterLeft(grey(80), 60);
    const whole = await drawn([grey(80), changed]);
    const half = await drawn([grey(80), changed], [grey(80), grey(80)]);
    expect(half.at(0.25, 0.5)).toBeLessThan(whole.at(0.25, 0.5));
    expect(half.at(0.25, 0.5)).toBeGreaterThan(half.at(0.75, 0.5) + 40);
    const deep = ({ data, ...pixels }: Pixels): Pixels => ({
      ...pixels,
      depth: 16,
      data: Uint16Array.from(data, (value) => 257 * value),
    });
    expect((await drawn([deep(grey(80)), deep(changed)])).webp).toEqual(whole.webp);
  });

  it('a heat map of two sizes is not drawn', async () => {
    const map = openHeatMap();
    map.add(grey(80), grey(80, 200, 200));
    expect(await map.draw()).toBeNull();
  });

  it('a heat colour is brighter the further along its scale, and the last one beyond its end', () => {
    const brightness = (share: number) => heatColour(share).reduce((sum, channel) => sum + channel, 0);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        expect(brightness(Math.max(a, b))).toBeGreaterThanOrEqual(brightness(Math.min(a, b)));
      }),
    );
    expect(heatColour(7)).toEqual(HEAT_COLOURS.at(-1));
    expect(heatColour(0)).toEqual(HEAT_COLOURS[0]);
  });
});
