import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestSplit, changePoints } from '../../src/statistics/change-points.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { draws } from '../test-options.ts';

function meanDistance(xs: readonly number[], ys: readonly number[], pairs: number): number {
  return pairs === 0 ? 0 : xs.reduce((total, x) => total + ys.reduce((sum, y) => sum + Math.abs(x - y), 0), 0) / pairs;
}

/** Q by its definition: means of distances of all pairs. */
function energyOf(before: readonly number[], after: readonly number[]): number {
  const [n, m] = [before.length, after.length];
  const between = meanDistance(before, after, n * m);
  return (
    ((n * m) / (n + m)) *
    (2 * between - meanDistance(before, before, n * (n - 1)) - meanDistance(after, after, m * (m - 1)))
  );
}

/** Every split up to every end, each by the definition. */
function bruteForce(series: readonly number[], fewest: number): number {
  let best = 0;
  for (let end = 2 * fewest; end <= series.length; end += 1) {
    for (let split = fewest; split <= end - fewest; split += 1) {
      best = Math.max(best, energyOf(series.slice(0, split), series.slice(split, end)));
    }
  }
  return best;
}

function noise(n: number, seed: number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: n }, () => random.uniform() + random.uniform() + random.uniform() - 1.5);
}

describe('changePoints', () => {
  it('changePoints splits where the definition, tried at every place, is largest', () => {
    const series = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 14 });
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 3 }), (values, fewest) => {
        const { index, statistic } = bestSplit(Float64Array.from(values), 0, values.length, fewest);
        const best = bruteForce(values, fewest);
        expect(statistic).toBeCloseTo(best, 9);
        if (best < 1e-9) return;
        // At the place named some end reaches it.
        const ends = values.map((_, at) => at + 1).filter((end) => end >= index + fewest);
        const there = ends.map((end) => energyOf(values.slice(0, index), values.slice(index, end)));
        expect(Math.max(...there)).toBeCloseTo(best, 9);
      }),
      { numRuns: draws(500) },
    );
  });

  it('changePoints finds each step of a series of steps', () => {
    const steps = noise(60, 1).map((each, at) => each + (at < 20 ? 0 : at < 45 ? 4 : -3));
    expect(changePoints(steps, { alpha: 0.01 }).map(({ index }) => index)).toEqual([20, 45]);
  });

  it('changePoints finds a change that lasts for two values, and p tells how sure it is', () => {
    const spell = noise(40, 2).map((each, at) => each / 10 + (at >= 38 ? 5 : 0));
    const [found] = changePoints(spell, { alpha: 0.05 });
    expect(found?.index).toBe(38);
    expect(found?.p).toBeLessThan(0.05);
  });

  it('changePoints finds a change of spread alone', () => {
    const wider = noise(200, 3).map((each, at) => each * (at < 100 ? 1 : 8));
    const [found] = changePoints(wider, { alpha: 0.01, fewest: 10 });
    expect(Math.abs((found?.index ?? 0) - 100)).toBeLessThan(15);
  });

  it('changePoints finds a change in at most 5 of 100 series without one, but for chance', () => {
    const runs = 200;
    const found = Array.from({ length: runs }, (_, run) =>
      changePoints(noise(24, 100 + run), { alpha: 0.05, permutations: 199 }),
    );
    // 5 % of 200 and three standard deviations of their number.
    expect(found.filter((points) => points.length > 0).length).toBeLessThan(20);
  });

  it('changePoints finds none in a constant series, nor in one too short', () => {
    for (const n of [0, 1, 2, 3, 30]) expect(changePoints(Array<number>(n).fill(0.1), { alpha: 0.05 })).toEqual([]);
    expect(changePoints([1, 9, 9], { alpha: 1 })).toEqual([]);
  });

  it('changePoints is certain of a clean step of whatever length', () => {
    for (const half of [6, 10, 40]) {
      const step = [...Array<number>(half).fill(0), ...Array<number>(half).fill(1)];
      expect(changePoints(step, { alpha: 0.05 }).map(({ index }) => index)).toEqual([half]);
    }
  });

  it('changePoints counts shufflings that are as good as the series: 2 of 84 here, the order itself and its reverse', () => {
    const [found] = changePoints([0.1, 0.1, 0.1, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4], { alpha: 0.05, permutations: 9999 });
    expect(found?.index).toBe(3);
    expect(Math.abs((found?.p ?? 0) - 2 / 84)).toBeLessThan(0.006);
  });

  it('changePoints does not look at unit or origin, nor at the sign', () => {
    const steps = noise(30, 4).map((each, at) => each + (at < 12 ? 0 : 3));
    const found = changePoints(steps, { alpha: 0.01 }).map(({ index }) => index);
    expect(found).toEqual([12]);
    for (const other of [steps.map((each) => 1000 + 7 * each), steps.map((each) => -each)]) {
      expect(changePoints(other, { alpha: 0.01 }).map(({ index }) => index)).toEqual(found);
    }
  });

  it('changePoints refuses what is not finite', () => {
    expect(() => changePoints([1, Infinity], { alpha: 0.05 })).toThrow(/finite/);
  });
});
