import * as Plot from '@observablehq/plot';
import { describe, expect, it } from 'vitest';
import { chart } from '../../../../src/report/html/drawing/chart.ts';
import { textOf } from '../../../../src/report/html/markup/markup.ts';

function draw(label: string): string {
  return textOf(
    chart(label, {
      width: 300,
      height: 100,
      x: { type: 'linear', domain: [0, 3], axis: null },
      y: { type: 'identity', axis: null },
      marks: [
        Plot.dot([1, 2], { x: (value: number) => value, y: 50.123456, fill: 'var(--dot)' }),
        Plot.text([label], { frameAnchor: 'left', text: (text: string) => text }),
      ],
    }),
  );
}

describe('charts', () => {
  it('charts give the same bytes each time, in one process', () => {
    expect(draw('same')).toBe(draw('same'));
  });

  it('charts bring no style of their own, which the policy of the page would refuse', () => {
    expect(draw('x')).not.toMatch(/<style|style=/);
  });

  it('charts write coordinates to a tenth of a pixel', () => {
    const coordinates = [...draw('x').matchAll(/ c[xy]="([^"]+)"/g)].map(([, value]) => value);
    expect(coordinates).toHaveLength(4);
    for (const value of coordinates) expect(value).toMatch(/^\d+(\.\d)?$/);
  });

  it('charts keep text as text', () => {
    const svg = draw('</text><script>"\'&\u202e');
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&lt;/text&gt;&lt;script&gt;&quot;&#39;&amp;\\u202e</text>');
    expect(svg.startsWith('<svg class="chart" role="img" aria-label="&lt;/text&gt;')).toBe(true);
  });
});
