import { z } from 'zod';
import { analysisDocumentSchema } from '../../analysis/analysis.ts';
import { verdictSchema } from '../../gate/verdict.ts';
import { factSchema } from '../../record/fact.ts';
import { journalSchema } from '../../record/journal.ts';
import { baselineSchema, historySchema } from '../../record/kept-run.ts';
import { runSchema } from '../../record/run.ts';
import { scoreLineSchema, voteLineSchema } from '../../record/score.ts';

const PUBLISHED = {
  run: ['Retake run', runSchema],
  journal: ['Retake journal event', journalSchema],
  facts: ['Retake fact', factSchema],
  scores: ['Retake score line', scoreLineSchema],
  votes: ['Retake vote line', voteLineSchema],
  history: ['Retake history line', historySchema],
  baseline: ['Retake baseline', baselineSchema],
  analysis: ['Retake analysis', analysisDocumentSchema],
  verdict: ['Retake verdict', verdictSchema],
} as const;

/** The files of a record as JSON Schemas (draft 2020-12) by name, with named shapes under `$defs`. */
export function publishedSchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(PUBLISHED).map(([name, [title, schema]]) => {
      const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', unrepresentable: 'any' });
      return [name, { $schema, title, description: schema.description, ...rest }];
    }),
  );
}
