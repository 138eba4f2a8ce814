import { z } from 'zod';
import type { Analysis } from '../analysis/analysis.ts';
import { analysisSchema } from '../analysis/analysis-schema.ts';
import { schemaOf } from '../record/schemas/exact-schema.ts';
import { jsonSchemaOf } from '../record/schemas/json-schema.ts';
import type { Comparison } from './comparison.ts';
import { comparisonSchema } from './comparison-schema.ts';

/** analysis.json: the analysis with what was compared. */
export interface AnalysisDocument extends Analysis {
  readonly comparisons: readonly Comparison[];
}

export const analysisDocumentSchema = schemaOf<AnalysisDocument>('AnalysisDocument')(
  analysisSchema.extend({ comparisons: z.array(comparisonSchema) }),
);

/** The JSON Schema of analysis.json; suites/analysis.schema.json holds it. */
export function analysisJsonSchema(): object {
  return jsonSchemaOf(analysisDocumentSchema, 'Retake analysis', 'analysis.json: everything the reports say of a run.');
}
