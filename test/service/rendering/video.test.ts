import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VideoGeneration } from '../../../src/service/forms/generation.ts';
import { cameraWays, moveUpload } from '../../../src/service/rendering/moving-upload.ts';
import { changeFrames } from '../../../src/service/rendering/pixel-changes.ts';
import { sampleVideo, toRgb, toStudioBytes, type Video } from '../../../src/service/rendering/video.ts';
import { layoutOf } from '../../../src/service/sampler/planes.ts';
import { once } from '../../fixtures/once-for.ts';
import { rms } from '../decoded-video.ts';

function video(change: Partial<VideoGeneration> = {}): Promise<Video> {
  const generation: VideoGeneration = {
    prompt: 'a house on a hill',
    style: 'realistic',
    ratio: '4:3',
    model: 'fast-lcm',
    seed: 1,
    seconds: 1,
    upload: null,
    ...change,
  };
  return sampleVideo(generation, () => false);
}

function lumaOf({ width, height }: Video, frame: Buffer | undefined): Uint8Array {
  return (frame ?? Buffer.alloc(0)).subarray(0, width * height);
}

/** How rough a plane is: the mean square of its second differences along a row. */
function roughness(luma: Uint8Array): number {
  let sum = 0;
  for (let i = 1; i < luma.length - 1; i++) {
    sum += (2 * (luma[i] ?? 0) - (luma[i - 1] ?? 0) - (luma[i + 1] ?? 0)) ** 2;
  }
  return sum / luma.length;
}

/** Of one grey image, so that roughness is of the texture alone; tests only read it. */
const grey = new Uint8Array(144 * 108 * 3).fill(128);
const standardOfGrey = once(() => video({ upload: grey, model: 'standard' }));

describe('a sampled video', () => {
  test('a sampled video costs by its model, and fewer steps leave less detail', async () => {
    const [standard, lcm] = await Promise.all([standardOfGrey(), video({ upload: grey })]);
    expect([standard.evaluations, lcm.evaluations]).toEqual([47, 4]);
    expect(roughness(lumaOf(standard, standard.frames[3]))).toBeGreaterThan(
      1.5 * roughness(lumaOf(lcm, lcm.frames[3])),
    );
  });

  test('a sampled video has a texture that stays from frame to frame and changes over a second', async () => {
    const made = await standardOfGrey();
    const [first, next, later] = [0, 1, 12].map((i) => lumaOf(made, made.frames[i]));
    const still = new Uint8Array(144 * 108).fill(126);
    const amount = rms(first ?? still, still);
    expect(amount).toBeGreaterThan(1);
    expect(rms(first, next)).toBeLessThan(0.4 * amount);
    expect(rms(first, later)).toBeGreaterThan(0.5 * amount);
  });

  test('seeds choose among the scenes and their mirror images', async () => {
    const videos = await Promise.all(Array.from({ length: 4 }, (_, seed) => video({ seed })));
    const firsts = videos.map((made) => lumaOf(made, made.frames[0]));
    const kinds: Uint8Array[] = [];
    for (const first of firsts) if (!kinds.some((kind) => rms(kind, first) < 12)) kinds.push(first);
    expect(kinds.length).toBeGreaterThanOrEqual(2);
  });
});

describe('an image that moves', () => {
  const size = { width: 24, height: 16 };
  const image = Uint8Array.from({ length: 24 * 16 * 3 }, (_, i) => (i * 37) % 251);

  test('an image that moves is whole in the first frame of every way, and never leaves its own values', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 2, max: 96 }), (prompt, frames) => {
        const ways = moveUpload(image, prompt, size, frames, 24);
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

  test('a word asks for a way; without one there are several', () => {
    expect(cameraWays('Pan LEFT over the hills')).toHaveLength(1);
    expect(cameraWays('Pan LEFT over the hills')[0]?.across).toBeLessThan(0);
    expect(cameraWays('the right one')[0]?.across).toBeGreaterThan(0);
    expect(cameraWays('a cat')).toHaveLength(3);
  });
});

test('studio range has black at 16, white at 235, and no colour for grey', () => {
  const samples = Buffer.alloc(6);
  toStudioBytes(new Float64Array([-1, 1, 0, 9]), 'luma', samples, 0);
  toStudioBytes(new Float64Array([0, -1]), 'chroma', samples, 4);
  expect([...samples]).toEqual([16, 235, 126, 235, 128, 16]);
  const frame = Uint8Array.from([16, 235, 126, 16, 128, 128]);
  expect([...toRgb(frame, { width: 2, height: 2 })]).toEqual([0, 0, 0, 255, 255, 255, 128, 128, 128, 0, 0, 0]);
});

test('the changes of frames make blank black, and concurrent requests change as many blocks, the same ones', () => {
  const made = (): Video => ({ width: 64, height: 48, evaluations: 0, frames: [Buffer.alloc(64 * 48 * 1.5, 100)] });
  const blank = made();
  changeFrames(blank, { blank: true }, 0);
  expect([...toRgb(blank.frames[0] ?? Buffer.alloc(0), blank)].every((value) => value === 0)).toBe(true);
  const under = (concurrent: number) => {
    const changed = made();
    changeFrames(changed, { batchDependent: true }, concurrent);
    return changed.frames[0];
  };
  expect(under(0)).toEqual(made().frames[0]);
  expect(under(2)).toEqual(under(2));
  expect([1, 2, 3, 4, 5].some((concurrent) => !under(concurrent)?.equals(made().frames[0] ?? Buffer.alloc(0)))).toBe(
    true,
  );
});

test('a layout of frames is as long as so many layouts of one', () => {
  const size = { width: 24, height: 16 };
  expect(layoutOf(size, 6).length).toBe(6 * layoutOf(size).length);
});
