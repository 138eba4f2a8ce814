import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clientModule } from '../../../../.build/client-module.js';
import { SCRIPT } from '../../../../src/report/html/markup/client-script.ts';
import { SCRIPT as COMPARE_SCRIPT } from '../../../../src/view/pages/compare/compare-script.ts';
import { SCRIPT as LISTS_SCRIPT } from '../../../../src/view/pages/lists/lists-script.ts';
import { SCRIPT as LIVE_SCRIPT } from '../../../../src/view/pages/live/live-script.ts';

/** `npm run client` writes these files; a plain run of the test compares them. */
const SCRIPTS = [
  ['report/html/markup/client-script.ts', 'report/html/client/main.ts', SCRIPT],
  ['view/pages/compare/compare-script.ts', 'view/pages/client/compare-runs.ts', COMPARE_SCRIPT],
  ['view/pages/lists/lists-script.ts', 'view/pages/client/lists.ts', LISTS_SCRIPT],
  ['view/pages/live/live-script.ts', 'view/pages/client/live.ts', LIVE_SCRIPT],
] as const;

test.each(SCRIPTS)('%s is what %s bundles to', async (file, entry) => {
  const path = fileURLToPath(new URL(`../../../../src/${file}`, import.meta.url));
  await expect(await clientModule(entry)).toMatchFileSnapshot(path);
});

test.each(SCRIPTS)(
  '%s holds nothing that ends a script element, and makes no markup from text',
  (_file, _entry, script) => {
    expect(script).not.toMatch(/<\/script|<!--/i);
    expect(script).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function/,
    );
  },
);
