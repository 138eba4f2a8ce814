import { createHash } from 'node:crypto';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type Generation, RATIOS, type Ratio, type VideoGeneration } from '../../../src/service/forms/generation.ts';
import {
  encodePng,
  type Image,
  sampleImage,
  sampleVideo,
  toStudioBytes,
  type Video,
} from '../../../src/service/rendering/image.ts';
import { cameraWays, moveUpload } from '../../../src/service/rendering/moving-upload.ts';
import { changePixels, type PixelChanges } from '../../../src/service/rendering/pixel-changes.ts';
import { SamplingStopped } from '../../../src/service/sampler/samplers.ts';
import { once } from '../../fixtures/once-for.ts';
import { rms } from '../decoded-video.ts';

const base: Generation = {
  prompt: 'a lighthouse at dusk',
  style: 'realistic',
  ratio: '1:1',
  seed: 1,
  model: 'fast',
  small: true,
};

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
      const image = await sample({ ratio, model: 'fast-lcm', small: false });
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

const SIZE = { width: 64, height: 48, evaluations: 0 };

function changedImage(changes: PixelChanges, concurrent = 0, rgb = new Uint8Array(3 * 64 * 48).fill(127)): Uint8Array {
  changePixels({ ...SIZE, rgb }, changes, concurrent);
  return rgb;
}

function differences(a: Uint8Array, b: Uint8Array): number[] {
  return [...a].map((value, i) => Math.abs(value - (b[i] ?? 0))).filter((apart) => apart > 0);
}

test('the change blank gives black, and one bit changes one value by one', () => {
  expect(changedImage({ blank: true }).every((value) => value === 0)).toBe(true);
  expect(differences(changedImage({ oneBit: true }, 3), changedImage({}))).toEqual([1]);
});

test('an image under concurrent requests changes a little, the same for as many, and not at all alone', () => {
  const under = (concurrent: number) => changedImage({ batchDependent: true }, concurrent);
  expect(under(0)).toEqual(changedImage({}));
  expect(under(3)).toEqual(under(3));
  const apart = [1, 2, 3, 4, 5].flatMap((concurrent) => differences(under(concurrent), changedImage({})));
  expect(new Set(apart)).toEqual(new Set([1]));
});

test('the change mirrored turns left into right, pixel by pixel', () => {
  const before = Uint8Array.from({ length: 3 * 64 * 48 }, (_, at) => at % 251);
  const once = changedImage({ mirrored: true }, 0, before.slice());
  const pixelAt = (from: Uint8Array, x: number, y: number) => from.slice(3 * (64 * y + x), 3 * (64 * y + x) + 3);
  expect(pixelAt(once, 3, 7)).toEqual(pixelAt(before, 60, 7));
  expect(changedImage({ mirrored: true }, 0, once.slice())).toEqual(before);
});

test('the change blurred spreads a point evenly over its surroundings', () => {
  const point = new Uint8Array(3 * 64 * 48).fill(250, 3 * (64 * 12 + 20), 3 * (64 * 12 + 21));
  expect(changedImage({ blurRadius: 2 }, 0, point).filter((value) => value > 0)).toEqual(new Uint8Array(75).fill(10));
});

/** Of one grey image, so that roughness is of the texture alone. */
const grey = new Uint8Array(144 * 108 * 3).fill(128);

function video(change: Partial<VideoGeneration> = {}): Promise<Video> {
  const asked = { prompt: 'a house on a hill', style: 'realistic', ratio: '4:3', seed: 1, seconds: 1 } as const;
  return sampleVideo({ ...asked, model: 'fast-lcm', upload: grey, ...change }, () => false);
}

const standard = once(() => video({ model: 'standard' }));

function lumaOf({ width, height, frames }: Video, at: number): Uint8Array {
  return (frames[at] ?? Buffer.alloc(0)).subarray(0, width * height);
}

/** The mean square of second differences along a row. */
function roughness(luma: Uint8Array): number {
  const at = (i: number) => luma[i] ?? 0;
  return luma.reduce((sum, _, i) => sum + (2 * at(i) - at(i - 1) - at(i + 1)) ** 2, 0) / luma.length;
}

describe('a sampled video', () => {
  test('a sampled video costs by its model, and fewer steps leave less detail', async () => {
    const [many, few] = [await standard(), await video()];
    expect([many.evaluations, few.evaluations]).toEqual([47, 4]);
    expect(roughness(lumaOf(many, 3))).toBeGreaterThan(1.5 * roughness(lumaOf(few, 3)));
  });

  test('a sampled video has a texture that stays from frame to frame and changes over a second', async () => {
    const made = await standard();
    const amount = rms(lumaOf(made, 0), new Uint8Array(144 * 108).fill(126));
    expect(amount).toBeGreaterThan(1);
    expect(rms(lumaOf(made, 0), lumaOf(made, 1))).toBeLessThan(0.4 * amount);
    expect(rms(lumaOf(made, 0), lumaOf(made, 12))).toBeGreaterThan(0.5 * amount);
  });

  test('seeds choose among the scenes and their mirror images', async () => {
    const start = async (seed: number) => lumaOf(await video({ seed, upload: null }), 0);
    const first = await start(0);
    let apart = 0;
    for (let seed = 1; seed < 4 && apart < 12; seed += 1) apart = rms(first, await start(seed));
    expect(apart).toBeGreaterThanOrEqual(12);
  });
});

test('an image that moves is whole in the first frame of every way, and never leaves its own values', () => {
  const image = Uint8Array.from({ length: 24 * 16 * 3 }, (_, i) => (i * 37) % 251);
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 2, max: 96 }), (prompt, frames) => {
      const ways = moveUpload(image, prompt, { width: 24, height: 16 }, frames, 24);
      expect(ways.length).toBeGreaterThan(0);
      for (const way of ways) {
        expect(way[0]).toEqual(image);
        expect(way.length).toBe(frames);
        expect(way.every((frame) => frame.every((value) => value <= 250))).toBe(true);
      }
    }),
    { numRuns: 10 },
  );
});

test('a word asks for a way of the camera; without one there are several', () => {
  const across = (prompt: string) => cameraWays(prompt).map((way) => Math.sign(way.across));
  expect([across('Pan LEFT over the hills'), across('the right one')]).toEqual([[-1], [1]]);
  expect(cameraWays('a cat')).toHaveLength(3);
});

test('studio range has black at 16, white at 235, and no colour for grey', () => {
  const samples = Buffer.alloc(6);
  toStudioBytes(new Float64Array([-1, 1, 0, 9]), 'luma', samples, 0);
  toStudioBytes(new Float64Array([0, -1]), 'chroma', samples, 4);
  expect([...samples]).toEqual([16, 235, 126, 235, 128, 16]);
});
