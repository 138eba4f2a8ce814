import { expect, test } from 'vitest';
import { changePixels } from '../../../src/service/rendering/pixel-changes.ts';

const grey = () => new Uint8Array(3000).fill(127);

function differences(a: Uint8Array, b: Uint8Array): number[] {
  return [...a].map((value, i) => Math.abs(value - (b[i] ?? 0))).filter((apart) => apart > 0);
}

test('the change blank gives black', () => {
  const rgb = grey();
  changePixels(rgb, { blank: true }, 0);
  expect(rgb.every((value) => value === 0)).toBe(true);
});

test('the change one bit changes one value, by one', () => {
  const rgb = grey();
  changePixels(rgb, { oneBit: true }, 3);
  expect(differences(rgb, grey())).toEqual([1]);
});

test('changePixels changes lowest bits under concurrent requests, the same ones for as many, and none alone', () => {
  const under = (concurrent: number) => {
    const rgb = grey();
    changePixels(rgb, { batchDependent: true }, concurrent);
    return rgb;
  };
  expect(under(0)).toEqual(grey());
  expect(under(2)).toEqual(under(2));
  expect(under(2)).not.toEqual(under(3));
  const apart = differences(under(2), grey());
  expect(apart.length).toBeGreaterThan(10);
  expect(apart.every((value) => value === 1)).toBe(true);
});
