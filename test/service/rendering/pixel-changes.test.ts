import { expect, test } from 'vitest';
import { changePixels } from '../../../src/service/rendering/pixel-changes.ts';

const SIZE = { width: 40, height: 25, evaluations: 1 };
const grey = () => new Uint8Array(3000).fill(127);

function differences(a: Uint8Array, b: Uint8Array): number[] {
  return [...a].map((value, i) => Math.abs(value - (b[i] ?? 0))).filter((apart) => apart > 0);
}

test('the change blank gives black', () => {
  const rgb = grey();
  changePixels({ ...SIZE, rgb }, { blank: true }, 0);
  expect(rgb.every((value) => value === 0)).toBe(true);
});

test('the change one bit changes one value, by one', () => {
  const rgb = grey();
  changePixels({ ...SIZE, rgb }, { oneBit: true }, 3);
  expect(differences(rgb, grey())).toEqual([1]);
});

test('changePixels changes lowest bits under concurrent requests, the same ones for as many, and none alone', () => {
  const under = (concurrent: number) => {
    const rgb = grey();
    changePixels({ ...SIZE, rgb }, { batchDependent: true }, concurrent);
    return rgb;
  };
  expect(under(0)).toEqual(grey());
  expect(under(2)).toEqual(under(2));
  expect(under(2)).not.toEqual(under(3));
  const apart = differences(under(2), grey());
  expect(apart.length).toBeGreaterThan(10);
  expect(apart.every((value) => value === 1)).toBe(true);
});

test('the change mirrored turns left into right, pixel by pixel', () => {
  const rgb = Uint8Array.from({ length: 3000 }, (_, at) => at % 251);
  const before = rgb.slice();
  changePixels({ ...SIZE, rgb }, { mirrored: true }, 0);
  const pixelAt = (from: Uint8Array, x: number, y: number) => [
    ...from.subarray(3 * (40 * y + x), 3 * (40 * y + x) + 3),
  ];
  expect(pixelAt(rgb, 3, 7)).toEqual(pixelAt(before, 36, 7));
  changePixels({ ...SIZE, rgb }, { mirrored: true }, 0);
  expect(rgb).toEqual(before);
});

test('the change blurred spreads a point evenly over its surroundings', () => {
  const rgb = new Uint8Array(3000);
  rgb.fill(250, 3 * (40 * 12 + 20), 3 * (40 * 12 + 21));
  changePixels({ ...SIZE, rgb }, { blurRadius: 2 }, 0);
  expect(rgb.filter((value) => value > 0)).toEqual(new Uint8Array(75).fill(10));
});
