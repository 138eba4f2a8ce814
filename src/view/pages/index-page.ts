import { html, type Markup } from '../../report/html/markup/markup.ts';
import { count, duration, plural } from '../../text/quantity.ts';
import type { HeadlineTrend } from '../progress/headline-trend.ts';
import { COMPARE_ADDRESS, historyAddress, INDEX_ADDRESS, suiteAddress } from './addresses.ts';
import { type Page, page } from './page.ts';
import { type ListedRun, runsTable } from './runs-table.ts';
import { sparkLine } from './spark-line.ts';

/** A suite of the list. */
export interface ListedSuite {
  readonly suite: string;
  /** How many runs it has, shards not counted. */
  readonly runs: number;
  readonly trends: readonly HeadlineTrend[];
  /** The latest, the latest first. */
  readonly latest: readonly ListedRun[];
}

export interface IndexSource {
  /** The name of the folder of all results. */
  readonly folder: string;
  readonly suites: readonly ListedSuite[];
  /** Suites that are not listed, because there are too many. */
  readonly others: readonly string[];
}

/** Every suite with its trend and its latest runs. */
export function indexPage({ folder, suites, others }: IndexSource): Page {
  return page({
    title: 'Results',
    links: [
      { href: INDEX_ADDRESS, title: 'All suites' },
      { href: COMPARE_ADDRESS, title: 'Compare two runs' },
      ...suites.map(({ suite }) => ({ href: suiteAddress(suite), title: suite })),
    ],
    content: html`<header class="title">
<p class="eyebrow">Retake results</p>
<h1>${folder}</h1>
<p class="meta"><span>${plural(suites.length + others.length, 'suite')}</span></p>
</header>
${
  suites.length === 0 &&
  html`<p class="empty">There is no run yet. Measure a suite with <code>retake run</code>, then load this page again.</p>`
}${suites.map(suiteSection)}${
  others.length > 0 &&
  html`<section aria-labelledby="others"><h2 id="others">More suites</h2><ul class="actions">${others.map((suite) => html`<li><a href="${suiteAddress(suite)}">${suite}</a></li>`)}</ul></section>
`
}`,
  });
}

function suiteSection({ suite, runs, trends, latest }: ListedSuite, at: number): Markup {
  const id = `suite-${at}`;
  return html`<section aria-labelledby="${id}">
<h2 id="${id}"><a href="${suiteAddress(suite)}">${suite}</a></h2>
${trendList(trends)}${runsTable(`Latest runs of ${suite}`, latest)}<ul class="actions">${
    runs > latest.length && html`<li><a href="${suiteAddress(suite)}">All ${count(runs)} runs of ${suite}</a></li>`
  }<li><a href="${historyAddress(suite)}">Trend of ${suite}</a></li></ul>
</section>
`;
}

/** The headline latency of each variant from run to run. */
export function trendList(trends: readonly HeadlineTrend[]): Markup | null {
  if (trends.length === 0) return null;
  return html`<ul class="trends" aria-label="Latency from run to run">${trends.map(
    ({ variant, lnValues }) =>
      html`<li><span class="name">${variant}</span>${sparkLine(lnValues)}<b>${duration(Math.exp(lnValues.at(-1) ?? 0))}</b></li>`,
  )}</ul>
<p class="note fine">Typical latency of the latest complete run (geometric mean over cells); each line shows the runs before it.</p>
`;
}
