import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type Generation, RATIOS, type Ratio } from '../../../src/service/forms/generation.ts';
import { encodePng, type Image, sampleImage } from '../../../src/service/rendering/image.ts';
import { SamplingStopped } from '../../../src/service/sampler/samplers.ts';
import { once } from '../../fixtures/once-for.ts';

const base: Generation = { prompt: 'a lighthouse at dusk', style: 'realistic', ratio: '1:1', seed: 1, model: 'fast' };

const sample = (change: Partial<Generation>): Promise<Image> => sampleImage({ ...base, ...change }, () => false);

/** The image of a model that several tests only read. */
const BY_MODEL = {
  standard: once(() => sample({ model: 'standard' })),
  fast: once(() => sample({ model: 'fast' })),
  'fast-lcm': once(() => sample({ model: 'fast-lcm' })),
};

async function digest(image: Image): Promise<string> {
  return createHash('sha256')
    .update(await encodePng(image))
    .digest('hex');
}

/**
 * Median of the absolute Laplacian of the green channel: the texture's sharpness, which the scene's few edges do not
 * move.
 */
function sharpness({ rgb, width, height }: Image): number {
  const values: number[] = [];
  const at = (x: number, y: number) => rgb[(y * width + x) * 3 + 1] ?? 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      values.push(Math.abs(4 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1)));
    }
  }
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

describe('an image', () => {
  test('an image has the same bytes for the same request', async () => {
    expect(await digest(await sample({ model: 'fast-lcm' }))).toBe(await digest(await BY_MODEL['fast-lcm']()));
  });

  test('an image differs for another seed, prompt, style or model', async () => {
    const all = await Promise.all([
      BY_MODEL.fast(),
      BY_MODEL['fast-lcm'](),
      ...[{ seed: 2 }, { prompt: 'a fox' }, { style: 'anime' as const }].map(sample),
    ]);
    expect(new Set(await Promise.all(all.map(digest))).size).toBe(5);
  });

  test('models that take fewer steps ask the denoiser less often, and leave less detail', async () => {
    const [many, some, few] = [await BY_MODEL.standard(), await BY_MODEL.fast(), await BY_MODEL['fast-lcm']()];
    expect([many, some, few].map(({ evaluations }) => evaluations)).toEqual([47, 15, 4]);
    expect(sharpness(few)).toBeLessThan(sharpness(some));
    expect(sharpness(some)).toBeLessThan(sharpness(many));
  });

  test.each(Object.keys(RATIOS) as Ratio[])(
    'an image of %s is as large as its ratio says, and the PNG holds its pixels',
    async (ratio) => {
      const [w = 1, h = 1] = ratio.split(':').map(Number);
      const image = await sample({ ratio, model: 'fast-lcm' });
      expect(image.width / image.height).toBeCloseTo(w / h, 10);
      const png = await encodePng(image);
      const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject({ width: image.width, height: image.height, channels: 3 });
      expect(data.equals(image.rgb)).toBe(true);
    },
  );

  test('seeds choose among the compositions: none is beyond their reach', async () => {
    // With little texture the images of one composition differ less among themselves than from all others.
    const thumbs: Buffer[] = [];
    for (let seed = 0; seed < 10; seed++) {
      const { rgb, width, height } = await sample({ seed, model: 'fast-lcm', style: 'anime', ratio: '3:2' });
      thumbs.push(
        await sharp(rgb, { raw: { width, height, channels: 3 } })
          .resize(24, 24)
          .raw()
          .toBuffer(),
      );
    }
    const apart = (a: Buffer, b: Buffer) => a.reduce((sum, v, i) => sum + Math.abs(v - (b[i] ?? 0)), 0) / a.length;
    const groups: Buffer[] = [];
    for (const thumb of thumbs) if (!groups.some((group) => apart(group, thumb) < 6)) groups.push(thumb);
    expect(groups.length).toBeGreaterThanOrEqual(4);
    expect(groups.length).toBeLessThanOrEqual(6);
  });

  test('a sampling that is stopped ends', async () => {
    await expect(sampleImage(base, () => true)).rejects.toBeInstanceOf(SamplingStopped);
  });
});
