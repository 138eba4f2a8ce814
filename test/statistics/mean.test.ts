import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean, sum } from '../../src/statistics/mean.ts';

describe('mean', () => {
  it('mean loses nothing where plain summation does', () => {
    expect(sum([1e16, 1, -1e16])).toBe(1);
    expect(mean(Array(10).fill(0.1))).toBe(0.1);
    expect(mean([])).toBeNull();
  });

  it('mean is infinite with a censored value', () => {
    expect(mean([1, Infinity, 2])).toBe(Infinity);
    expect(mean([Infinity, Infinity])).toBe(Infinity);
  });

  it('mean agrees with exact sums of whole numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger(), { minLength: 1 }), (values) => {
        const exact = Number(values.reduce((total, value) => total + BigInt(value), 0n));
        expect(sum(values)).toBe(exact);
      }),
    );
  });
});
