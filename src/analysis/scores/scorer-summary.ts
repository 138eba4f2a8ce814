import { z } from 'zod';
import { CONTROLS } from '../../record/model/controls.ts';
import { scorerLineSchema, unscoredSchema } from '../../record/model/score.ts';
import { count, metricName, type Recorded, shape, variantName } from '../../shape/declare.ts';

const scoredVariantSchema = shape(
  'ScoredVariant',
  'What a scorer says of the outputs of a variant. Each take counts.',
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

const controlCountSchema = shape('ControlCount', 'How many copies that are known to be worse a scorer found.', {
  metric: metricName,
  control: z.enum(CONTROLS).describe('What was done to the copies; `other_prompt`: outputs of other prompts.'),
  found: count.describe('How many have a worse value than their output.'),
  of: z.int().min(1).describe('How many there are.'),
});

export const scorerSummarySchema = shape('ScorerSummary', 'A scorer, and what it says of the outputs of a run.', {
  scorer: z.string().describe('Its name.'),
  use: z
    .enum(['command', 'file', 'seed_diversity'])
    .describe('`seed_diversity` is computed from facts: it has no line in scores.jsonl and counts no outputs.'),
  metrics: z.array(z.string()).describe('The names of its metrics, in declared order.'),
  source: scorerLineSchema.nullable().describe('Its line in scores.jsonl; null if it has scored nothing yet.'),
  variants: z.array(scoredVariantSchema).describe('In the order of the run.'),
  controls: z.array(controlCountSchema).describe('By metric, then by control; empty without a control.'),
});
/** A scorer, and what it says of the outputs of a run. */
export type ScorerSummary = Recorded<typeof scorerSummarySchema>;
