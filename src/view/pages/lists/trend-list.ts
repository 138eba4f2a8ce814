import { html, type Markup } from '../../../report/html/markup/markup.ts';
import { count, duration, durationUnit, plural } from '../../../text/quantity.ts';
import type { HeadlineTrend } from '../../progress/headline-trend.ts';
import { historyAddress } from '../parts/addresses.ts';
import { sparkLine } from './spark-line.ts';

/** More are on the page of the trend. */
const MOST_TRENDS = 24;

/** The headline latency of the first variants of a suite from run to run; says where the others are. */
export function trendList(suite: string, trends: readonly HeadlineTrend[]): Markup | null {
  if (trends.length === 0) return null;
  const shown = trends.slice(0, MOST_TRENDS);
  const unit = durationUnit(trends.map(({ lnValues }) => lastOf(lnValues)));
  return html`<ul class="trends" aria-label="Mean latency from run to run">${shown.map(
    ({ variant, lnValues }) =>
      html`<li><span class="name" title="${variant}">${variant}</span>${sparkLine(lnValues)}<b>${duration(lastOf(lnValues), unit)}</b></li>`,
  )}</ul>
<p class="note fine">Geometric mean of the latencies of all cells in the latest complete run; a report shows p50, which differs. Each line shows the runs before it.${
    shown.length < trends.length &&
    html` ${count(shown.length)} of ${plural(trends.length, 'variant')} are shown; <a href="${historyAddress(suite)}">the trend</a> has all.`
  }</p>
`;
}

/** Of the latest run, in milliseconds. */
function lastOf(lnValues: HeadlineTrend['lnValues']): number {
  return Math.exp(lnValues.at(-1) ?? 0);
}
