import { z } from 'zod';
import { count, part, type Recorded, shape, variantName } from '../../kit/declare.ts';

/** What somebody prefers, of the outputs of a variant and of the one that it is compared with. */
export const preferredFields = {
  variant: variantName,
  baseline: variantName.describe('The variant that it is compared with.'),
  won: count.describe('Pairs in which the variant is preferred.'),
  lost: count.describe('Pairs in which the other variant is preferred.'),
  neither: count.describe('Pairs without a preference; identical outputs count here.'),
  identical: count.describe('How many of these were identical, so that nobody was asked.'),
  open: count.describe('Pairs without an answer.'),
};

const votedPairSchema = shape('VotedVariants', 'What voters say of a variant and the one that it is compared with.', {
  ...preferredFields,
  voters: count.describe('How many voters answered at least one ballot.'),
  repeated: part('Answers of each voter to pairs that were shown twice, the second time with their sides exchanged.', {
    alike: count.describe('How many are the same as the first answer of the voter.'),
    of: count.describe('How many there are: for each pair, one of each voter who answered it twice.'),
  }),
});
export type VotedVariants = Recorded<typeof votedPairSchema>;

export const voteSummarySchema = shape('VoteSummary', 'Blind votes on pairs of outputs.', {
  scored: z.boolean().describe('Whether the run had scores when the ballots were drawn.'),
  variants: z.array(votedPairSchema).describe('In the order of the run.'),
});
/** Blind votes on pairs of outputs. */
export type VoteSummary = Recorded<typeof voteSummarySchema>;
