import { describe, expect, it } from 'vitest';
import { textOf } from '../../../src/markup/markup.ts';
import { chart, circle, curve, group, sign, words } from '../../../src/page/drawing/svg.ts';

const size = { width: 300, height: 100 };

describe('charts', () => {
  it('charts write coordinates to a tenth of a pixel, and a place that is not finite as 0', () => {
    const marks = [circle(1 / 3, 50.123456, 2), sign('M0 0Z', -0.04, Number.POSITIVE_INFINITY), curve([[2.05, 99.99]])];
    expect(textOf(chart('x', size, marks))).toBe(
      '<svg class="chart" role="img" aria-label="x" viewBox="0 0 300 100" text-anchor="middle" font-size="12">' +
        '<circle cx="0.3" cy="50.1" r="2"/><path d="M0 0Z" transform="translate(0 0)"/>' +
        '<path d="M2.1 100" fill="none"/></svg>',
    );
  });

  it('charts keep text as text', () => {
    const hostile = '</text><script>"\'&\u202e';
    const svg = textOf(chart(hostile, size, [words(0, 0, hostile, { fill: '"><script>' })]));
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&lt;/text&gt;&lt;script&gt;&quot;&#39;&amp;\\u202e</text>');
    expect(svg.startsWith('<svg class="chart" role="img" aria-label="&lt;/text&gt;')).toBe(true);
  });

  it('groups give their look once, and are left out where they are empty', () => {
    const dots = [1, 2].map((x) => circle(x, 0, 1));
    expect(
      textOf(chart('x', size, [group({ fill: 'red', 'stroke-width': 2 }, dots), group({ fill: 'red' }, [])])),
    ).toContain('><g fill="red" stroke-width="2"><circle cx="1" cy="0" r="1"/><circle cx="2" cy="0" r="1"/></g></svg>');
  });
});
