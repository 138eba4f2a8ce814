import { html, type Markup } from '../markup/markup.ts';
import { ratioAxis } from './ratio-axis.ts';
import type { VariantMark } from './variant-mark.ts';

/** In pixels; drawn at this size in a table's cell. */
const WIDTH = 104;
const HEIGHT = 18;
const SIDE = 9;

/** Ticks of the scale, 1 among them, and how far apart two stand at least, in pixels: their words need room. */
const MOST_TICKS = 4;
const LEAST_APART = 30;

/** One comparison: the estimate, and its interval where it has one; an end that time-outs leave open is null. */
export interface RatioLine {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly hasInterval: boolean;
}

/** The drawings of one table. */
export interface RatioLines {
  readonly line: (line: RatioLine, mark: VariantMark) => Markup;
  /** The numbers on the scale of all lines; null where no line has a place on it. */
  readonly scale: Markup | null;
}

/** Lines of one scale, a log scale that holds 1: the same distance is the same ratio in every line. */
export function ratioLines(all: readonly RatioLine[]): RatioLines {
  const ratios = all.flatMap(({ value, low, high }) => [value, low, high].flatMap((each) => each ?? []));
  const axis = ratioAxis(ratios, MOST_TICKS);
  const place = (ratio: number): number => Number((SIDE + axis.place(ratio) * (WIDTH - 2 * SIDE)).toFixed(1));
  const ticks = apart(axis.ticks, place);
  const middle = HEIGHT / 2;
  return {
    line: ({ value, low, high, hasInterval }, { fill, outline }) => {
      const [left, right] = [low === null ? 0 : place(low), high === null ? WIDTH : place(high)];
      return html`<svg class="ratio-line" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${ticks.map((tick) => tickLine(place(tick), tick === 1))}${
        hasInterval &&
        html`<line x1="${left}" x2="${right}" y1="${middle}" y2="${middle}" stroke="${fill}" stroke-width="3" stroke-opacity="0.45"/>`
      }<path d="${outline}" fill="${fill}" transform="translate(${place(value)} ${middle})"/></svg>`;
    },
    scale:
      all.length === 0
        ? null
        : html`<svg class="ratio-line" viewBox="0 0 ${WIDTH} ${HEIGHT}" text-anchor="middle" font-size="11" fill="var(--muted)">${ticks.map((tick) => html`<text x="${place(tick)}" y="12">${axis.format(tick)}</text>`)}</svg>`,
  };
}

function tickLine(x: number, isOne: boolean): Markup {
  return isOne
    ? html`<line x1="${x}" x2="${x}" y1="0" y2="${HEIGHT}" stroke="var(--muted)" stroke-dasharray="3 2"/>`
    : html`<line x1="${x}" x2="${x}" y1="0" y2="${HEIGHT}" stroke="var(--line)"/>`;
}

/** Ticks whose words do not touch: 1, then those furthest from it, which say how far the scale reaches. */
function apart(all: readonly number[], place: (ratio: number) => number): readonly number[] {
  const kept = [1];
  for (const tick of all.toSorted((a, b) => Math.abs(Math.log(b)) - Math.abs(Math.log(a)))) {
    if (kept.every((other) => Math.abs(place(other) - place(tick)) >= LEAST_APART)) kept.push(tick);
  }
  return kept.sort((a, b) => a - b);
}
