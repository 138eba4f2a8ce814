import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationAxis, linearAxis, ratioAxis } from '../../../src/page/drawing/axis.ts';

const durations = fc.array(fc.double({ min: 0.01, max: 5e6, noNaN: true }), { minLength: 1, maxLength: 40 });

/** Not at an edge, where values beyond it stand. */
const isWithin = (place: number): boolean => place > 0 && place < 1;

describe('axes of durations', () => {
  it('axes of durations end with values of any size, and so do axes of ratios', () => {
    const any = fc.array(fc.double(), { maxLength: 10 });
    fc.assert(
      fc.property(any, (values) => {
        const axes = [durationAxis(values), ratioAxis(values), ...values.map((value) => linearAxis(value))];
        for (const { ticks } of axes) expect(ticks.length).toBeLessThan(100);
      }),
    );
  });

  it('axes of durations hold every value, with ticks in order, within, and each with words of its own', () => {
    fc.assert(
      fc.property(durations, fc.integer({ min: 2, max: 10 }), (values, most) => {
        const axis = durationAxis(values, most);
        for (const value of values) expect(isWithin(axis.place(value))).toBe(true);
        for (const tick of axis.ticks.slice(1)) expect(isWithin(axis.place(tick))).toBe(true);
        expect(axis.ticks).toEqual([...axis.ticks].sort((a, b) => a - b));
        expect(new Set(axis.ticks.map(axis.format)).size).toBe(axis.ticks.length);
        expect(axis.ticks.length).toBeLessThanOrEqual(14);
      }),
    );
  });

  it('axes of durations begin at zero and count in steps of 1, 2 or 5 where values lie close', () => {
    const axis = durationAxis([900, 2100, 4800]);
    expect(axis.type).toBe('linear');
    expect(axis.ticks.map(axis.format)).toEqual(['0 s', '1 s', '2 s', '3 s', '4 s']);
  });

  it('axes of durations are logarithmic where values lie far apart', () => {
    const axis = durationAxis([300, 5000]);
    expect(axis.type).toBe('log');
    expect(axis.ticks.map(axis.format)).toEqual(['0.5 s', '1 s', '2 s', '5 s']);
    expect(axis.place(2000) - axis.place(1000)).toBeCloseTo(axis.place(1000) - axis.place(500), 10);
  });

  it('axes of durations keep to decades over a wide range', () => {
    const axis = durationAxis([0.8, 120_000]);
    expect(axis.ticks.map(axis.format)).toEqual(['0.001 s', '0.01 s', '0.1 s', '1 s', '10 s', '100 s']);
  });

  it('axes of durations speak of minutes and hours in long runs', () => {
    const [minutes, hours] = [linearAxis(20 * 60_000, 4), linearAxis(9 * 3_600_000, 4)];
    expect(minutes.ticks.map(minutes.format)).toEqual(['0 min', '5 min', '10 min', '15 min', '20 min']);
    expect(hours.ticks.map(hours.format)).toEqual(['0 h', '5 h']);
  });

  it('axes of durations are drawn where there is nothing to show', () => {
    expect(durationAxis([]).ticks).toContain(0);
  });
});
