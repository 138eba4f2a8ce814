import { describe, expect, it } from 'vitest';
import { decideNone } from '../../../../src/analysis/gate/bounds/events.ts';
import { decideBound } from '../../../../src/analysis/gate/bounds/value.ts';

const between = (low: number, high: number) => ({ value: (low + high) / 2, n: 36, range: { low, high }, level: 0.95 });

describe('max and min', () => {
  it.each([
    ['max', between(0.01, 0.1), 'pass'],
    ['max', between(0.25, 0.5), 'fail'],
    ['max', between(0.1, 0.3), 'inconclusive'],
    ['min', between(0.25, 0.5), 'pass'],
    ['min', between(0.01, 0.1), 'fail'],
    ['min', between(0.1, 0.3), 'inconclusive'],
  ] as const)('%s of 0.2 against a whole range: %o gives %s', (is, found, verdict) => {
    expect(decideBound(found, { is, value: 0.2 }).verdict).toBe(verdict);
  });

  it('a range that ends at the bound: is within it', () => {
    expect(decideBound(between(0, 0.2), { is: 'max', value: 0.2 }).verdict).toBe('pass');
  });

  it('an open end: never passes', () => {
    expect(decideBound(between(0, Infinity), { is: 'max', value: 20_000 }).verdict).toBe('inconclusive');
  });

  it('no take, or too few for a bound: nothing is decided', () => {
    expect(decideBound({ value: null, n: 0, range: null, level: 0.95 }, { is: 'max', value: 1 }).verdict).toBe(
      'inconclusive',
    );
    expect(decideBound({ value: 0.5, n: 3, range: null, level: 0.95 }, { is: 'max', value: 1 })).toEqual({
      verdict: 'inconclusive',
      code: 'no_interval',
    });
    const unbounded = { value: 84, n: 3, range: { low: -Infinity, high: Infinity }, level: 0.95 };
    expect(decideBound(unbounded, { is: 'min', value: 0.0001 })).toMatchObject({ code: 'no_interval' });
  });
});

describe('max and min of what is counted', () => {
  it('a value that is counted: passes at its bound, and spans one only for costs that nobody knows', () => {
    const counted = (high: number) => ({ value: 0.02, n: 57, range: { low: 0.02, high }, level: null });
    expect(decideBound(counted(0.02), { is: 'max', value: 0.02 }).verdict).toBe('pass');
    expect(decideBound(counted(Infinity), { is: 'max', value: 0.05 })).toEqual({
      verdict: 'inconclusive',
      code: 'unknown_cost',
    });
  });
});

describe('none', () => {
  it('one event: fails; none: passes; nothing that could have been one: nothing is decided', () => {
    expect(decideNone({ events: 1, n: 36 }).verdict).toBe('fail');
    expect(decideNone({ events: 0, n: 36 }).verdict).toBe('pass');
    expect(decideNone({ events: 0, n: 0 }).verdict).toBe('inconclusive');
  });
});
