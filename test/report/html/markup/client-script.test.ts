import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clientModule } from '../../../../.build/client-module.js';
import { SCRIPT } from '../../../../src/report/html/markup/client-script.ts';

/** `npm run client` writes this file; a plain run of the test compares it. */
const FILE = fileURLToPath(new URL('../../../../src/report/html/markup/client-script.ts', import.meta.url));

test('markup/client-script.ts is what the modules of client/ bundle to', async () => {
  await expect(await clientModule()).toMatchFileSnapshot(FILE);
});

test('the script of the page holds nothing that ends a script element, and makes no markup from text', () => {
  expect(SCRIPT).not.toMatch(/<\/script|<!--/i);
  expect(SCRIPT).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function/);
});
