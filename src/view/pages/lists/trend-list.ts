import { count, duration, durationUnit, plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { historyAddress } from '../../addresses.ts';
import type { HeadlineTrend } from '../../progress/suite-history.ts';

const MOST_TRENDS = 24;

/** In pixels; drawn at this size. */
const WIDTH = 96;
const HEIGHT = 20;
const SIDE = 3;

/** @param isExplained whether a note says what its numbers are */
export function trendList(suite: string, trends: readonly HeadlineTrend[], isExplained = true): Markup | null {
  if (trends.length === 0) return null;
  const shown = trends.slice(0, MOST_TRENDS);
  const unit = durationUnit(trends.map(({ lnValues }) => lastOf(lnValues)));
  return html`<ul class="trends" aria-label="Mean latency from run to run">${shown.map(
    ({ variant, lnValues }) =>
      html`<li><span class="name" title="${variant}">${variant}</span>${sparkLine(lnValues)}<b>${duration(lastOf(lnValues), unit)}</b></li>`,
  )}</ul>
${
  isExplained &&
  html`<p class="note fine">${TREND_WORDS}${
    shown.length < trends.length &&
    html` ${count(shown.length)} of ${plural(trends.length, 'variant')} are shown; <a href="${historyAddress(suite)}">the trend</a> has all.`
  }</p>
`
}`;
}

export const TREND_WORDS =
  'Latency is the geometric mean over all prompts and seeds in the latest complete run; a report shows p50, which differs. Its line shows the runs before.';

/** In milliseconds. */
function lastOf(lnValues: HeadlineTrend['lnValues']): number {
  return Math.exp(lnValues.at(-1) ?? 0);
}

/**
 * Values in their order, on a log scale of their own. At least a factor of 1.5 fills its height, so that noise does not
 * look like a change. Hidden from screen readers: the text beside it says the last value.
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
  if (last === undefined || points.length === 1) return html``;
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true"><polyline points="${points.map(({ x, y }) => `${x},${y}`).join(' ')}" fill="none" stroke="var(--dot)" stroke-width="1.4"/><circle cx="${last.x}" cy="${last.y}" r="2.6" fill="var(--accent)"/></svg>`;
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}
