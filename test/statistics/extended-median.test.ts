import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extendedMedian, median, sortSample } from '../../src/statistics/quantile.ts';

describe('extendedMedian', () => {
  it('extendedMedian is the sample median where no value is below every number', () => {
    const value = fc.oneof(fc.integer(), fc.constant(Infinity));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 12 }), (values) => {
        expect(extendedMedian(values)).toBe(median(sortSample(values)));
      }),
    );
  });

  it('extendedMedian turns over with the values, infinite ones included', () => {
    const value = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(Infinity, -Infinity));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 9 }), (values) => {
        const middle = extendedMedian(values);
        expect(extendedMedian(values.map((each) => 0 - each))).toBe(middle === null ? null : 0 - middle);
      }),
    );
  });

  it('extendedMedian is lost where half are lost on either side, and infinite where one side lost more', () => {
    expect(extendedMedian([-Infinity, Infinity])).toBeNull();
    expect(extendedMedian([-Infinity, 1, Infinity])).toBe(1);
    expect(extendedMedian([-Infinity, 1])).toBe(-Infinity);
    expect(extendedMedian([1, Infinity, Infinity])).toBe(Infinity);
    expect(extendedMedian([])).toBeNull();
  });

  it('extendedMedian does not overflow', () => {
    expect(extendedMedian([1.7e308, 1.7e308, 1.5e308, 1.5e308])).toBe(1.6e308);
  });

  it('extendedMedian refuses NaN', () => {
    expect(() => extendedMedian([Number.NaN])).toThrow(/NaN/);
  });
});
