import { expect, test } from 'vitest';
import { agoWords } from '../../../../src/view/pages/parts/run-words.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 12);

test.each([
  ['2026-11-22T11:59:31Z', 'just now'],
  ['2026-11-22T12:00:30Z', 'just now'],
  ['2026-11-22T11:58:59Z', '1 minute ago'],
  ['2026-11-22T09:00:00Z', '3 hours ago'],
  ['2026-11-21T11:00:00Z', '1 day ago'],
  ['2026-11-01T11:00:00Z', '2026-11-01'],
  ['2026-11-23T12:00:00Z', '2026-11-23'],
])('a time is told by how long ago it was, and by its date where that is long, or to come: %s', (iso, words) => {
  expect(agoWords(iso, NOW_MS)).toBe(words);
});
