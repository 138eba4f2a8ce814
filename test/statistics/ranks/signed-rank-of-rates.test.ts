import { describe, expect, it } from 'vitest';
import { signedRankOfRates } from '../../../src/statistics/ranks/signed-rank-of-rates.ts';

function round(candidate: number, baseline: number, trials: number) {
  return { candidate: { events: candidate, trials }, baseline: { events: baseline, trials } };
}

describe('signedRankOfRates', () => {
  it('signedRankOfRates ties rises that are equal but for the last bit of a division', () => {
    // In doubles 3/10 - 2/10 is below 1/10.
    const rounds = [round(3, 2, 10), round(1, 0, 10), round(0, 1, 10), round(2, 3, 10)];
    expect(3 / 10 - 2 / 10).not.toBe(1 / 10);
    expect(signedRankOfRates(rounds, 'greater')).toMatchObject({ n: 4, rankSum: 5, p: 11 / 16 });
  });

  it('signedRankOfRates drops a round whose rise is exactly the one tested', () => {
    expect(signedRankOfRates([round(3, 2, 10), round(5, 0, 10)], 'greater', 0.1).n).toBe(1);
  });

  it('signedRankOfRates finds a rise that every round shows, above what is allowed', () => {
    const rounds = Array.from({ length: 8 }, (_, at) => round(3 + (at % 2), 1, 10));
    expect(signedRankOfRates(rounds, 'greater', 0.05).p).toBe(1 / 256);
    expect(signedRankOfRates(rounds, 'less', 0.5).p).toBe(1 / 256);
  });

  it('signedRankOfRates leaves out rounds in which one side has no trial', () => {
    const one = { candidate: { events: 0, trials: 0 }, baseline: { events: 0, trials: 9 } };
    expect(signedRankOfRates([one], 'greater')).toEqual({ n: 0, rankSum: 0, p: 1, method: 'exact' });
  });
});
