import { html, type Markup } from '../markup/markup.ts';
import { ratioAxis } from './ratio-axis.ts';
import { level, type SvgLook, sign, upright, words } from './svg.ts';
import type { VariantMark } from './variant-mark.ts';

/** Pixels in a table's cell. */
const WIDTH = 104;
const HEIGHT = 18;
const SIDE = 9;

/** 1 is one of the ticks; the distance between ticks is in pixels, for their words. */
const MOST_TICKS = 4;
const LEAST_APART = 30;

const ONE: SvgLook = { stroke: 'var(--muted)', 'stroke-dasharray': '3 2' };

/** An end that time-outs leave open is null. */
export interface RatioLine {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly hasInterval: boolean;
}

export interface RatioLines {
  readonly line: (line: RatioLine, mark: VariantMark) => Markup;
  readonly scale: Markup | null;
}

/** One logarithmic scale that holds 1: the same distance is the same ratio in every line. */
export function ratioLines(all: readonly RatioLine[]): RatioLines {
  const ratios = all.flatMap(({ value, low, high }) => [value, low, high].flatMap((each) => each ?? []));
  const axis = ratioAxis(ratios, MOST_TICKS);
  const place = (ratio: number): number => SIDE + axis.place(ratio) * (WIDTH - 2 * SIDE);
  const ticks = apart(axis.ticks, place);
  const middle = HEIGHT / 2;
  const size = html`viewBox="0 0 ${WIDTH} ${HEIGHT}"`;
  return {
    line: ({ value, low, high, hasInterval }, { fill, outline }) => {
      const [left, right] = [low === null ? 0 : place(low), high === null ? WIDTH : place(high)];
      const interval = { stroke: fill, 'stroke-width': 3, 'stroke-opacity': 0.45 };
      return html`<svg class="ratio-line" ${size} aria-hidden="true">${[
        ...ticks.map((tick) => upright(place(tick), 0, HEIGHT, tick === 1 ? ONE : { stroke: 'var(--line)' })),
        hasInterval && level(left, right, middle, interval),
        sign(outline, place(value), middle, { fill }),
      ]}</svg>`;
    },
    scale:
      all.length === 0
        ? null
        : html`<svg class="ratio-line" ${size} text-anchor="middle" font-size="11" fill="var(--muted)">${ticks.map(
            (tick) => words(place(tick), 8.5, axis.format(tick)),
          )}</svg>`,
  };
}

/** 1 stays, then the ticks furthest from it, which show the reach of the scale; their words must not touch. */
function apart(all: readonly number[], place: (ratio: number) => number): readonly number[] {
  const kept = [1];
  for (const tick of all.toSorted((a, b) => Math.abs(Math.log(b)) - Math.abs(Math.log(a)))) {
    if (kept.every((other) => Math.abs(place(other) - place(tick)) >= LEAST_APART)) kept.push(tick);
  }
  return kept.sort((a, b) => a - b);
}
