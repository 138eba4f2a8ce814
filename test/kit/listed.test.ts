import { expect, test } from 'vitest';
import { listed, listedInShort, oneOf } from '../../src/kit/wording.ts';

test('words in a sentence have commas, and a word before the last', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed)).toEqual(['', 'a', 'a and b', 'a, b and c']);
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(oneOf)).toEqual(['', 'a', 'a or b', 'a, b or c']);
});

test('words beyond six are counted after the first three, never as "and 1 more"', () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `v${at + 1}`);
  expect(listedInShort(words(6))).toBe('v1, v2, v3, v4, v5 and v6');
  expect(listedInShort(words(7))).toBe('v1, v2, v3 and 4 more');
  expect(listedInShort(words(1003))).toBe('v1, v2, v3 and 1\u202f000 more');
});
