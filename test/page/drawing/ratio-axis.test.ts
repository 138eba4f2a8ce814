import { describe, expect, it } from 'vitest';
import { ratioAxis } from '../../../src/page/drawing/axis.ts';

describe('ratioAxis', () => {
  it.each([[[0.98, 1.01]], [[0.14, 0.35]], [[1.2, 1.3]], [[0.001, 900]], [[2e-9, 3e9]], [[]]])(
    'ratioAxis holds %j and 1, with a few ticks, 1 among them',
    (ratios: readonly number[]) => {
      const axis = ratioAxis(ratios, 8);
      for (const ratio of [...ratios, 1]) {
        expect(axis.place(ratio)).toBeGreaterThan(0);
        expect(axis.place(ratio)).toBeLessThan(1);
      }
      expect(axis.ticks.length).toBeGreaterThan(0);
      expect(axis.ticks.length).toBeLessThanOrEqual(8);
      expect(axis.ticks).toContain(1);
      for (const tick of axis.ticks) expect(axis.place(tick)).toBeGreaterThanOrEqual(0);
    },
  );

  it.each([5, 9])('ratioAxis keeps ticks apart, so that their words do not overlap: at most %i ticks', (most) => {
    for (const high of [1.1, 1.3, 1.6, 2.5, 6]) {
      const { ticks, place } = ratioAxis([0.11, high], most);
      const gaps = ticks.slice(1).map((tick, at) => place(tick) - place(ticks[at] ?? 1));
      expect(Math.min(...gaps)).toBeGreaterThan(0.5 / most);
      expect(ticks).toContain(1);
    }
  });

  it('ratioAxis puts a half and a double at the same distance from 1', () => {
    const { place } = ratioAxis([0.5, 2]);
    expect(place(1) - place(0.5)).toBeCloseTo(place(2) - place(1), 12);
  });

  it('ratioAxis writes ticks as multiples', () => {
    const { ticks, format } = ratioAxis([0.5, 2]);
    expect(ticks.map(format)).toContain('0.5x');
  });
});
