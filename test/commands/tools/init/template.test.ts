import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { fillTemplate } from '../../../../src/commands/tools/init/template.ts';

const TEMPLATES = new URL('../../../../suites/templates/', import.meta.url);

it.each(readdirSync(TEMPLATES))('the template %s is YAML with its marks', (file) => {
  const text = readFileSync(new URL(file, TEMPLATES), 'utf8');
  expect(parseDocument(text, { uniqueKeys: false }).errors).toEqual([]);
});

it('a value that a template lacks is a defect, and is named', () => {
  expect(() => fillTemplate('target.yaml', { schema: null, try: 'retake try x' })).toThrow(/names id, which has no/);
});

it('a value that looks like a mark is text', () => {
  const path = '../../test/golden/marks.txt';
  expect(fillTemplate(path, { list: ['{{other}}', '$&'], none: null, one: { in: 'of one' } })).toBe(
    'item {{other}}\nitem $&\nno block, of one.\n',
  );
});
