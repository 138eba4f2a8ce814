import { z } from 'zod';
import { createRandom } from '../../statistics/random.ts';

/** No run sends more seeds; a typing error must not fill memory. */
const MOST_SEEDS = 100_000;

const count = z.int().min(1).max(MOST_SEEDS);

/** A list, a range or a draw of whole numbers from 0 to 2^53 - 1; a target may narrow them. */
export const seedsSchema = z.union([
  z
    .array(z.int().min(0))
    .meta({ examples: [[1, 2, 3]] })
    .min(1)
    .max(MOST_SEEDS)
    .superRefine((seeds, context) => {
      const seen = new Set<number>();
      for (const [index, seed] of seeds.entries()) {
        if (seen.has(seed)) {
          context.addIssue({
            code: 'custom',
            path: [index],
            message: `repeats the seed ${seed}; for more takes of a seed use repeats`,
          });
        }
        seen.add(seed);
      }
    }),
  z
    .strictObject({
      first: z.int().min(0).describe('the first seed'),
      count: count.describe('how many consecutive seeds'),
    })
    .meta({ examples: [{ first: 1, count: 5 }] })
    .refine(({ first, count }) => first <= Number.MAX_SAFE_INTEGER - (count - 1), {
      error: 'must end below 2^53; begin lower',
    }),
  z
    .strictObject({
      random: count.describe('how many, drawn'),
      from: z.int().min(0).max(4_294_967_295).describe('the seed of the draw: the same one draws the same seeds'),
    })
    .meta({ examples: [{ random: 5, from: 42 }] }),
]);

/** Every endpoint known to take seeds accepts those below 2^31. */
const DRAWN_BELOW = 2_147_483_648;

/** Distinct seeds in declared order. A draw is the same on every machine. */
export function expandSeeds(declared: z.output<typeof seedsSchema>): readonly number[] {
  if ('first' in declared) return Array.from({ length: declared.count }, (_, index) => declared.first + index);
  if (!('random' in declared)) return declared;
  const random = createRandom(declared.from);
  const drawn = new Set<number>();
  while (drawn.size < declared.random) drawn.add(random.below(DRAWN_BELOW));
  return [...drawn];
}
