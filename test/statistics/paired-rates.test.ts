import { describe, expect, it } from 'vitest';
import { tangoScore } from '../../src/statistics/paired-rates.ts';

describe('tangoScore', () => {
  it('tangoScore is 1.96 at the published interval of the airway study: -0.517 to -0.026 (Fagerland, Lydersen and Laake 2014)', () => {
    const airway = { pairs: 21, candidateOnly: 1, baselineOnly: 7 };
    expect(tangoScore(airway, -0.517).z).toBeCloseTo(1.96, 2);
    expect(tangoScore(airway, -0.026).z).toBeCloseTo(-1.96, 2);
  });

  it('tangoScore at a rise of 0 is the z of McNemar', () => {
    expect(tangoScore({ pairs: 100, candidateOnly: 15, baselineOnly: 5 }, 0).z).toBeCloseTo(10 / Math.sqrt(20), 12);
  });

  it('tangoScore does not exist without pairs, and refuses counts that do not fit', () => {
    expect(() => tangoScore({ pairs: 0, candidateOnly: 0, baselineOnly: 0 }, 0)).toThrow(/pairs/);
    expect(() => tangoScore({ pairs: 3, candidateOnly: 2, baselineOnly: 2 }, 0)).toThrow(/pairs/);
    expect(() => tangoScore({ pairs: 3, candidateOnly: 1, baselineOnly: 1 }, 1)).toThrow(/rise/);
  });
});
