import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { withFieldTables } from '../.build/field-tables.js';
import { publishedSchemas } from '../src/report/schemas/published-schemas.ts';
import { suiteJsonSchema } from '../src/suite/format/schema.ts';
import { FILES_OF_FORMAT, REPORT_FORMATS } from '../src/suite/report-format.ts';
import { targetJsonSchema } from '../src/targets/model/schema.ts';

/* `npm run schemas` writes the files that this compares. */

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

it.each(Object.entries({ suite: suiteJsonSchema, target: targetJsonSchema }))(
  'suites/%s.schema.json, for editors, is what the code says',
  async (name, schemaOf) => {
    const schema = `${JSON.stringify(schemaOf(), null, 2)}\n`;
    await expect(schema).toMatchFileSnapshot(at(`suites/${name}.schema.json`));
  },
);

it('results/README.md says of the fields of a record what their schemas say', async () => {
  const readme = readFileSync(at('results/README.md'), 'utf8');
  await expect(withFieldTables(readme, publishedSchemas())).toMatchFileSnapshot(at('results/README.md'));
});

it.each(Object.entries(publishedSchemas()))(
  'every field in the schema %s has a description, or its shape has',
  (name, schema) => {
    const written: unknown = JSON.parse(readFileSync(at(`suites/${name}.schema.json`), 'utf8'));
    expect(written).toEqual(schema);
    expect(undescribed(schema)).toEqual([]);
  },
);

it('suites/README.md names every report that a suite may ask for', async () => {
  const readme = readFileSync(at('suites/README.md'), 'utf8');
  const formats = REPORT_FORMATS.map((format) => `\`${format}\``).join(', ');
  const named = readme.replace(/^(\| `reports` .*\| any of ).*( \|)$/m, `$1${formats}$2`);
  await expect(named).toMatchFileSnapshot(at('suites/README.md'));
});

it('results/README.md names the files of every report', async () => {
  const readme = readFileSync(at('results/README.md'), 'utf8');
  const files = Object.values(FILES_OF_FORMAT).flat().join(' ');
  const named = readme.replace(/^ {2}.*( {4}the reports that were asked for)$/m, `  ${files}$1`);
  await expect(named).toMatchFileSnapshot(at('results/README.md'));
});

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: unknown;
}

/** The paths of fields without a description; a constant needs none, and a reference has that of its shape. */
function undescribed(schema: Schema, path = ''): readonly string[] {
  const { properties = {}, $defs = {}, anyOf = [], oneOf = [] } = schema;
  const isSaid = (field: Schema): boolean =>
    [field, ...(field.anyOf ?? [])].some(
      (each) => each.description !== undefined || each.$ref !== undefined || 'const' in each || 'enum' in each,
    );
  return [
    ...Object.entries(properties).flatMap(([name, field]) => (isSaid(field) ? [] : [`${path}.${name}`])),
    ...[...Object.entries(properties), ...Object.entries($defs)].flatMap(([name, part]) =>
      undescribed(part, `${path}.${name}`),
    ),
    ...[...anyOf, ...oneOf].flatMap((part) => undescribed(part, path)),
  ];
}
