import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  mirrorSpectrum,
  type Size,
  spectrumColumns,
  toPlane,
  toSpectrum,
  transformTime,
} from '../../../src/service/sampler/fourier.ts';

const SIDES = [2, 4, 6, 8, 12, 16, 18, 54] as const;
const sizes = fc.record({ width: fc.constantFrom(...SIDES), height: fc.constantFrom(...SIDES) });
const planes = sizes.chain((size) =>
  fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), {
      minLength: size.width * size.height,
      maxLength: size.width * size.height,
    })
    .map((values) => ({ size, plane: Float64Array.from(values) })),
);

function naive(plane: Float64Array, { width, height }: Size, u: number, v: number): [number, number] {
  let re = 0;
  let im = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const angle = -2 * Math.PI * ((u * x) / width + (v * y) / height);
      re += (plane[y * width + x] ?? 0) * Math.cos(angle);
      im += (plane[y * width + x] ?? 0) * Math.sin(angle);
    }
  }
  const scale = 1 / Math.sqrt(width * height);
  return [re * scale, im * scale];
}

function furthest(a: Float64Array, b: Float64Array): number {
  return a.reduce((far, value, i) => Math.max(far, Math.abs(value - (b[i] ?? Number.NaN))), 0);
}

describe('the transform of a real plane', () => {
  test('the transform of a real plane equals the sum it is defined by', () => {
    fc.assert(
      fc.property(planes, ({ size, plane }) => {
        const spectrum = toSpectrum(plane, size);
        const columns = spectrumColumns(size);
        for (let u = 0; u < size.width; u++) {
          for (let v = 0; v < columns; v++) {
            const [re, im] = naive(plane, size, u, v);
            expect(spectrum[(u * columns + v) * 2]).toBeCloseTo(re, 10);
            expect(spectrum[(u * columns + v) * 2 + 1]).toBeCloseTo(im, 10);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('the transform of a real plane is undone by its inverse, and does not change its argument', () => {
    fc.assert(
      fc.property(planes, ({ size, plane }) => {
        const before = plane.slice();
        const spectrum = toSpectrum(plane, size);
        const kept = spectrum.slice();
        expect(furthest(toPlane(spectrum, size), plane)).toBeLessThan(1e-12);
        expect(plane).toEqual(before);
        expect(spectrum).toEqual(kept);
      }),
    );
  });

  test('a side with another factor is refused', () => {
    expect(() => toSpectrum(new Float64Array(100), { width: 10, height: 10 })).toThrow('not a product of 2 and 3');
  });
});

test('the mirror of a spectrum is the spectrum of the mirror image', () => {
  fc.assert(
    fc.property(planes, ({ size, plane }) => {
      const mirrored = plane.map((_, i) => {
        const x = i % size.width;
        return plane[i - x + size.width - 1 - x] ?? 0;
      });
      expect(furthest(mirrorSpectrum(toSpectrum(plane, size), size), toSpectrum(mirrored, size))).toBeLessThan(1e-12);
    }),
  );
});

test('the transform over time equals the sum it is defined by, and comes back', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(1, 2, 6, 24),
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 96, maxLength: 96 }),
      (frames, values) => {
        const data = Float64Array.from(values);
        const each = data.length / frames;
        const over = transformTime(data.slice(), frames, -1);
        for (let w = 0; w < frames; w++) {
          let re = 0;
          for (let t = 0; t < frames; t++) {
            const angle = (-2 * Math.PI * w * t) / frames;
            re += (data[t * each] ?? 0) * Math.cos(angle) - (data[t * each + 1] ?? 0) * Math.sin(angle);
          }
          expect(over[w * each]).toBeCloseTo(re / Math.sqrt(frames), 10);
        }
        expect(furthest(transformTime(over.slice(), frames, 1), data)).toBeLessThan(1e-12);
      },
    ),
  );
});
