import { html, type Markup } from '../../../report/html/markup/markup.ts';
import { duration } from '../../../text/quantity.ts';
import type { HeadlineTrend } from '../../progress/headline-trend.ts';
import { sparkLine } from './spark-line.ts';

/** The headline latency of each variant from run to run. */
export function trendList(trends: readonly HeadlineTrend[]): Markup | null {
  if (trends.length === 0) return null;
  return html`<ul class="trends" aria-label="Latency from run to run">${trends.map(
    ({ variant, lnValues }) =>
      html`<li><span class="name" title="${variant}">${variant}</span>${sparkLine(lnValues)}<b>${duration(Math.exp(lnValues.at(-1) ?? 0))}</b></li>`,
  )}</ul>
<p class="note fine">Typical latency of the latest complete run (geometric mean over cells); each line shows the runs before it.</p>
`;
}
