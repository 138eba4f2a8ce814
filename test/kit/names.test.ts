import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { eachVariant, proxyWords, variantNames } from '../../src/kit/names.ts';
import { nearest, nearestOf } from '../../src/kit/nearest.ts';
import { clipped, padded, shortened, textWidth, wrapped } from '../../src/kit/text-width.ts';
import { visible, visibleLine } from '../../src/kit/visible.ts';

const named = (count: number) => Array.from({ length: count }, (_, at) => `v${at + 1}`);

test('up to six variants are named, whether they are all or some', () => {
  expect(variantNames(named(1), 1)).toBe('v1');
  expect(variantNames(named(2), 40)).toBe('v1 and v2');
  expect(variantNames(['slow', 'slow@baseline'], 3)).toBe('slow and slow (in use)');
  expect(variantNames(named(6), 6)).toBe('v1, v2, v3, v4, v5 and v6');
});

test('more than six variants are the first three and how many more, or all', () => {
  expect(variantNames(named(7), 7)).toBe('all 7 variants');
  expect(variantNames(named(7), 12)).toBe('v1, v2, v3 and 4 more');
  expect(variantNames(named(38), 40)).toBe('v1, v2, v3 and 35 more');
});

test('variants that are spoken of one by one never read as if they were equal to each other', () => {
  expect(eachVariant(named(1), 1)).toBe('v1');
  expect(eachVariant(named(2), 2)).toBe('each variant');
  expect(eachVariant(named(2), 3)).toBe('each of v1 and v2');
  expect(eachVariant(named(7), 12)).toBe('each of v1, v2, v3 and 4 more');
});

test('each proxy of a run is named, and whether all variants went through it', () => {
  const [proxy, other] = ['http://proxy.test:3128', 'http://other.test'];
  expect(proxyWords([{}, {}])).toEqual([]);
  expect(proxyWords([{ proxy }, { proxy }])).toEqual(['sent through the proxy http://proxy.test:3128']);
  expect(proxyWords([{ proxy }, {}])).toEqual(['partly sent through the proxy http://proxy.test:3128']);
  expect(proxyWords([{ proxy }, { proxy: other }])).toEqual([
    'partly sent through the proxy http://proxy.test:3128',
    'partly sent through the proxy http://other.test',
  ]);
});

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

const text = fc.string({ unit: 'grapheme' });

describe('text on a terminal', () => {
  it('textWidth counts columns as terminals do', () => {
    expect([
      textWidth('fox'),
      textWidth('狐'),
      textWidth('ｆ'),
      textWidth('e\u0301'),
      textWidth('🦊'),
      textWidth('⚡'),
      textWidth('–'),
    ]).toEqual([3, 2, 2, 1, 2, 2, 1]);
  });

  it('clipped never lets a text be wider, and marks that it was cut', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (whole, columns) => {
        const cut = clipped(whole, columns);
        expect(textWidth(cut)).toBeLessThanOrEqual(columns);
        if (textWidth(whole) <= columns) expect(cut).toBe(whole);
        else expect(cut.endsWith('…')).toBe(true);
      }),
    );
  });

  it('shortened keeps both ends of a name, so that names that begin alike can be told apart', () => {
    expect(shortened('a-model-with-many-words-05', 12)).toBe('a-mode…ds-05');
    expect(shortened('狐狐狐狐狐狐狐狐', 8)).toBe('狐狐…狐');
    fc.assert(
      fc.property(text, fc.integer({ min: 3, max: 20 }), (whole, columns) => {
        const cut = shortened(whole, columns);
        expect(textWidth(cut)).toBeLessThanOrEqual(columns);
        if (textWidth(whole) <= columns) expect(cut).toBe(whole);
      }),
    );
  });

  it('padded pads wide text to the same column', () => {
    expect([padded('狐', 4), padded('fox', 4), padded('7', 3, 'right')]).toEqual(['狐  ', 'fox ', '  7']);
  });

  it('wrapped keeps every word, and never goes beyond the width', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (whole, columns) => {
        const lines = wrapped(whole, columns);
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
        expect(lines.join('').replaceAll(' ', '')).toBe(whole.replaceAll(' ', ''));
      }),
    );
  });
});

describe('hidden characters', () => {
  it('hidden characters are spelled out', () => {
    expect(visible('a\u202eb\u0000c\u001bd\u2028e\ud800f\u{e0041}')).toBe(
      'a\\u202eb\\u0000c\\u001bd\\u2028e\\ud800f\\u{e0041}',
    );
  });

  it('hidden characters leave what languages and emoji need', () => {
    const kept = 'Füchse 狐 ثعلب 👩‍👩‍👧 नमस्ते\n\ttab';
    expect(visible(kept)).toBe(kept);
  });

  it('hidden characters never break a line where one line is asked for', () => {
    expect(visibleLine('a\r\nb\tc')).toBe('a\\nb\\tc');
  });
});
