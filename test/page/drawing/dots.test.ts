import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { html, textOf } from '../../../src/markup/markup.ts';
import { dots, type Point, stretched, words } from '../../../src/page/drawing/svg.ts';
import { dotsIn } from '../../fixtures/drawn-marks.ts';

const points = (count: number): readonly Point[] =>
  Array.from({ length: count }, (_, at) => [((at * 37) % 100) / 100, 10 + ((at * 13) % 40) / 7]);

const drawn = (own: readonly Point[]): string => textOf(stretched([dots(own, 'var(--dot)', 2.6, 0.7)]));

describe('dots', () => {
  it('dots of a colour are one path, each at its place: rounding does not add up', () => {
    const { document } = parseHTML(drawn(points(200)));
    expect(document.querySelectorAll('path')).toHaveLength(1);
    for (const [at, [x, y]] of dotsIn(document.querySelector('svg')).entries()) {
      expect(x).toBe(100 * ((at * 37) % 100));
      expect(Math.abs(y - (points(200)[at]?.[1] ?? Number.NaN))).toBeLessThan(0.051);
    }
  });

  it('dots take less than 15 bytes each where they are very many', () => {
    expect(drawn(points(10_000)).length).toBeLessThan(150_000);
  });

  it('dots whose place is not finite stand at 0', () => {
    expect(drawn([[Number.NaN, Number.POSITIVE_INFINITY]])).toContain('d="m0 0h0"');
  });
});

it('words of a drawing stay text', () => {
  const hostile = '</text><script>"\'&\u202e';
  const svg = textOf(html`<svg>${words(0, 0, hostile, { fill: '"><script>' })}</svg>`);
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&lt;/text&gt;&lt;script&gt;&quot;&#39;&amp;\\u202e</text>');
});
