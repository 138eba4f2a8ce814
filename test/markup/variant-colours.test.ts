import { describe, expect, it } from 'vitest';
import { STYLE } from '../../src/markup/document.ts';

type Triple = readonly [number, number, number];

const PAGES = { light: '#ffffff', dark: '#141517' } as const;

/** The twelve colours in the order of the style sheet: light, which is also for print, then dark. */
const COLOURS = [...STYLE.matchAll(/--variant-\d+: (#[0-9a-f]{6})/g)].map(([, colour = '']) => colour);
const SETS = { light: COLOURS.slice(0, 12), dark: COLOURS.slice(12) } as const;

/** How each sees linear RGB: Machado, Oliveira, Fernandes 2009, severity 1. */
const VISION: Readonly<Record<string, readonly [Triple, Triple, Triple]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const dot = ([a, b, c]: Triple, [x, y, z]: Triple): number => a * x + b * y + c * z;

function linear(colour: string): Triple {
  const at = (from: number): number => {
    const value = Number.parseInt(colour.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [at(1), at(3), at(5)];
}

/** Contrast of WCAG 2. */
function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [a, b].map((each) => dot([0.2126, 0.7152, 0.0722], linear(each))).sort((p, q) => p - q);
  return (light + 0.05) / (dark + 0.05);
}

/** Distance in OKLab (Ottosson 2020) as seen, times 100: about 2 is just noticeable. */
function distance(a: string, b: string, [red, green, blue]: readonly [Triple, Triple, Triple]): number {
  const lab = (colour: string): Triple => {
    const own = linear(colour);
    const seen: Triple = [red, green, blue].map((row) => Math.min(1, Math.max(0, dot(row, own)))) as unknown as Triple;
    const l = Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], seen));
    const m = Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], seen));
    const s = Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], seen));
    return [
      dot([0.2104542553, 0.793617785, -0.0040720468], [l, m, s]),
      dot([1.9779984951, -2.428592205, 0.4505937099], [l, m, s]),
      dot([0.0259040371, 0.7827717662, -0.808675766], [l, m, s]),
    ];
  };
  const [x, y] = [lab(a), lab(b)];
  return 100 * Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

/** The pair that is told apart worst. */
function nearest(colours: readonly string[], vision: keyof typeof VISION): number {
  const matrix = VISION[vision];
  if (matrix === undefined) throw new Error(`no vision named ${vision}`);
  return Math.min(...colours.flatMap((a, at) => colours.slice(at + 1).map((b) => distance(a, b, matrix))));
}

describe('the colours of variants', () => {
  it.each(['light', 'dark'] as const)('the colours of variants stand out from the page by 3 to 1: %s', (scheme) => {
    for (const colour of SETS[scheme]) expect(contrast(colour, PAGES[scheme])).toBeGreaterThanOrEqual(3);
  });

  it.each(
    (['light', 'dark'] as const).flatMap((scheme) => Object.keys(VISION).map((vision) => [scheme, vision] as const)),
  )('the colours of variants are told apart, the first four well: %s, %s', (scheme, vision) => {
    expect(nearest(SETS[scheme].slice(0, 4), vision)).toBeGreaterThan(10);
    expect(nearest(SETS[scheme], vision)).toBeGreaterThan(5);
  });

  it('the colours of variants in print are those of light pages', () => {
    expect(STYLE).toMatch(/@media screen and \(prefers-color-scheme: dark\) \{\s*:root \{\s*--variant-0/);
    expect(COLOURS).toHaveLength(24);
  });
});
