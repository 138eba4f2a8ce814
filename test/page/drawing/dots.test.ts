import { describe, expect, it } from 'vitest';
import { textOf } from '../../../src/markup/markup.ts';
import { linearAxis } from '../../../src/page/drawing/axis.ts';
import { dotMarks } from '../../../src/page/drawing/dots.ts';
import { rowsChart } from '../../../src/page/drawing/rows-chart.ts';

const dotsOf = (count: number, fill: string) =>
  Array.from({ length: count }, (_, at) => ({ x: (at * 37) % 100, y: 10 + ((at * 13) % 40) / 7, fill }));

function drawn(dots: Parameters<typeof dotMarks>[0]): string {
  const size = { width: 860, rowsHeight: 60 };
  return textOf(
    rowsChart('dots', linearAxis(100, 8), size, (x) =>
      dotMarks(
        dots.map((dot) => ({ ...dot, x: x(dot.x) })),
        { r: 2.6, opacity: 0.7 },
      ),
    ),
  );
}

/** The places of dots that are lines of no length, each told from the one before. */
function placesIn(path: string): readonly (readonly [number, number])[] {
  let [x, y] = [0, 0];
  return path
    .split('h0')
    .slice(0, -1)
    .map((move) => {
      const [across = 0, down = 0] = (move.match(/-?[\d.]+/g) ?? []).map(Number);
      [x, y] = [x + across, y + down];
      return [x, y];
    });
}

describe('dotMarks', () => {
  it('dotMarks draws many dots of a colour as one path, each where a circle would be', () => {
    const few = dotsOf(49, 'var(--variant-1)');
    const circles = drawn(few);
    expect(circles.match(/<circle/g)).toHaveLength(49);
    expect(circles).not.toContain('h0');
    const many = drawn(dotsOf(50, 'var(--variant-1)'));
    expect(many).not.toContain('<circle');
    const path = / d="(m[^"]*h0)"/.exec(many)?.[1] ?? '';
    const places = placesIn(path);
    expect(places).toHaveLength(50);
    const asCircles = [...circles.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
    for (const [at, [x, y]] of places.slice(0, 49).entries()) {
      expect(x).toBeCloseTo(asCircles[at]?.[0] ?? Number.NaN, 6);
      expect(y).toBeCloseTo(asCircles[at]?.[1] ?? Number.NaN, 6);
    }
    expect(many).toMatch(/stroke-linecap="round" stroke-width="5.2" stroke-opacity="0.7"/);
  });

  it('dotMarks draws each colour in a path of its own, and few dots of another as circles', () => {
    const svg = drawn([
      ...dotsOf(60, 'var(--variant-1)'),
      ...dotsOf(70, 'var(--variant-2)'),
      ...dotsOf(3, 'var(--variant-3)'),
    ]);
    expect([...svg.matchAll(/<path d="m[^"]*h0" stroke="([^"]+)"/g)].map(([, colour]) => colour)).toEqual([
      'var(--variant-1)',
      'var(--variant-2)',
    ]);
    expect(svg.match(/<circle/g)).toHaveLength(3);
  });

  it('dotMarks takes less than 15 bytes for each of very many dots', () => {
    expect(drawn(dotsOf(10_000, 'var(--variant-1)')).length).toBeLessThan(150_000);
  });
});
