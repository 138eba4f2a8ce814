import { describe, expect, it } from 'vitest';
import { textOf } from '../../../src/markup/markup.ts';
import { variantMarks } from '../../../src/page/drawing/variant-mark.ts';
import { type RatioLine, ratioLines } from '../../../src/page/sections/side-by-side/speed-columns.ts';

const line = (value: number, low: number | null = null, high: number | null = null): RatioLine => ({
  value,
  low,
  high,
});

const MARK = variantMarks([])('fast');

/** The numbers on a scale, and where each stands. */
function ticksOf(all: readonly RatioLine[]): readonly (readonly [words: string, x: number])[] {
  const { scale } = ratioLines(all);
  return [
    ...textOf(
      scale ??
        (() => {
          throw new Error('no scale');
        })(),
    ).matchAll(/<text x="([\d.]+)%"[^>]*>([^<]+)</g),
  ].map(([, x, words]) => [words ?? '', Number(x)] as const);
}

describe('the lines of ratios beside a table', () => {
  it('the lines of ratios have a scale with 1 on it, whose numbers do not touch', () => {
    for (const all of [[line(2.1), line(3.2)], [line(1.07, 0.98, 1.19)], [line(0.2), line(40)], [line(1)]]) {
      const ticks = ticksOf(all);
      expect(ticks.map(([words]) => words)).toContain('1x');
      for (const [at, [, x]] of ticks.entries())
        if (at > 0) expect(x - (ticks[at - 1]?.[1] ?? 0)).toBeGreaterThan(25 / 1.04);
    }
  });

  it('the lines of ratios stand between the numbers of their scale', () => {
    const all = [line(2.1, 2, 2.2), line(3.2)];
    const at = new Map(ticksOf(all));
    const drawn = textOf(ratioLines(all).line(line(2.1, 2, 2.2), MARK));
    const x = Number(/<svg x="([\d.]+)%"/.exec(drawn)?.[1]);
    expect(x).toBeGreaterThan(at.get('1x') ?? Number.NaN);
    expect(x).toBeLessThan(at.get('3x') ?? Number.NaN);
  });

  it('the lines of ratios have no scale where there is no ratio', () => {
    expect(ratioLines([]).scale).toBeNull();
  });
});
