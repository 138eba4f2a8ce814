import { describe, expect, test } from 'vitest';
import { toRgb } from '../../../src/service/rendering/image.ts';
import { changeFrames, changePixels, type PixelChanges } from '../../../src/service/rendering/pixel-changes.ts';

const SIZE = { width: 64, height: 48, evaluations: 0 };

function changedImage(changes: PixelChanges, concurrent = 0, rgb = new Uint8Array(3 * 64 * 48).fill(127)): Uint8Array {
  changePixels({ ...SIZE, rgb }, changes, concurrent);
  return rgb;
}

function changedFrame(changes: PixelChanges, concurrent = 0): Uint8Array {
  const frame = Buffer.alloc(64 * 48 * 1.5, 100);
  changeFrames({ ...SIZE, frames: [frame] }, changes, concurrent);
  return frame;
}

function differences(a: Uint8Array, b: Uint8Array): number[] {
  return [...a].map((value, i) => Math.abs(value - (b[i] ?? 0))).filter((apart) => apart > 0);
}

test('the change blank gives black, of images and videos', () => {
  const frame = toRgb(changedFrame({ blank: true }), SIZE);
  for (const rgb of [changedImage({ blank: true }), frame]) expect(rgb.every((value) => value === 0)).toBe(true);
});

test('the change one bit changes one value of an image by one, and one block of a video', () => {
  expect(differences(changedImage({ oneBit: true }, 3), changedImage({}))).toEqual([1]);
  expect(differences(changedFrame({ oneBit: true }), changedFrame({}))).toEqual(Array(256).fill(4));
});

describe.each([
  ['an image', changedImage, 1],
  ['a video', changedFrame, 4],
])('%s under concurrent requests', (what, change, by) => {
  test(`${what} changes a little under concurrent requests, the same for as many, and not at all alone`, () => {
    const under = (concurrent: number) => change({ batchDependent: true }, concurrent);
    expect(under(0)).toEqual(change({}));
    expect(under(3)).toEqual(under(3));
    const apart = [1, 2, 3, 4, 5].flatMap((concurrent) => differences(under(concurrent), change({})));
    expect(new Set(apart)).toEqual(new Set([by]));
  });
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
