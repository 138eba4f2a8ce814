import { html } from '../../report/html/markup/markup.ts';
import { plural } from '../../text/quantity.ts';
import type { HeadlineTrend } from '../progress/headline-trend.ts';
import { historyAddress, INDEX_ADDRESS, keyOf, type RunPlace, suiteAddress } from './addresses.ts';
import { compareForm } from './compare-form.ts';
import { trendList } from './index-page.ts';
import { type Page, page } from './page.ts';
import { type Part, pager } from './pager.ts';
import { type ListedRun, runsTable } from './runs-table.ts';

export interface SuiteSource {
  readonly suite: string;
  readonly trends: readonly HeadlineTrend[];
  /** Those of this part, the latest first. */
  readonly runs: readonly ListedRun[];
  readonly part: Part;
  /** Runs to compare, the latest first. */
  readonly choices: readonly RunPlace[];
}

/** Every run of a suite, in parts. */
export function suitePage({ suite, trends, runs, part, choices }: SuiteSource): Page {
  const [latest, before] = choices;
  return page({
    title: suite,
    links: [
      { href: INDEX_ADDRESS, title: 'All suites' },
      { href: suiteAddress(suite), title: suite },
      { href: historyAddress(suite), title: 'Trend' },
    ],
    content: html`<header class="title">
<p class="eyebrow">Retake suite</p>
<h1>${suite}</h1>
<p class="meta"><span>${plural(part.of, 'run')}</span></p>
</header>
<section aria-labelledby="runs"><h2 id="runs">Runs</h2>
${trendList(trends)}${runs.length === 0 ? html`<p class="empty">There is no run here.</p>` : runsTable(`Runs of ${suite}`, runs)}${pager(part, 'Runs', (from) => suiteAddress(suite, from))}</section>
${
  latest !== undefined &&
  before !== undefined &&
  html`<section aria-labelledby="compare"><h2 id="compare">Compare two runs</h2>
${compareForm(choices, { a: keyOf(before), b: keyOf(latest) })}</section>
`
}`,
  });
}
