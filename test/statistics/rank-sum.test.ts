import { expect, it } from 'vitest';
import { rankSumP } from '../../src/statistics/rank-sum.ts';

// SciPy 1.17.1: mannwhitneyu(one, other, alternative='two-sided', method='asymptotic', use_continuity=True).pvalue
it.each([
  [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 0.012185780355344813],
  [[0, 0, 1, 0, -1, 0], [0, 1, 1, 0, 1, 1], 0.09052124460534798],
  [[0.1, 0.5, 0.2, 0.9, 0.7, 0.3, 0.4], [0.15, 0.25, 0.95, 0.65, 0.35], 1],
  [[3, 3, 3], [3, 3, 4], 0.5049850750938458],
  [[-1.5, 2, 0, 0.25, 8, 13, 21, -4], [5, 5, 5, 6, 7, 9, 30, 31, 32], 0.07433554192249581],
  [[2, 2], [2, 2, 2], 1],
  [[], [1], 1],
])('the rank sum of %j and %j has the p of SciPy', (one, other, p) => {
  expect(rankSumP(one, other)).toBeCloseTo(p, 10);
});
