import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipped, padded, shortened, textWidth, wrapped } from '../../src/kit/text-width.ts';
import { visible, visibleLine } from '../../src/kit/visible.ts';

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
