import { expect, test } from 'vitest';
import { listed, listedAtMost, oneOf } from '../../src/text/listed.ts';

test('words in a sentence have commas, and a word before the last', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed)).toEqual(['', 'a', 'a and b', 'a, b and c']);
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(oneOf)).toEqual(['', 'a', 'a or b', 'a, b or c']);
});

test('words beyond the most are counted, and none is hidden behind "0 more"', () => {
  expect(listedAtMost(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
  expect(listedAtMost(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
  expect(listedAtMost(['a', 'b'], 2)).toBe('a and b');
});
