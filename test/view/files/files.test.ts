import { expect, test } from 'vitest';
import { byteRange, servedType } from '../../../src/view/files/send-file.ts';

test.each([
  [undefined, null],
  ['bytes=0-3', { first: 0, last: 3 }],
  ['bytes=4-', { first: 4, last: 9 }],
  ['bytes=-4', { first: 6, last: 9 }],
  ['bytes=-40', { first: 0, last: 9 }],
  ['bytes=8-40', { first: 8, last: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', null],
  ['bytes=-', null],
  ['bytes=0-1,4-5', null],
  ['lines=0-1', null],
])('a Range %j of a file of 10 bytes: %j', (header, expected) => {
  expect(byteRange(header, 10)).toEqual(expected);
});

const DIGEST = 'ab'.repeat(32);
const REPORTS = ['samples.csv', 'analysis.json', 'report.html', 'summary.md'];

test.each([
  [`media/ab/${DIGEST}.png`, 'image/png', true],
  [`media/ab/${DIGEST}.mp4`, 'video/mp4', true],
  [`media/ab/${DIGEST}.bin`, 'application/octet-stream', false],
  [`media/ab/${DIGEST}.svg`, 'application/octet-stream', false],
  [`media/ab/${DIGEST}.html`, 'application/octet-stream', false],
  [`thumbs/${DIGEST}.1024.webp`, 'image/webp', true],
  [`thumbs/${DIGEST}.200.webp`, 'image/webp', true],
  ['samples.csv', 'text/csv; charset=utf-8', false],
  ['analysis.json', 'application/json; charset=utf-8', false],
])('a file %s of a run is served as %s, in place: %s', (path, type, inline) => {
  expect(servedType(path, REPORTS)).toEqual({ type, inline });
});

test.each([
  'journal.jsonl',
  'run.json',
  'facts.jsonl',
  'scores.jsonl',
  'lock',
  'other.csv',
  `media/cd/${DIGEST}.png`,
  `media/ab/${DIGEST}.png/x`,
  `media/ab/../${DIGEST}.png`,
  `thumbs/${DIGEST}.png`,
  `thumbs/../journal.jsonl`,
  '',
])('a file %s of a run is not served', (path) => {
  expect(servedType(path, REPORTS)).toBeNull();
});

test('a report in a format without a type of its own is served as plain text', () => {
  expect(servedType('bars.dot', ['bars.dot'])).toEqual({ type: 'text/plain; charset=utf-8', inline: false });
});
