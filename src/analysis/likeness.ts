import { z } from 'zod';
import { choice, count, part, promptId, type Recorded, sha256, variantName } from '../kit/declare.ts';
import { differenceSchema } from '../media/difference.ts';
import { DECIDING, LIKENESSES, type Likeness } from '../media/level.ts';
import { kind } from '../plan/trial.ts';

/** Why two cells have no likeness. */
const UNLIKENESS = [
  'baseline_missing',
  'candidate_missing',
  'both_missing',
  'not_compared',
  'baseline_varies',
  'candidate_varies',
  'seed_unused',
] as const;

const cellPair = {
  variant: variantName,
  baseline: z
    .string()
    .describe('What it is compared with: the baseline variant of its kind, or its twin of the stored baseline.'),
  kind,
  prompt: promptId,
  seed: count.describe('The seed.'),
};

const usual = sha256.describe('Of its usual output: the most frequent, of equally many that of the first take.');

export const likenessSchema = choice(
  'CellLikeness',
  'How like the usual output of a cell is to that of the variant it is compared with. It says nothing of quality.',
  'word',
  [
    part('The two were compared.', {
      ...cellPair,
      word: z
        .enum(LIKENESSES)
        .describe(
          '`similar`: at the level `similar` or better; `another`: another picture; `changed`: between the two.',
        ),
      output: usual,
      baselineOutput: usual,
      decidedBy: z
        .strictObject({
          measure: z.enum(DECIDING),
          value: z.number().nullable().describe('Null for `size`, as its limit.'),
          limit: z.number().nullable().describe('Beyond it they are not `similar`, or they are `another`.'),
        })
        .nullable()
        .describe('The measure that made them `changed` or `another`, and its limit; null for `similar`.'),
      difference: differenceSchema.nullable().describe('How they differ; null if their pixels are equal.'),
      sharpness: z
        .number()
        .nullable()
        .describe('The ratio of their `signal.sharpness`, candidate / baseline; null without one.'),
      repeatSsim: z
        .number()
        .nullable()
        .describe("The lowest SSIM among the baseline's repeats, 1 if they are equal; null with fewer than two."),
      otherSeed: z
        .strictObject({
          ssim: z.number().nullable().describe('Null where sizes differ.'),
          pdqDistance: z.number().nullable().describe('Null if the quality of either is below 50.'),
        })
        .nullable()
        .describe("Between the baseline's outputs for the two lowest seeds of the prompt; null with one seed."),
    }),
    part('They have no likeness.', {
      ...cellPair,
      word: z.literal('unknown'),
      why: z
        .enum(UNLIKENESS)
        .describe(
          '`..._missing`: nothing was delivered, or nothing that shows anything. `not_compared`: their media are gone, ' +
            'or could not be compared. `..._varies`: its repeats are not visually similar. `seed_unused`: one of them ' +
            'ignores seeds, or is not sent any.',
        ),
      output: usual.nullable(),
      baselineOutput: usual.nullable(),
    }),
  ],
);
export type CellLikeness = Recorded<typeof likenessSchema>;

export type ComparedCells = Extract<CellLikeness, { readonly word: Likeness }>;
