import { expect, test } from 'vitest';
import { textOf } from '../../../../src/markup/markup.ts';
import { trendList } from '../../../../src/view/pages/lists/suite-row.ts';

const trends = (length: number) => Array.from({ length }, (_, at) => ({ variant: `v${at}`, lnValues: [5, 6] }));
function shown(length: number): string {
  const list = trendList('my suite', trends(length));
  return list === null ? '' : textOf(list);
}

test('a list of trends says how many of its variants it shows, and where the others are', () => {
  expect(shown(40).match(/<li>/g)).toHaveLength(24);
  expect(shown(40)).toContain('24 of 40 variants are shown; <a href="/suites/my%20suite/history.html">the trend</a>');
  expect(shown(24)).not.toContain('are shown');
});

test('a list of trends says what its latency is', () => {
  expect(shown(1)).toContain('Latency is the geometric mean over all prompts and seeds in the latest complete run');
});
