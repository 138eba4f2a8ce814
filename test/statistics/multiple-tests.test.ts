import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { benjaminiHochberg, holm } from '../../src/statistics/multiple-tests.ts';
import { draws } from '../test-options.ts';

const ps = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

describe('holm', () => {
  it('holm rejects what the step-down procedure rejects', () => {
    fc.assert(
      fc.property(ps, fc.nat(5), fc.constantFrom(0.01, 0.05, 0.3), (values, more, alpha) => {
        const m = values.length + more;
        const sorted = [...values].sort((a, b) => a - b);
        let rejected = 0;
        while (rejected < sorted.length && (m - rejected) * (sorted[rejected] ?? 1) <= alpha) rejected += 1;
        expect(holm(values, m).filter((p) => p <= alpha)).toHaveLength(rejected);
      }),
      { numRuns: draws(1000) },
    );
  });

  it('holm counts tests of the plan that gave no p', () => {
    expect(holm([0.01, 0.04], 20)).toEqual([0.2, 0.76]);
    expect(holm([], 3)).toEqual([]);
  });

  it('holm keeps the order given, and gives equal p values equal ones', () => {
    expect(holm([0.5, 0.01, 0.01])).toEqual([0.5, 0.03, 0.03]);
  });

  it('holm refuses a family that is too small, and what is no p', () => {
    expect(() => holm([0.1, 0.2], 1)).toThrow(/family/);
    expect(() => holm([1.2])).toThrow(/between 0 and 1/);
    expect(() => benjaminiHochberg([Number.NaN])).toThrow(/between 0 and 1/);
  });
});

describe('benjaminiHochberg', () => {
  it('benjaminiHochberg rejects what the step-up procedure rejects', () => {
    fc.assert(
      fc.property(ps, fc.constantFrom(0.01, 0.05, 0.3), (values, q) => {
        const sorted = [...values].sort((a, b) => a - b);
        const last = sorted.findLastIndex((p, at) => (values.length / (at + 1)) * p <= q);
        expect(benjaminiHochberg(values).filter((p) => p <= q)).toHaveLength(last + 1);
      }),
      { numRuns: draws(1000) },
    );
  });

  it('benjaminiHochberg is never stricter than Holm, nor laxer than no correction', () => {
    fc.assert(
      fc.property(ps, (values) => {
        const [discovered, kept] = [benjaminiHochberg(values), holm(values)];
        for (const [at, p] of values.entries()) {
          expect(discovered[at]).toBeLessThanOrEqual((kept[at] ?? 0) * (1 + 1e-12));
          expect(discovered[at]).toBeGreaterThanOrEqual(p * (1 - 1e-12));
        }
      }),
    );
  });
});
