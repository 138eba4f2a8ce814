import { z } from 'zod';
import {
  amount,
  choice,
  count,
  metricName,
  part,
  promptId,
  type Recorded,
  sha256,
  shape,
  share,
  variantName,
} from '../kit/declare.ts';
import { differenceSchema } from '../media/difference.ts';
import { DECIDING, LIKENESSES, type Likeness } from '../media/level.ts';
import { kind } from '../plan/trial.ts';
import { CONTROLS } from '../record/codes.ts';
import { scorerLineSchema, unscoredSchema } from '../record/score.ts';

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
          value: z.number().nullable().describe('Null for `size`, like `limit`.'),
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

const preferredFields = {
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
export type VoteSummary = Recorded<typeof voteSummarySchema>;

const scoredVariantSchema = shape(
  'ScoredVariant',
  'What a scorer says of the outputs of a variant. Each take counts; of a judge each pair of outputs.',
  {
    variant: variantName,
    scored: count.describe('Takes whose output has values.'),
    unscored: z
      .array(
        z.strictObject({ why: unscoredSchema.describe('Why.'), takes: z.int().min(1).describe('How many takes.') }),
      )
      .describe('Takes whose output has none, most frequent reason first.'),
    waiting: count.describe('Takes whose output was not scored yet.'),
  },
);

const consistentSchema = part('Whether its answers depend on the order.', {
  alike: count.describe('Pairs that got the same answer in both orders.'),
  of: count.describe('Pairs that were answered in both orders.'),
});

const judgedVariantsSchema = shape(
  'JudgedVariants',
  'What a judge prefers, of the outputs of a variant and of the one that it is compared with.',
  { ...preferredFields, consistent: consistentSchema },
);
export type JudgedVariants = Recorded<typeof judgedVariantsSchema>;

const judgeSummarySchema = shape('JudgeSummary', 'What a judge prefers, and how far it contradicts itself.', {
  variants: z.array(judgedVariantsSchema).describe('In the order of the run.'),
  consistent: consistentSchema.describe('The same of all variants together.'),
  first: z
    .strictObject({
      chosen: count.describe('How often it chose the output that it saw first.'),
      of: count.describe('Answers that name one of the two.'),
      ciLow: share.nullable().describe('Lower end of the 95 % interval of the share; null without an answer.'),
      ciHigh: share.nullable().describe('Upper end.'),
    })
    .describe('Whether it prefers a place.'),
  requests: count.describe('Requests that were sent, of all versions of it.'),
  usd: amount.nullable().describe('What they may have cost, in US dollars; null if a price is unknown.'),
  sameOrigin: z.array(variantName).describe('Variants with the same origin as the judge.'),
});
export type JudgeSummary = Recorded<typeof judgeSummarySchema>;

const controlCountSchema = shape('ControlCount', 'How many copies that are known to be worse a scorer found.', {
  metric: metricName,
  control: z.enum(CONTROLS).describe('What was done to the copies; `other_prompt`: outputs of other prompts.'),
  found: count.describe(
    'How many have a worse value than their output; a judge names it as the worse one in both orders.',
  ),
  of: z.int().min(1).describe('How many there are.'),
});

export const scorerSummarySchema = shape('ScorerSummary', 'A scorer, and what it says of the outputs of a run.', {
  scorer: z.string().describe('Its name.'),
  use: z.enum(['command', 'file', 'judge']).describe('What kind it is.'),
  metrics: z.array(z.string()).describe('The names of its metrics, in declared order.'),
  source: scorerLineSchema.nullable().describe('Its line in scores.jsonl; null if it has scored nothing yet.'),
  variants: z.array(scoredVariantSchema).describe('In the order of the run.'),
  controls: z.array(controlCountSchema).describe('By metric, then by control; empty without a control.'),
  judge: judgeSummarySchema.exactOptional().describe('Of a judge; absent for others.'),
});
export type ScorerSummary = Recorded<typeof scorerSummarySchema>;

const judgeAgreementSchema = shape(
  'JudgeAgreement',
  'How often a judge prefers what people prefer, over the pairs in which votes prefer one side.',
  {
    metric: metricName,
    agree: count.describe('Pairs in which it prefers the same side.'),
    equal: count.describe('Pairs in which it prefers neither.'),
    of: count.describe('Pairs in which it says anything.'),
    without: count.describe('Further pairs in which it says nothing.'),
    ciLow: z
      .number()
      .nullable()
      .describe('Lower end of the 95 % interval (Clopper-Pearson) of `agree` of `of`; null without a pair.'),
    ciHigh: z.number().nullable().describe('Upper end, if it agreed in pairs of `equal` too; null as above.'),
    finding: z
      .enum(['agrees', 'disagrees', 'undecided', 'no_votes'])
      .describe(
        '`agrees`, `disagrees`: the interval is above / below a half. `no_votes`: votes prefer one side in no pair. ' +
          '`undecided`: else.',
      ),
  },
);
export type JudgeAgreement = Recorded<typeof judgeAgreementSchema>;

export const voteAgreementSchema = shape('VoteAgreement', 'How often judges and voters prefer the same output.', {
  judges: z.array(judgeAgreementSchema).min(1).describe('One for each judge, in the order of `scorers`.'),
  voters: part('Two voters who both prefer a side of one pair, in all such pairs.', {
    agree: count.describe('How often they prefer the same side.'),
    of: count.describe('How many such pairs of voters there are.'),
  }),
});
export type VoteAgreement = Recorded<typeof voteAgreementSchema>;
