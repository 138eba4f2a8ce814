// @ts-check
import { writeFileSync } from 'node:fs';

/* After tsc, writes the JSON Schemas of a record beside those of suites and targets: for the package, not for Git. */

// Built by then; the types of what is checked here must not need a build.
const built = new URL('../dist/report/schemas/published-schemas.js', import.meta.url);
const { publishedSchemas } = await import(built.href);
for (const [name, schema] of Object.entries(publishedSchemas())) {
  const file = new URL(`../suites/${name}.schema.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
}
