import type { TrendRun, TrendSeries, TrendVariant } from '../../../../compare/history/trend.ts';
import { count, plural } from '../../../../text/wording.ts';
import { changeDirection, changeWords, headlineSeries, seriesWords } from '../../../statements/trend-statement.ts';
import { seriesFigure } from '../../drawing/series-plot.ts';
import type { HistorySource } from '../../history-source.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { runLink } from './history-runs.ts';

export function historyVariant(variant: TrendVariant, source: HistorySource): Markup {
  const { variant: name, series, comparable, isInLastRun, leftOut } = variant;
  const byName = new Map(source.trend.runs.map((run) => [run.run, run]));
  const runs = comparable.map((run) => byName.get(run)).filter((run) => run !== undefined);
  const headlines = headlineSeries(variant);
  const others = series.filter((each) => !headlines.includes(each) && each.changes.length > 0);
  const labelOf = (drawn: readonly TrendSeries[]): string =>
    `${name}: ${drawn.map(({ metric }) => metric).join(', ')} of ${plural(runs.length, 'run')}; the numbers are in the table below`;
  const facts = [
    `${plural(runs.length, 'comparable run')}${leftOut.length === 0 ? '' : `, ${count(leftOut.length)} left out`}`,
    ...(isInLastRun ? [] : ['not in the last complete run']),
  ];
  return html`<article class="variant"><h3>${name}</h3>
<p class="note">${facts.join('; ')}.</p>
${
  series.length === 0
    ? html`<p class="empty">No complete run has a value that can be followed; a sweep never has one.</p>`
    : html`${seriesFigure(labelOf(headlines), runs, headlines)}${
        others.length > 0 &&
        html`<details class="more"><summary>${plural(others.length, 'other metric')} of ${name} with a change</summary>
${seriesFigure(labelOf(others), runs, others)}</details>`
      }${numbers(name, runs, series, source)}`
}
</article>
`;
}

function numbers(
  name: string,
  runs: readonly TrendRun[],
  series: readonly TrendSeries[],
  source: HistorySource,
): Markup {
  const columns = series.map((each) => {
    const inWords = seriesWords(each);
    return {
      series: each,
      values: new Map(each.points.map(({ run, value }) => [run, inWords(value)])),
      changes: new Map(each.changes.map((change) => [change.run, change])),
    };
  });
  const cell = (column: (typeof columns)[number], run: string): Markup => {
    const change = column.changes.get(run);
    const isSpread = change !== undefined && changeDirection(column.series, change) === 'spread';
    const words = change === undefined ? null : isSpread ? 'spread' : changeWords(column.series, change);
    return html`<td class="number">${column.values.get(run) ?? '–'}${words !== null && html` <span class="tag">${words}</span>`}</td>`;
  };
  return html`<details class="more"><summary>Numbers of ${name}: ${plural(series.length, 'metric')} in ${plural(runs.length, 'run')}</summary>
<div class="scroll" tabindex="0" role="group" aria-label="${`Numbers of ${name}: scrolls sideways`}"><table class="plain">
<thead><tr><th scope="col">Run</th>${series.map(({ metric }) => html`<th scope="col" class="number">${metric}</th>`)}</tr></thead>
<tbody>${runs.toReversed().map(
    ({ run }) => html`<tr><th scope="row">${runLink(run, source)}</th>${columns.map((column) => cell(column, run))}</tr>
`,
  )}</tbody></table></div></details>`;
}
