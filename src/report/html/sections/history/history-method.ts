import { SEARCHED_RUNS } from '../../../../compare/history/series.ts';
import type { Trend } from '../../../../compare/history/trend.ts';
import { count } from '../../../../text/wording.ts';
import { FEWEST_RUNS_OF_TREND } from '../../../statements/trend-statement.ts';
import { html, type Markup } from '../../markup/markup.ts';

export function historyMethod({ variants }: Pick<Trend, 'variants'>): Markup {
  const series = variants.reduce((sum, each) => sum + each.series.length, 0);
  return html`<section id="method" aria-labelledby="method-title">
<h2 id="method-title">Method</h2>
<ul class="methods">
<li>A series holds the complete runs that sent the variant the same requests, under the same load and to the same base URL, as its last complete run. Other runs are named above and left out.</li>
<li>The value of a latency is the geometric mean over its cells (prompt and seed), as if every run had a value of every cell. A rate is the share of takes.</li>
<li>Charts show latency, errors and rates above 0; every other metric with a change is in a part that opens. The tables have all metrics. Runs are at equal distances, whenever they began. Each row has its own scale of at least a ratio of 1.2, or 5 points, so that little noise looks flat. Blue lines show the means between changes, dashed lines the changes, the large dot the last run. Below the rows, a cross marks a run that failed its gate, and a ring an inconclusive run.</li>
<li>Changes are found by E-divisive (Matteson and James 2014) with a seeded permutation test at 1 %, in the last ${count(SEARCHED_RUNS)} runs. It finds changes of any kind; a change of the spread alone is marked spread. Each of the ${count(series)} series of this page is tested by itself, so about 1 in 100 series that did not change shows a change.</li>
<li>The base of the last run is the last 8 to 30 comparable runs before the last two; a stored baseline begins a new base. With fewer than ${FEWEST_RUNS_OF_TREND} runs there is no base. Usual is the range of 98 of 100 further runs of an unchanged service, if runs are independent and the logarithms of their values normal.</li>
<li>This page decides nothing. To fail on a change, add a rule with against: history to the gate of the suite.</li>
</ul>
</section>
`;
}
