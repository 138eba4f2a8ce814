import { z } from 'zod';
import { choice, count, part, promptId, type Recorded, sha256, shape, variantName } from '../../kit/declare.ts';
import { VOTE_CHOICES } from './vote-choices.ts';

/** 128 random bits: it says nothing of what it names. */
const randomId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits');

const ballotSideSchema = shape('BallotSide', 'One side of a ballot.', {
  variant: variantName,
  sha256: sha256.describe('The output: the name of its file in media/.'),
});

export const voteLineSchema = choice(
  'VoteLine',
  'One line of votes.jsonl: a ballot, or a vote on it. Ballots are drawn once, before the first vote.',
  'line',
  [
    part('A pair of outputs of one prompt and seed that voters see without names.', {
      line: z.literal('ballot'),
      ballot: randomId.describe('Its id: 128 random bits.'),
      prompt: promptId,
      seed: count.nullable().describe('The seed; null if requests have none.'),
      block: z.string().describe('The block (prompt, seed and repeat) that both outputs belong to.'),
      left: ballotSideSchema.describe('What is shown on the left.'),
      right: ballotSideSchema.describe('What is shown on the right.'),
      mirrors: randomId
        .nullable()
        .describe('The ballot that this one shows again with its sides exchanged; null for the first of a pair.'),
      scored: z.boolean().describe('Whether the run had scores when it was drawn.'),
    }),
    part('A vote.', {
      line: z.literal('vote'),
      ballot: randomId.describe('The id of its ballot.'),
      choice: z.enum(VOTE_CHOICES).describe('Which side is better; `neither`: equally good; `skip`: no answer.'),
      voter: randomId.describe('128 random bits that the page of the voter made: nothing else is kept of a voter.'),
    }),
  ],
);
/** A line of votes.jsonl. */
export type VoteLine = Recorded<typeof voteLineSchema>;
export type Ballot = Extract<VoteLine, { readonly line: 'ballot' }>;
export type Vote = Extract<VoteLine, { readonly line: 'vote' }>;
