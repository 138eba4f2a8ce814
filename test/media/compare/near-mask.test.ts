import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markNear } from '../../../src/media/compare/near-mask.ts';

const sparse = fc.oneof({ weight: 40, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 255 }));
const distances = fc.oneof(fc.constant(8), fc.double({ min: 0.5, max: 12, noNaN: true }));
const drawn = fc.array(sparse, { maxLength: 900, size: 'max' });

it('markNear marks exactly the pixels nearer than the distance to one above 0, as a search of all pairs does', () => {
  fc.assert(
    fc.property(drawn, fc.integer({ min: 1, max: 30 }), distances, (pixels, width, distance) => {
      const values = pixels.slice(0, pixels.length - (pixels.length % width));
      const inside = values.flatMap((value, at) => (value > 0 ? [[at % width, Math.floor(at / width)] as const] : []));
      const expected = values.map((_, at) =>
        inside.some(([x, y]) => ((at % width) - x) ** 2 + (Math.floor(at / width) - y) ** 2 < distance ** 2) ? 1 : 0,
      );
      expect([...markNear(Uint8Array.from(values), width, distance)]).toEqual(expected);
    }),
  );
});
