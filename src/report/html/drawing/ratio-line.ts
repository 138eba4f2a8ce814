import { html, type Markup } from '../markup/markup.ts';
import type { VariantMark } from './variant-mark.ts';

/** In pixels; drawn at this size in a table's cell. */
const WIDTH = 96;
const HEIGHT = 18;
const SIDE = 7;

/** One comparison: the estimate, and its interval where it has one; an end that time-outs leave open is null. */
export interface RatioLine {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly hasInterval: boolean;
}

/** Lines of one scale, a log scale that holds 1: the same distance is the same ratio in every line. */
export function ratioLines(all: readonly RatioLine[]): (line: RatioLine, mark: VariantMark) => Markup {
  const logs = all.flatMap(({ value, low, high }) =>
    [value, low, high].flatMap((each) => (each === null ? [] : [Math.log(each)])),
  );
  const from = logs.reduce((least, log) => Math.min(least, log), 0);
  const to = logs.reduce((most, log) => Math.max(most, log), 0);
  const place = (ratio: number): number =>
    Number((SIDE + (to === from ? 0.5 : (Math.log(ratio) - from) / (to - from)) * (WIDTH - 2 * SIDE)).toFixed(1));
  const middle = HEIGHT / 2;
  return ({ value, low, high, hasInterval }, { fill, outline }) => {
    const [left, right] = [low === null ? 0 : place(low), high === null ? WIDTH : place(high)];
    return html`<svg class="ratio-line" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true"><line x1="${place(1)}" x2="${place(1)}" y1="0" y2="${HEIGHT}" stroke="var(--muted)" stroke-dasharray="3 2"/>${
      hasInterval &&
      html`<line x1="${left}" x2="${right}" y1="${middle}" y2="${middle}" stroke="${fill}" stroke-width="3" stroke-opacity="0.45"/>`
    }<path d="${outline}" fill="${fill}" transform="translate(${place(value)} ${middle})"/></svg>`;
  };
}
