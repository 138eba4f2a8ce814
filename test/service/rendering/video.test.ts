import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VideoGeneration } from '../../../src/service/forms/generation.ts';
import { sampleVideo, toRgb, toStudioBytes, type Video } from '../../../src/service/rendering/image.ts';
import { cameraWays, moveUpload } from '../../../src/service/rendering/moving-upload.ts';
import { once } from '../../fixtures/once-for.ts';
import { rms } from '../decoded-video.ts';

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
    const videos = await Promise.all([0, 1, 2, 3].map((seed) => video({ seed, upload: null })));
    const [first, ...others] = videos.map((made) => lumaOf(made, 0));
    expect(others.some((other) => rms(first, other) >= 12)).toBe(true);
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
  const frame = Uint8Array.from([16, 235, 126, 16, 128, 128]);
  expect([...toRgb(frame, { width: 2, height: 2 })]).toEqual([0, 0, 0, 255, 255, 255, 128, 128, 128, 0, 0, 0]);
});
