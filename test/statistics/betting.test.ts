import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBet } from '../../src/statistics/betting.ts';

function evidence(values: readonly number[], mean: number): number {
  const bet = createBet(mean);
  for (const value of values) bet.add(value);
  return bet.e();
}

describe('a bet', () => {
  // python3: stakes = [i / 20 / (1 + m) for i in range(1, 20)]
  //   sum(math.prod(1 + s * (x - m) for x in values) for s in stakes) / 19
  it.each([
    [Array(6).fill(1), 0, 17.427999843749998],
    [Array(7).fill(1), 0, 30.254576484374997],
    [[1, -1, 0.5, 0, 1, 1, -1, 1], 0, 1.1554634765625],
    [[...Array(100).fill(0), 1, -1], -0.02, 1.6966608274285864],
    [[1, 0, 0, -1], 0.05, 0.6344329270597129],
  ])('a bet on %j against a mean of %d has the mean of what its stakes won', (values, mean, e) => {
    expect(evidence(values, mean)).toBeCloseTo(e, 12);
  });

  it('a bet is worth 1 on the mean of all series of a fair coin, so that luck alone gains nothing', () => {
    const n = 8;
    const series = Array.from({ length: 2 ** n }, (_, bits) =>
      Array.from({ length: n }, (_each, at) => (((bits >> at) & 1) === 1 ? 1 : -1)),
    );
    const mean = series.reduce((sum, values) => sum + evidence(values, 0), 0) / series.length;
    expect(mean).toBeCloseTo(1, 12);
  });

  it('a bet never falls below 0, whatever the mean and the values, and says the same in every order', () => {
    const value = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 30 }),
        fc.double({ min: -0.9, max: 0.9, noNaN: true }),
        (values, mean) => {
          const e = evidence(values, mean);
          expect(e).toBeGreaterThan(0);
          expect(evidence(values.toReversed(), mean) / e).toBeCloseTo(1, 9);
        },
      ),
    );
  });
});
