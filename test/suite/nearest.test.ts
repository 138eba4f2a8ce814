import { expect, test } from 'vitest';
import { nearest } from '../../src/suite/nearest.ts';

test.each([
  ['concurency', ['mode', 'concurrency'], 'concurrency'],
  ['wramup', ['warmup', 'order'], 'warmup'],
  ['Variants', ['variant', 'variants'], 'variants'],
  ['txt', ['text', 'tags'], 'text'],
  ['timeout', ['requests', 'usd'], null],
  ['x', ['y'], null],
  ['', ['a'], null],
])('nearest to %j among %j is %j', (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});
