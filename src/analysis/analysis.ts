import { z } from 'zod';
import { type Recorded, shape } from '../kit/declare.ts';
import { promptSchema } from '../record/run.ts';
import { claimStateSchema } from './claim-state.ts';
import { comparisonSchema } from './comparison.ts';
import { likenessSchema, scorerSummarySchema, voteAgreementSchema, voteSummarySchema } from './output-summaries.ts';
import { probeFindingSchema } from './probe.ts';
import {
  cellSchema,
  failureSchema,
  flaggedSchema,
  measuredMetricSchema,
  measureSchema,
  runSummarySchema,
  variantSummarySchema,
} from './summaries.ts';
import { warningSchema } from './warning.ts';

export const analysisSchema = shape('Analysis', 'analysis.json but for its comparisons.', {
  format: z.literal(1).describe('The version of the file.'),
  run: runSummarySchema.describe('The run.'),
  variants: z.array(variantSummarySchema).describe('The variants and what became of their trials.'),
  prompts: z.array(promptSchema).describe('The prompts.'),
  metrics: z.array(measuredMetricSchema).describe('The metrics that were measured.'),
  measures: z.array(measureSchema).describe('As in measures.csv.'),
  cells: z
    .array(cellSchema)
    .describe('One for each variant x prompt x seed of the plan, in this order, and the fresh seeds of open load.'),
  likeness: z
    .array(likenessSchema)
    .describe('One for each cell of a variant that is compared with another, in the order of `cells`.'),
  scorers: z
    .array(scorerSummarySchema)
    .min(1)
    .exactOptional()
    .describe('What scorers say of the outputs; absent without one.'),
  votes: voteSummarySchema.exactOptional().describe('What people say of pairs of outputs; absent without ballots.'),
  agreement: voteAgreementSchema
    .exactOptional()
    .describe('How often judges prefer what people prefer; absent without ballots, and without a judge.'),
  claims: z
    .array(claimStateSchema)
    .min(1)
    .exactOptional()
    .describe('What the pairs say of each claim, in the order of the suite; absent without one.'),
  failures: z.array(failureSchema).describe('Failures, grouped by variant, outcome, code and status.'),
  flagged: z.array(flaggedSchema).describe('One for each variant, or step of it, that has flagged samples.'),
  probes: z
    .array(probeFindingSchema)
    .describe('What probes found, by variant, then by question; empty without probes.'),
  warnings: z.array(warningSchema).describe('The most serious first.'),
});
/** analysis.json without the comparisons. */
export type Analysis = Recorded<typeof analysisSchema>;

export const analysisDocumentSchema = analysisSchema
  .extend({ comparisons: z.array(comparisonSchema).describe('As in comparisons.csv.') })
  .meta({ id: 'AnalysisDocument', description: 'analysis.json: everything the reports say of a run.' });
export type AnalysisDocument = Recorded<typeof analysisDocumentSchema>;
