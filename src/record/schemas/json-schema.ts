import { z } from 'zod';
import { baselineSchema } from './baseline-schema.ts';
import { factSchema } from './fact-schema.ts';
import { historySchema } from './history-schema.ts';
import { journalSchema } from './journal-schema.ts';
import { runSchema } from './run-schema.ts';

/** A schema as JSON Schema (draft 2020-12), each named type once under `$defs`. */
export function jsonSchemaOf(schema: z.ZodType, title: string, description: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', unrepresentable: 'any' });
  return { $schema, title, description, ...rest };
}

/** The JSON Schema of run.json; suites/run.schema.json holds it. */
export function runJsonSchema(): object {
  return jsonSchemaOf(runSchema, 'Retake run', 'run.json: everything about a run that was known before it began.');
}

/** The JSON Schema of a line of journal.jsonl; suites/journal.schema.json holds it. */
export function journalJsonSchema(): object {
  return jsonSchemaOf(journalSchema, 'Retake journal event', 'One line of journal.jsonl: something that happened.');
}

/** The JSON Schema of a line of facts.jsonl; suites/facts.schema.json holds it. */
export function factsJsonSchema(): object {
  return jsonSchemaOf(
    factSchema,
    'Retake fact',
    "One line of facts.jsonl: what an output's bytes are, or how two outputs differ.",
  );
}

/** The JSON Schema of baseline.json; suites/baseline.schema.json holds it. */
export function baselineJsonSchema(): object {
  return jsonSchemaOf(baselineSchema, 'Retake baseline', 'baseline.json: what later runs of a suite are held against.');
}

/** The JSON Schema of a line of history.jsonl; suites/history.schema.json holds it. */
export function historyJsonSchema(): object {
  return jsonSchemaOf(
    historySchema,
    'Retake history line',
    'One line of history.jsonl: what later runs of a suite read of a run.',
  );
}
