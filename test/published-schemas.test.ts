import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { analysisJsonSchema } from '../src/compare/analysis-document.ts';
import { verdictJsonSchema } from '../src/compare/gate/verdict-schema.ts';
import {
  baselineJsonSchema,
  factsJsonSchema,
  historyJsonSchema,
  journalJsonSchema,
  runJsonSchema,
} from '../src/record/schemas/json-schema.ts';
import { suiteJsonSchema } from '../src/suite/format/schema.ts';
import { targetJsonSchema } from '../src/targets/format/schema.ts';

/** `npm run schemas` writes these files; a plain run of the test compares them. */
const SCHEMAS = {
  suite: suiteJsonSchema,
  target: targetJsonSchema,
  run: runJsonSchema,
  journal: journalJsonSchema,
  facts: factsJsonSchema,
  history: historyJsonSchema,
  baseline: baselineJsonSchema,
  analysis: analysisJsonSchema,
  verdict: verdictJsonSchema,
};

test.each(Object.entries(SCHEMAS))('suites/%s.schema.json is what the code says', async (name, schemaOf) => {
  const file = fileURLToPath(new URL(`../suites/${name}.schema.json`, import.meta.url));
  await expect(`${JSON.stringify(schemaOf(), null, 2)}\n`).toMatchFileSnapshot(file);
});
