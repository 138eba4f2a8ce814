import { expect, test } from 'vitest';
import { suiteJsonSchema } from '../../../src/suite/format/schema.ts';
import { targetJsonSchema } from '../../../src/targets/model/schema.ts';

test.each([
  ['suite', suiteJsonSchema],
  ['target', targetJsonSchema],
])('editors can explain every key of a %s', (_, schemaOf) => {
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
  visit(schemaOf(), '');
  expect(undescribed).toEqual([]);
});

test('the schema of a suite takes ${env.X} where a string has a form', () => {
  const schema = suiteJsonSchema();
  expect(schema).toMatchObject({ required: ['suite', 'name', 'variants', 'prompts'], additionalProperties: false });
  const patterns = [...JSON.stringify(schema).matchAll(/"timeout":.*?"pattern":("(?:[^"\\]|\\.)*")/g)];
  const pattern = new RegExp(JSON.parse(patterns[0]?.[1] ?? '""'));
  expect(['2s', '${env.T:-2s}', '2 sec'].map((text) => pattern.test(text))).toEqual([true, true, false]);
});
