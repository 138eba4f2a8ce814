import { z } from 'zod';
import { count, part, type Recorded, shape } from '../kit/declare.ts';

const evidence = z.number().min(0);

export const claimStateSchema = shape('ClaimState', 'What the pairs of takes say of a claim, until it was decided.', {
  index: count.describe("The claim's place among the rules, from 0."),
  decided: z.enum(['supported', 'refuted']).nullable().describe('Null: not decided.'),
  isOver: z.boolean().describe('Whether no further pair counts.'),
  pairs: count.describe('The pairs that counted.'),
  steps: z
    .array(
      part('The evidence after so many pairs: 1 at first, and 20 decides a claim that is alone.', {
        pairs: count.describe('So many.'),
        support: evidence.describe('For the claim.'),
        refute: evidence.describe('Against it.'),
      }),
    )
    .describe('After each pair, or each group of pairs that were sent together.'),
  estimate: z
    .number()
    .nullable()
    .describe(
      'The median of the ratios, or the mean of the differences of failures; null without a pair that has one.',
    ),
  changed: z
    .boolean()
    .describe(
      'Whether the first half of the pairs differs from the last (rank sum, p < 0.01): then nothing is claimed.',
    ),
});
export type ClaimState = Recorded<typeof claimStateSchema>;
