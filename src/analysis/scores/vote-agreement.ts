import { z } from 'zod';
import { count, metricName, part, type Recorded, shape } from '../../kit/declare.ts';

const scorerAgreementSchema = shape(
  'ScorerAgreement',
  'How often a score prefers what people prefer, over the pairs in which votes prefer one side.',
  {
    metric: metricName,
    agree: count.describe('Pairs in which it prefers the same side.'),
    equal: count.describe('Pairs in which it prefers neither: its values are equal, or it answers so.'),
    of: count.describe('Pairs in which it says anything.'),
    without: count.describe('Further pairs in which it says nothing: a value is missing.'),
    ciLow: z
      .number()
      .nullable()
      .describe('Lower end of the 95 % interval (Clopper-Pearson) of `agree` of `of`; null without a pair.'),
    ciHigh: z.number().nullable().describe('Upper end, of `agree` and `equal` together of `of`; null as above.'),
    finding: z
      .enum(['agrees', 'disagrees', 'undecided', 'no_votes'])
      .describe(
        '`agrees`: the interval is above a half. `disagrees`: it is below a half. `no_votes`: votes prefer one side in ' +
          'no pair.',
      ),
  },
);
export type ScorerAgreement = Recorded<typeof scorerAgreementSchema>;

export const voteAgreementSchema = shape('VoteAgreement', 'How often scores and voters prefer the same output.', {
  scores: z
    .array(scorerAgreementSchema)
    .min(1)
    .describe('One for each score with a direction, in the order of `scorers`.'),
  voters: part('Two voters who both prefer a side of one pair, in all such pairs.', {
    agree: count.describe('How often they prefer the same side.'),
    of: count.describe('How often there are two.'),
  }),
});
/** How often scores and voters prefer the same output. */
export type VoteAgreement = Recorded<typeof voteAgreementSchema>;
