import { expect, test } from 'vitest';
import { textOf } from '../../../../src/markup/markup.ts';
import { trendList } from '../../../../src/view/pages/lists/suite-row.ts';

const trends = (length: number) => Array.from({ length }, (_, at) => ({ variant: `v${at}`, mediansMs: [500, 512] }));
function shown(length: number): string {
  const list = trendList('my suite', trends(length));
  return list === null ? '' : textOf(list);
}

test('a list of trends says how many of its variants it shows, and where the others are', () => {
  expect(shown(40).match(/<li>/g)).toHaveLength(24);
  expect(shown(40)).toContain('24 of 40 variants are shown; <a href="/suites/my%20suite/history.html">the trend</a>');
  expect(shown(24)).not.toContain('are shown');
});

test('a list of trends has the p50 that the report of the latest run shows, and says so', () => {
  expect(shown(1)).toContain('>512 ms</b>');
  expect(shown(1)).toContain(
    'Latency: p50 of the latest complete run, as its report shows it; the line: p50 from run to run.',
  );
});
