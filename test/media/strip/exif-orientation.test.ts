import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exifOrientation } from '../../../src/media/strip/strip-metadata.ts';
import { exifWith } from '../../fixtures/exif.ts';

describe('exifOrientation', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'exifOrientation reads %i in both byte orders, with the prefix and without',
    (orientation) => {
      for (const little of [true, false]) {
        expect(exifOrientation(exifWith(orientation, little))).toBe(orientation);
        expect(exifOrientation(exifWith(orientation, little).subarray(6))).toBe(orientation);
      }
    },
  );

  it.each([0, 9, 65_535])('exifOrientation takes the value %i for upright', (orientation) => {
    expect(exifOrientation(exifWith(orientation, true))).toBe(1);
  });

  it('exifOrientation takes damaged data for upright and reads nothing beyond them', () => {
    // The last four bytes say where a next directory is.
    for (let length = 0; length < exifWith(6, true).length - 4; length += 1)
      expect(exifOrientation(exifWith(6, true).subarray(0, length))).toBe(1);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const marked = Uint8Array.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, ...bytes]);
        expect(exifOrientation(marked)).toBeGreaterThanOrEqual(1);
        expect(exifOrientation(bytes)).toBeLessThanOrEqual(8);
      }),
    );
  });
});
