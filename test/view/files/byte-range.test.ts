import { expect, test } from 'vitest';
import { byteRange } from '../../../src/view/files/send-file.ts';

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
