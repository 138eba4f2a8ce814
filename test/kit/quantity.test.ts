import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytes,
  count,
  duration,
  durationInterval,
  durationUnit,
  elapsed,
  plural,
  rate,
  rateUnit,
  share,
  shareAtMost,
  shareInterval,
  significant,
  usd,
} from '../../src/kit/wording.ts';

describe('quantities in words', () => {
  it('the words of a quantity print durations in three digits, in the unit of their column', () => {
    expect(duration(842.4)).toBe('842 ms');
    expect(duration(1243)).toBe('1.24 s');
    expect(duration(999.6)).toBe('1.00 s');
    expect(duration(84_249)).toBe('84.2 s');
    expect(duration(0.1234)).toBe('0.123 ms');
    expect(duration(310, durationUnit([310, null, 2150]))).toBe('0.310 s');
    expect(durationInterval(1180, 1310)).toBe('1.18 – 1.31 s');
  });

  it('the words of a quantity print how long a run took', () => {
    expect([elapsed(842), elapsed(42_000), elapsed(252_000), elapsed(3_780_000), elapsed(59_600)]).toEqual([
      '842 ms',
      '42.0 s',
      '4 min 12 s',
      '1 h 03 min',
      '1 min 00 s',
    ]);
  });

  it('the words of a quantity never print some as none or all', () => {
    expect([share(0), share(1), share(0.0001), share(0.99999), share(0.041), share(0.5)]).toEqual([
      '0 %',
      '100 %',
      '< 0.1 %',
      '> 99.9 %',
      '4.1 %',
      '50.0 %',
    ]);
  });

  it('the words of a quantity round bounds away from what they bound', () => {
    expect([shareAtMost(0.0411), shareAtMost(0.041), shareAtMost(0.5)]).toEqual(['4.2 %', '4.1 %', '50.0 %']);
    expect(shareInterval(0, 0.09739)).toBe('0 – 9.8 %');
    expect(shareInterval(0.0279, 1)).toBe('2.7 – 100 %');
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (value) => {
        expect(Number.parseFloat(shareAtMost(value)) / 100).toBeGreaterThanOrEqual(value - 1e-11);
      }),
    );
  });

  it('the words of a quantity print rates, money, sizes and numbers', () => {
    expect([rate(0.848, 's'), rate(0.05, rateUnit([0.05, null]))]).toEqual(['0.848 / s', '3.00 / min']);
    expect([usd(0), usd(0.0123), usd(12.5)]).toEqual(['$0.00', '$0.0123', '$12.50']);
    expect([bytes(999), bytes(412_345), bytes(8_201_932_800)]).toEqual(['999 B', '412 kB', '8.20 GB']);
    expect([count(0), count(999), count(1_234_567)]).toEqual(['0', '999', '1\u202f234\u202f567']);
    expect([plural(1, 'take'), plural(2, 'take'), plural(0, 'take')]).toEqual(['1 take', '2 takes', '0 takes']);
  });

  it('the words of a quantity keep three significant digits and no exponent', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (value) => {
        const text = significant(value);
        expect(text).toMatch(/^\d+(\.\d+)?$/);
        expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(value * 0.00501);
      }),
    );
  });
});
