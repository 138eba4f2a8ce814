import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { STYLE } from '../../../src/markup/document.ts';
import { html, textOf } from '../../../src/markup/markup.ts';
import { durationAxis, linearAxis, ratioAxis } from '../../../src/page/drawing/axis.ts';
import { dots, type Point, stretched, words } from '../../../src/page/drawing/svg.ts';
import { variantMarks } from '../../../src/page/drawing/variant-mark.ts';
import { dotsIn } from '../../fixtures/drawn-marks.ts';

const durations = fc.array(fc.double({ min: 0.01, max: 5e6, noNaN: true }), { minLength: 1, maxLength: 40 });

/** Not at an edge, where values beyond it stand. */
const isWithin = (place: number): boolean => place > 0 && place < 1;

describe('axes of durations', () => {
  it('axes of durations end with values of any size, and so do axes of ratios', () => {
    const any = fc.array(fc.double(), { maxLength: 10 });
    fc.assert(
      fc.property(any, (values) => {
        const axes = [durationAxis(values), ratioAxis(values), ...values.map((value) => linearAxis(value))];
        for (const { ticks } of axes) expect(ticks.length).toBeLessThan(100);
      }),
    );
  });

  it('axes of durations hold every value, with ticks in order, within, and each with words of its own', () => {
    fc.assert(
      fc.property(durations, fc.integer({ min: 2, max: 10 }), (values, most) => {
        const axis = durationAxis(values, most);
        for (const value of values) expect(isWithin(axis.place(value))).toBe(true);
        for (const tick of axis.ticks.slice(1)) expect(isWithin(axis.place(tick))).toBe(true);
        expect(axis.ticks).toEqual([...axis.ticks].sort((a, b) => a - b));
        expect(new Set(axis.ticks.map(axis.format)).size).toBe(axis.ticks.length);
        expect(axis.ticks.length).toBeLessThanOrEqual(14);
      }),
    );
  });

  it('axes of durations begin at zero and count in steps of 1, 2 or 5 where values lie close', () => {
    const axis = durationAxis([900, 2100, 4800]);
    expect(axis.type).toBe('linear');
    expect(axis.ticks.map(axis.format)).toEqual(['0 s', '1 s', '2 s', '3 s', '4 s']);
  });

  it('axes of durations are logarithmic where values lie far apart', () => {
    const axis = durationAxis([300, 5000]);
    expect(axis.type).toBe('log');
    expect(axis.ticks.map(axis.format)).toEqual(['0.5 s', '1 s', '2 s', '5 s']);
    expect(axis.place(2000) - axis.place(1000)).toBeCloseTo(axis.place(1000) - axis.place(500), 10);
  });

  it('axes of durations keep to decades over a wide range', () => {
    const axis = durationAxis([0.8, 120_000]);
    expect(axis.ticks.map(axis.format)).toEqual(['0.001 s', '0.01 s', '0.1 s', '1 s', '10 s', '100 s']);
  });

  it('axes of durations speak of minutes and hours in long runs', () => {
    const [minutes, hours] = [linearAxis(20 * 60_000, 4), linearAxis(9 * 3_600_000, 4)];
    expect(minutes.ticks.map(minutes.format)).toEqual(['0 min', '5 min', '10 min', '15 min', '20 min']);
    expect(hours.ticks.map(hours.format)).toEqual(['0 h', '5 h']);
  });

  it('axes of durations are drawn where there is nothing to show', () => {
    expect(durationAxis([]).ticks).toContain(0);
  });
});

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

describe('ratioAxis', () => {
  it.each([[[0.98, 1.01]], [[0.14, 0.35]], [[1.2, 1.3]], [[0.001, 900]], [[2e-9, 3e9]], [[]]])(
    'ratioAxis holds %j and 1, with a few ticks, 1 among them',
    (ratios: readonly number[]) => {
      const axis = ratioAxis(ratios, 8);
      for (const ratio of [...ratios, 1]) {
        expect(axis.place(ratio)).toBeGreaterThan(0);
        expect(axis.place(ratio)).toBeLessThan(1);
      }
      expect(axis.ticks.length).toBeGreaterThan(0);
      expect(axis.ticks.length).toBeLessThanOrEqual(8);
      expect(axis.ticks).toContain(1);
      for (const tick of axis.ticks) expect(axis.place(tick)).toBeGreaterThanOrEqual(0);
    },
  );

  it.each([5, 9])('ratioAxis keeps ticks apart, so that their words do not overlap: at most %i ticks', (most) => {
    for (const high of [1.1, 1.3, 1.6, 2.5, 6]) {
      const { ticks, place } = ratioAxis([0.11, high], most);
      const gaps = ticks.slice(1).map((tick, at) => place(tick) - place(ticks[at] ?? 1));
      expect(Math.min(...gaps)).toBeGreaterThan(0.5 / most);
      expect(ticks).toContain(1);
    }
  });

  it('ratioAxis puts a half and a double at the same distance from 1', () => {
    const { place } = ratioAxis([0.5, 2]);
    expect(place(1) - place(0.5)).toBeCloseTo(place(2) - place(1), 12);
  });

  it('ratioAxis writes round ticks as multiples', () => {
    const ticksOf = (ratios: readonly number[]) => ratioAxis(ratios).ticks.map(ratioAxis(ratios).format).join(' ');
    expect(ticksOf([0.5, 2])).toBe('0.5x 1x 1.5x 2x');
    expect(ticksOf([1.7, 2.3])).toBe('1x 1.5x 2x');
  });
});

it('the marks of 12 variants differ in shape and in colour, and none is red', () => {
  const kind = 'text-to-image';
  const variants = Array.from(
    { length: 12 },
    (_, at) => ({ name: `${at}`, kind, baseline: at === 0, constants: { at } }) as const,
  );
  const marks = variants.map(({ name }) => variantMarks(variants)(name));
  for (const part of ['fill', 'outline'] as const) expect(new Set(marks.map((mark) => mark[part])).size).toBe(12);
  const colours = [...STYLE.matchAll(/--variant-\d+: #(..)(..)(..)/g)].map(([, ...rgb]) =>
    rgb.map((hex) => Number.parseInt(hex, 16)),
  );
  expect(colours).toHaveLength(24);
  for (const [red = 0, green = 0, blue = 0] of colours) expect(red).toBeLessThan(1.7 * Math.max(green, blue));
});
