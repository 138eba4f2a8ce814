import { expect, test } from 'vitest';
import { nearest, nearestOf } from '../../src/kit/nearest.ts';

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

test('nearestOf gives those that contain the word first, then the nearest of the rest', () => {
  const names = ['a/audio-of-mine', 'b/images', 'c/image', 'd/video'];
  expect(nearestOf('image', names, 3)).toEqual(['c/image', 'b/images', 'd/video']);
});
