import { SEARCHED_RUNS } from '../../../compare/history/series.ts';
import type { Trend } from '../../../compare/history/trend.ts';
import { count } from '../../../text/quantity.ts';
import { FEWEST_RUNS_OF_TREND } from '../../statements/trend-statement.ts';
import { html, type Markup } from '../markup/markup.ts';

/** How to read the page, and what its numbers assume. */
export function historyMethod({ variants }: Pick<Trend, 'variants'>): Markup {
  const series = variants.reduce((sum, each) => sum + each.series.length, 0);
  return html`<section id="method" aria-labelledby="method-title">
<h2 id="method-title">Method</h2>
<ul class="methods">
<li>A series holds the complete runs that sent the variant the same requests, under the same load and to the same base URL, as its last complete run. Other runs are named above and are not mixed in.</li>
<li>The value of a latency is the geometric mean over its cells (prompt and seed), as if every run had a value of every cell. A rate is the share of takes.</li>
<li>Charts show latency, errors, rates above 0, and behind a line to open every other metric with a change; the tables have all. They place runs at even distances, whenever they began. Each row has its own scale; it spans a ratio of 1.2 or 5 points at least, so that little noise looks flat. Blue lines are means between changes, dashed lines changes, the large dot the last run. Below the rows, a cross is a run that failed its gate, a ring an inconclusive one.</li>
<li>Changes are found by E-divisive (Matteson and James 2014) with a seeded permutation test at 1 %, in the last ${count(SEARCHED_RUNS)} runs. It finds changes of any kind: a change of spread alone is marked spread. Each of the ${count(series)} series of this page is tested by itself: of 100 that do not change, about one shows a change.</li>
<li>The base of the last run is the last 8 to 30 comparable runs before the last two; a stored baseline begins it again. With fewer than ${FEWEST_RUNS_OF_TREND} runs there is none. Usual is the range in which the next run of an unchanged service lies in 98 of 100 cases, if runs are independent and logarithms of their values normal.</li>
<li>This page decides nothing. A rule with against: history in the gate of the suite does.</li>
</ul>
</section>
`;
}
