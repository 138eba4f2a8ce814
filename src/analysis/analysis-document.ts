import { z } from 'zod';
import type { Recorded } from '../kit/declare.ts';
import { analysisSchema } from './analysis.ts';
import { comparisonSchema } from './comparison.ts';

export const analysisDocumentSchema = analysisSchema
  .extend({ comparisons: z.array(comparisonSchema).describe('As in comparisons.csv.') })
  .meta({ id: 'AnalysisDocument', description: 'analysis.json: everything the reports say of a run.' });
export type AnalysisDocument = Recorded<typeof analysisDocumentSchema>;
