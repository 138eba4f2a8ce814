import { describe, expect, it } from 'vitest';
import { predictionMargin } from '../../src/statistics/prediction-margin.ts';
import { createRandom } from '../../src/statistics/random.ts';

describe('predictionMargin', () => {
  it('predictionMargin is exceeded by one next value in a hundred', () => {
    const random = createRandom(8);
    // The sum of twelve uniform numbers is all but normal.
    const value = () => Array.from({ length: 12 }, random.uniform).reduce((total, each) => total + each, 0);
    let above = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const found = predictionMargin(Array.from({ length: 8 }, value), 0.99);
      if (found !== null && value() > found.mean + found.margin) above += 1;
    }
    // 200 and four standard deviations of their number.
    expect(Math.abs(above - 200)).toBeLessThan(57);
  });

  it('predictionMargin is 0 of a series that never varies, and null for one value', () => {
    expect(predictionMargin([2, 2, 2], 0.99)).toEqual({ mean: 2, deviation: 0, margin: 0 });
    expect(predictionMargin([2], 0.99)).toBeNull();
    expect(predictionMargin([], 0.99)).toBeNull();
  });
});
