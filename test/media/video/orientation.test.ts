import { describe, expect, it } from 'vitest';
import { orientationOf, swapsSides, UPRIGHT } from '../../../src/media/video/frame-shaper.ts';

/** A display matrix with a, b, c, d in 16.16 fixed point. */
function matrix(a: number, b: number, c: number, d: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(36));
  const values = [a, b, 0, c, d, 0, 0, 0, 1];
  for (const [index, value] of values.entries())
    bytes.setInt32(4 * index, value * (index === 8 ? 1 << 30 : 65_536), true);
  return new Uint8Array(bytes.buffer);
}

describe('orientationOf', () => {
  // Where the point right of the centre (1, 0) and the one below it (0, 1) are shown: (a, b) and (c, d).
  it.each([
    [[1, 0, 0, 1], 0, false],
    [[0, 1, -1, 0], 1, false],
    [[-1, 0, 0, -1], 2, false],
    [[0, -1, 1, 0], 3, false],
    [[-1, 0, 0, 1], 0, true],
    [[0, -1, -1, 0], 1, true],
    [[1, 0, 0, -1], 2, true],
    [[0, 1, 1, 0], 3, true],
  ] as const)('orientationOf reads %j as %i quarters, mirrored: %s', ([a, b, c, d], quarters, mirrored) => {
    const orientation = orientationOf(matrix(a, b, c, d));
    expect(orientation).toEqual({ quarters, mirrored });
    expect(swapsSides(orientation)).toBe(a === 0);
    // The same by doing it: mirror left and right, then turn clockwise, with the second axis downwards.
    const turned = ([x, y]: readonly [number, number]): readonly [number, number] => {
      let point: readonly [number, number] = [mirrored ? -x : x, y];
      for (let quarter = 0; quarter < quarters; quarter += 1) point = [-point[1], point[0]];
      return point;
    };
    expect([...turned([1, 0]), ...turned([0, 1])].map((each) => each + 0)).toEqual([a, b, c, d]);
  });

  it('orientationOf takes what is not a quarter turn, or not a matrix, for upright', () => {
    for (const each of [null, new Uint8Array(4), matrix(0.5, 0.5, -0.5, 0.5), matrix(0, 0, 0, 0)]) {
      expect(orientationOf(each)).toEqual(UPRIGHT);
    }
  });
});
