import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markNear } from '../../../src/media/compare/near-mask.ts';

const image = fc
  .record({ width: fc.integer({ min: 1, max: 30 }), height: fc.integer({ min: 1, max: 30 }) })
  .chain(({ width, height }) =>
    fc.record({
      width: fc.constant(width),
      values: fc.array(fc.oneof({ weight: 40, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 255 })), {
        minLength: width * height,
        maxLength: width * height,
      }),
      distance: fc.oneof(fc.constant(8), fc.double({ min: 0.5, max: 12, noNaN: true })),
    }),
  );

it('markNear marks exactly the pixels nearer than the distance to one above 0, as a search of all pairs does', () => {
  fc.assert(
    fc.property(image, ({ width, values, distance }) => {
      const inside = values.flatMap((value, at) => (value > 0 ? [[at % width, Math.floor(at / width)] as const] : []));
      const expected = values.map((_, at) =>
        inside.some(([x, y]) => ((at % width) - x) ** 2 + (Math.floor(at / width) - y) ** 2 < distance ** 2) ? 1 : 0,
      );
      expect([...markNear(Uint8Array.from(values), width, distance)]).toEqual(expected);
    }),
  );
});
