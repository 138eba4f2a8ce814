import { expect, test } from 'vitest';
import { targetJsonSchema } from '../../../src/targets/model/schema.ts';

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
