import { z } from 'zod';
import { amount, count, metricName, part, type Recorded, shape, share, variantName } from '../../kit/declare.ts';
import { CONTROLS } from '../../record/codes.ts';
import { scorerLineSchema, unscoredSchema } from '../../record/score.ts';
import { preferredFields } from './vote-summary.ts';

const scoredVariantSchema = shape(
  'ScoredVariant',
  'What a scorer says of the outputs of a variant. Each take counts; of a judge each pair of outputs.',
  {
    variant: variantName,
    scored: count.describe('Takes whose output has values.'),
    unscored: z
      .array(
        z.strictObject({
          why: unscoredSchema.describe('Why.'),
          takes: z.int().min(1).describe('How many takes.'),
        }),
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
/** A scorer, and what it says of the outputs of a run. */
export type ScorerSummary = Recorded<typeof scorerSummarySchema>;
