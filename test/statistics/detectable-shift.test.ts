import { describe, expect, it } from 'vitest';
import { detectableShift } from '../../src/statistics/detectable-shift.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { signedRankTest } from '../../src/statistics/signed-rank.ts';
import { drawNormal } from '../fixtures/simulated-service.ts';

/** How many of some samples the shipped test finds. */
function power(n: number, alpha: number, shift: number, samples: number): number {
  const random = createRandom(99);
  let found = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    const differences = Array.from({ length: n }, () => shift + drawNormal(random));
    if ((signedRankTest(differences).greater(0) ?? 1) <= alpha) found += 1;
  }
  return found / samples;
}

describe('detectableShift', () => {
  it('detectableShift is found in 80 of 100 runs: more by a twentieth is found more often, less by a twentieth less often', () => {
    for (const [n, alpha] of [
      [5, 0.05],
      [9, 0.05 / 20],
      [12, 0.05],
      [35, 0.05 / 20],
      [60, 0.05],
      [60, 0.05 / 20],
      [200, 0.05 / 20],
    ] as const) {
      const shift = detectableShift(n, alpha, 0.8) ?? Number.NaN;
      const about = `${n} differences at ${alpha}, shift ${shift}`;
      expect(power(n, alpha, 1.05 * shift, 600), about).toBeGreaterThan(0.8);
      expect(power(n, alpha, 0.95 * shift, 600), about).toBeLessThan(0.8);
    }
  });

  it('detectableShift of 12 cell pairs with a CV of 15 % and one comparison is a slowdown of 13 %', () => {
    const shift = detectableShift(12, 0.05, 0.8) ?? Number.NaN;
    expect(Math.exp(0.15 * shift)).toBeCloseTo(1.13, 2);
  });

  it('detectableShift does not exist where so few units cannot reject', () => {
    expect(detectableShift(0, 0.05, 0.8)).toBeNull();
    expect(detectableShift(4, 0.05, 0.8)).toBeNull();
    expect(detectableShift(8, 0.05 / 20, 0.8)).toBeNull();
    expect(detectableShift(9, 0.05 / 20, 0.8)).not.toBeNull();
  });

  it('detectableShift falls with more units and rises with more power, across the change of method', () => {
    const of = (n: number, share = 0.8) => detectableShift(n, 0.05, share) ?? Number.NaN;
    const falling = [5, 8, 12, 20, 35, 49, 60, 100].map((n) => of(n));
    expect(falling).toEqual([...falling].sort((a, b) => b - a));
    expect(of(20, 0.9)).toBeGreaterThan(of(20, 0.8));
  });
});
