import { describe, expect, it } from 'vitest';
import { furtherPairs } from '../../src/statistics/rise-test.ts';
import { simulateFurther, UNDECIDED_VOTES } from '../tools/simulation/votes.ts';

/* A sample of `npm run simulate -- votes`: seeded, so that it gives the same on every machine. */

const RUNS = 400;

describe('furtherPairs', () => {
  it.each(UNDECIDED_VOTES.slice(0, 4))(
    'so many further pairs tell two sides apart 4 times in 5: $pairs pairs, $candidateOnly : $baselineOnly',
    (votes) => {
      const told = simulateFurther(votes, RUNS).told / RUNS;
      expect(told).toBeGreaterThan(0.74);
      expect(told).toBeLessThan(0.86);
    },
  );

  it('furtherPairs names more for more power, the same for either side, and none without a net', () => {
    const [votes, mirrored] = [
      [14, 8],
      [8, 14],
    ].map(([candidateOnly = 0, baselineOnly = 0]) => ({ pairs: 30, candidateOnly, baselineOnly }));
    if (votes === undefined || mirrored === undefined) throw new Error('two sides');
    expect(furtherPairs(votes, 0.8, 1000)).toBeGreaterThan(2 * (furtherPairs(votes, 0.5, 1000) ?? Infinity));
    expect(furtherPairs(mirrored, 0.8, 1000)).toBe(furtherPairs(votes, 0.8, 1000));
    expect(furtherPairs({ ...votes, baselineOnly: 14 }, 0.8, 1000)).toBeNull();
    expect(furtherPairs({ ...votes, baselineOnly: 13 }, 0.8, 1000)).toBeNull();
  });
});
