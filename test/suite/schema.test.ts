import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { suiteJsonSchema } from '../../src/suite/schema.ts';

const FILE = fileURLToPath(new URL('../../suites/suite.schema.json', import.meta.url));

/** The file is rewritten by: UPDATE_SCHEMAS=1 npx vitest run --config test/vitest.config.ts test/suite/schema.test.ts */
test('suites/suite.schema.json is what the code says', async () => {
  const schema = `${JSON.stringify(suiteJsonSchema(), null, 2)}\n`;
  if (process.env.UPDATE_SCHEMAS === '1') await writeFile(FILE, schema);
  expect(await readFile(FILE, 'utf8')).toBe(schema);
});

test('editors can explain every key, and take ${env.X} where a string has a form', () => {
  const undescribed: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('properties' in node && typeof node.properties === 'object' && node.properties !== null) {
      for (const [key, property] of Object.entries(node.properties)) {
        if (typeof property.description !== 'string') undescribed.push(`${path}.${key}`);
      }
    }
    for (const [key, inner] of Object.entries(node)) visit(inner, `${path}.${key}`);
  };
  const schema = suiteJsonSchema();
  visit(schema, '');
  expect(undescribed).toEqual([]);
  expect(schema).toMatchObject({ required: ['suite', 'name', 'variants', 'prompts'], additionalProperties: false });
  const patterns = [...JSON.stringify(schema).matchAll(/"timeout":.*?"pattern":("(?:[^"\\]|\\.)*")/g)];
  const pattern = new RegExp(JSON.parse(patterns[0]?.[1] ?? '""'));
  expect(['2s', '${env.T:-2s}', '2 sec'].map((text) => pattern.test(text))).toEqual([true, true, false]);
});
