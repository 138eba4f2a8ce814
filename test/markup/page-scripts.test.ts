import { expect, test } from 'vitest';
import { SCRIPT as REPORT } from '../../src/page/client-script.ts';
import { SCRIPT as COMPARE } from '../../src/page/compare-script.ts';
import { SCRIPT as FOLLOW } from '../../src/view/pages/parts/follow-script.ts';

test.each(Object.entries({ REPORT, COMPARE, FOLLOW }))(
  'the script %s has nothing that ends a script element, and makes no markup from text',
  (_name, script) => {
    expect(script).toContain('document');
    expect(script).not.toMatch(/<\/script|<!--/i);
    expect(script).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function/,
    );
  },
);
