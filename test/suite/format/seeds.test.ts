import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandSeeds, seedsSchema } from '../../../src/suite/format/schema.ts';
import { draws } from '../../test-options.ts';

describe('seeds', () => {
  test('seeds are a list as declared or a range', () => {
    expect(expandSeeds([3, 1, 2])).toEqual([3, 1, 2]);
    expect(expandSeeds({ first: 7, count: 3 })).toEqual([7, 8, 9]);
  });

  test('seeds drawn from a seed are the same on every machine', () => {
    expect(expandSeeds({ random: 4, from: 42 })).toMatchInlineSnapshot(`
      [
        463101218,
        1728348005,
        1798315322,
        505281635,
      ]
    `);
    expect(expandSeeds({ random: 4, from: 43 })).not.toEqual(expandSeeds({ random: 4, from: 42 }));
  });

  test('seeds drawn are distinct, in range, and more of them begin with the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 4_294_967_295 }), (random, from) => {
        const seeds = expandSeeds({ random, from });
        expect(new Set(seeds).size).toBe(random);
        expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2_147_483_648)).toBe(true);
        expect(expandSeeds({ random: random + 1, from }).slice(0, random)).toEqual(seeds);
      }),
      { numRuns: draws(50) },
    );
  });

  test.each([
    [[]],
    [[1, 1]],
    [[-1]],
    [[1.5]],
    [{ first: 1 }],
    [{ first: 1, count: 0 }],
    [{ random: 2, from: 2 ** 32 }],
  ])('the value %j is not a list of seeds', (declared) => {
    expect(seedsSchema.safeParse(declared).success).toBe(false);
  });

  test('seeds end below 2^53', () => {
    expect(seedsSchema.safeParse({ first: Number.MAX_SAFE_INTEGER, count: 1 }).success).toBe(true);
    expect(seedsSchema.safeParse({ first: Number.MAX_SAFE_INTEGER, count: 2 }).success).toBe(false);
  });
});
