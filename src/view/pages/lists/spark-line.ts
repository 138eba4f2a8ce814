import { html, type Markup } from '../../../report/html/markup/markup.ts';

/** In pixels; drawn at this size. */
const WIDTH = 96;
const HEIGHT = 20;
const SIDE = 3;

/**
 * A small line of values in their order, on a log scale of their own, with a dot at the last one. At least a factor of 1.5 fills its
 * height, so that noise does not look like a change. Hidden from screen readers: the text beside it says the last value.
 *
 * @param lnValues natural logarithms
 */
export function sparkLine(lnValues: readonly number[]): Markup {
  const least = lnValues.reduce((a, b) => Math.min(a, b), Infinity);
  const most = lnValues.reduce((a, b) => Math.max(a, b), -Infinity);
  const middle = (least + most) / 2;
  const half = Math.max(most - least, Math.log(1.5)) / 2;
  const points = lnValues.map((value, at) => ({
    x: rounded(SIDE + (lnValues.length === 1 ? 1 : at / (lnValues.length - 1)) * (WIDTH - 2 * SIDE)),
    y: rounded(HEIGHT / 2 - ((value - middle) / half) * (HEIGHT / 2 - SIDE)),
  }));
  const last = points.at(-1);
  if (last === undefined) return html``;
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true"><polyline points="${points.map(({ x, y }) => `${x},${y}`).join(' ')}" fill="none" stroke="var(--dot)" stroke-width="1.4"/><circle cx="${last.x}" cy="${last.y}" r="2.6" fill="var(--accent)"/></svg>`;
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}
