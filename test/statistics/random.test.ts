import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/statistics/random.ts';

const seeds = fc.maxSafeInteger();

describe('createRandom', () => {
  it('createRandom keeps its streams for ever: a plan made last year is the plan made today', () => {
    const random = createRandom(7);
    expect([random.below(1000), random.below(1000), random.below(1000), random.uniform()]).toMatchInlineSnapshot(`
      [
        553,
        972,
        598,
        0.9703684229293554,
      ]
    `);
    expect(createRandom(1).shuffle(['a', 'b', 'c', 'd', 'e', 'f'])).toMatchInlineSnapshot(`
      [
        "e",
        "f",
        "b",
        "a",
        "d",
        "c",
      ]
    `);
  });

  it('createRandom gives the same stream for the same seed', () => {
    fc.assert(
      fc.property(seeds, fc.array(fc.integer()), (seed, items) => {
        expect(createRandom(seed).shuffle(items)).toEqual(createRandom(seed).shuffle(items));
      }),
    );
  });

  it('createRandom gives unrelated streams for neighbouring and for far seeds, high bits included', () => {
    const firsts = [-1, 0, 1, 2, 3, 2 ** 32, 2 ** 32 + 1, 2 ** 33, Number.MAX_SAFE_INTEGER].map((seed) =>
      createRandom(seed).uniform(),
    );
    expect(new Set(firsts).size).toBe(firsts.length);
    const picks = Array.from({ length: 600 }, (_, seed) => createRandom(seed).below(6));
    for (let face = 0; face < 6; face += 1) {
      const count = picks.filter((pick) => pick === face).length;
      expect(count).toBeGreaterThan(60);
      expect(count).toBeLessThan(140);
    }
  });

  it('createRandom shuffles into a permutation and leaves its argument alone', () => {
    fc.assert(
      fc.property(seeds, fc.array(fc.integer()), (seed, items) => {
        const before = [...items];
        const shuffled = createRandom(seed).shuffle(items);
        expect(items).toEqual(before);
        expect([...shuffled].sort((a, b) => a - b)).toEqual(before.sort((a, b) => a - b));
      }),
    );
  });

  it('createRandom shuffles numbers in place, and only those asked for', () => {
    fc.assert(
      fc.property(seeds, fc.array(fc.integer(), { minLength: 3 }), (seed, items) => {
        const numbers = Float64Array.from(items);
        createRandom(seed).shuffleInPlace(numbers, 1, items.length - 1);
        expect([numbers[0], numbers.at(-1)]).toEqual([items[0], items.at(-1)]);
        createRandom(seed).shuffleInPlace(numbers);
        expect([...numbers].sort((a, b) => a - b)).toEqual([...items].sort((a, b) => a - b));
      }),
    );
    const random = createRandom(6);
    const counts = new Map<string, number>();
    for (let i = 0; i < 6000; i += 1) {
      const numbers = Float64Array.of(1, 2, 3);
      random.shuffleInPlace(numbers);
      counts.set(numbers.join(), (counts.get(numbers.join()) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    // 1000 each, and four standard deviations.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(116);
  });

  it('createRandom reaches every order about equally often', () => {
    const random = createRandom(42);
    const counts = new Map<string, number>();
    for (let i = 0; i < 24_000; i += 1) {
      const order = random.shuffle(['a', 'b', 'c', 'd']).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    // Chi-squared with 23 degrees of freedom: 49.7 is its 99.9 % quantile.
    let chi = 0;
    for (const count of counts.values()) chi += ((count - 1000) * (count - 1000)) / 1000;
    expect(chi).toBeLessThan(49.7);
  });

  it('createRandom stays in its ranges', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (seed, n) => {
        const random = createRandom(seed);
        const picked = random.below(n);
        expect(Number.isSafeInteger(picked) && picked >= 0 && picked < n).toBe(true);
        const share = random.uniform();
        expect(share >= 0 && share < 1).toBe(true);
      }),
    );
  });

  it('createRandom refuses a seed or a bound that is not a whole number in range', () => {
    expect(() => createRandom(1.5)).toThrow(RangeError);
    expect(() => createRandom(Number.NaN)).toThrow(RangeError);
    expect(() => createRandom(1).below(0)).toThrow(RangeError);
    expect(() => createRandom(1).below(2.5)).toThrow(RangeError);
  });
});
