import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { targetJsonSchema } from '../../src/target/schema.ts';

const FILE = fileURLToPath(new URL('../../suites/target.schema.json', import.meta.url));

/** The file is rewritten by: UPDATE_SCHEMAS=1 npx vitest run --config test/vitest.config.ts test/target/schema.test.ts */
test('suites/target.schema.json is what the code says', async () => {
  const schema = `${JSON.stringify(targetJsonSchema(), null, 2)}\n`;
  if (process.env.UPDATE_SCHEMAS === '1') await writeFile(FILE, schema);
  expect(await readFile(FILE, 'utf8')).toBe(schema);
});

test('editors can explain every key', () => {
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
  visit(targetJsonSchema(), '');
  expect(undescribed).toEqual([]);
});
