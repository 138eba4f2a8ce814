import { describe, expect, it } from 'vitest';
import { NIGHTLY } from '../../test-options.ts';
import { simulateHistory } from '../../tools/simulation/history.ts';

/* A sample of `npm run simulate -- history`: seeded, so that it gives the same on every machine. Bounds are generous. */

const SERVICES = NIGHTLY ? 40 : 12;

describe('simulated nights', () => {
  it('nights that vary by 3 %: +15 % is found by the tenth in three of four series, and a year has hardly an alarm', () => {
    const { rules, changes } = simulateHistory(0.03, SERVICES);
    const tenPercent = rules.get(0.1);
    expect(tenPercent?.yearsWithAlarm).toBeLessThanOrEqual(0.1 * SERVICES);
    expect(tenPercent?.failedEarly).toBe(0);
    expect(tenPercent?.passedBeyond).toBe(0);
    expect(tenPercent?.nightsPassed).toBeGreaterThan(0.97 * (tenPercent?.nightsDecided ?? Infinity));
    for (const { found, passed } of tenPercent?.planned.values() ?? []) {
      expect(found).toBeGreaterThan(0.65 * SERVICES);
      expect(passed).toBeGreaterThan(0.65 * SERVICES);
    }
    expect(tenPercent?.foundBy.tenth).toBeGreaterThan(0.6 * SERVICES);
    expect(changes.yearsWithChange).toBeLessThanOrEqual(0.1 * SERVICES);
    expect(changes.after12.ninth).toBeGreaterThan(0.8 * SERVICES);
    expect(changes.after30.beside).toBeGreaterThan(0.95 * SERVICES);
  });
});
