import { groupBy } from '../../../../analysis/grouping.ts';
import type { Trend, TrendSeries, TrendVariant } from '../../../../compare/history/trend.ts';
import { wallClock } from '../../../../text/wall-clock.ts';
import { count, plural } from '../../../../text/wording.ts';
import {
  changeDirection,
  changeSentence,
  changesOf,
  FEWEST_RUNS_OF_TREND,
  headlineSeries,
  lastChangeWords,
  leftOutSentences,
  seriesWords,
  type TrendChange,
  usualWords,
  verdictsSentence,
} from '../../../statements/trend-statement.ts';
import { KIND_NAMES } from '../../../words/names.ts';
import type { HistorySource } from '../../history-source.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { runLink } from './history-runs.ts';

const VERDICTS = {
  pass: ['state good', 'Passed'],
  fail: ['state bad', 'Failed'],
  inconclusive: ['state warn', 'Inconclusive'],
  none: ['state', 'No gate'],
} as const;

const DIRECTION_CLASSES = { better: 'state good', worse: 'state bad', spread: 'state', neither: 'state' } as const;
const DIRECTION_WORDS = { better: 'Better', worse: 'Worse', spread: 'Spread', neither: 'Changed' } as const;

export function historyOverview(source: HistorySource): Markup {
  const { trend } = source;
  const { suite, runs, baseFrom, variants } = trend;
  const [first, last] = [runs[0], runs.at(-1)];
  const shown = changesOf(trend, (series, variant) => headlineSeries(variant).includes(series));
  const others = changesOf(trend, (series, variant) => !headlineSeries(variant).includes(series));
  const sentences = leftOutSentences(trend);
  const incomplete = runs.filter(({ complete }) => !complete).length;
  const verdicts = verdictsSentence({ runs });
  return html`<header class="title">
<p class="eyebrow">Retake history</p>
<h1>${suite}</h1>
<p class="meta"><span>${plural(runs.length, 'run')}</span>${
    first !== undefined &&
    last !== undefined &&
    html`<span><time datetime="${first.startedAt}">${wallClock(first.startedAt)}</time> to <time datetime="${last.startedAt}">${wallClock(last.startedAt)}</time></span>`
  }</p>
</header>
<section id="overview" aria-labelledby="overview-title">
<h2 id="overview-title" class="quiet">Overview</h2>
<dl class="facts">
<div><dt>Runs</dt><dd><span class="figure">${plural(runs.length, 'run')}</span>
<p>${incomplete === 0 ? 'All are complete.' : `${count(incomplete)} incomplete.`}</p></dd></div>
<div><dt>Last run</dt><dd><span class="${last === undefined ? 'state' : VERDICTS[last.verdict][0]}">${last === undefined ? '–' : VERDICTS[last.verdict][1]}</span>
<p>${last !== undefined && runLink(last.run, source)}</p></dd></div>
<div><dt>Gate</dt><dd><span class="figure">${plural(runs.filter(({ verdict }) => verdict === 'fail').length, 'failed run')}</span>
<p>${verdicts === null ? 'No run has a gate.' : `${capital(verdicts)}.`}</p></dd></div>
<div><dt>Variants</dt><dd><span class="figure">${plural(variants.length, 'variant')}</span>
<p>${baseFrom === null ? 'No stored baseline.' : `The base begins with run ${baseFrom.run}, the stored baseline.`}</p></dd></div>
</dl>
<h3 id="changes">${shown.length === 0 ? 'No change found' : plural(shown.length, 'change')}</h3>
${shown.length > 0 && html`<ul class="results">${shown.map(changeItem)}</ul>`}
${
  others.length > 0 &&
  html`<details class="more"><summary>${plural(others.length, 'change')} of other metrics</summary>
<ul class="results">${others.map(changeItem)}</ul></details>`
}
${sentences.length > 0 && html`<p class="note">${sentences.map((sentence) => `${capital(sentence)}.`).join(' ')}</p>`}
${lastTable(trend)}
</section>
`;
}

function changeItem(found: TrendChange): Markup {
  const direction = changeDirection(found.series, found.change);
  return html`<li><span class="${DIRECTION_CLASSES[direction]}">${DIRECTION_WORDS[direction]}</span> ${changeSentence(found)}.</li>`;
}

const LAST_HEADS = ['Metric', 'Last', 'Base', 'Change', 'Usual', 'Runs'] as const;

function lastTable({ variants }: Trend): Markup | false {
  const rows = variants.flatMap((variant) => headlineSeries(variant).map((series) => ({ variant, series })));
  if (rows.length === 0)
    return html`<p class="empty">No complete run has a value that can be followed; a sweep never has one.</p>`;
  const kinds = groupBy(rows, ({ variant }) => variant.kind);
  return html`<h3 id="last">Last run against its base</h3>
<table class="plain side-by-side lines" role="table" aria-label="Last values">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Variant</th>${LAST_HEADS.map(
    (head) => html`<th scope="col" role="columnheader"${head !== 'Metric' && html` class="number"`}>${head}</th>`,
  )}</tr></thead>
${[...kinds].map(
  ([
    kind,
    own,
  ]) => html`<tbody role="rowgroup">${kinds.size > 1 && html`<tr role="row"><th scope="rowgroup" role="rowheader" colspan="${1 + LAST_HEADS.length}">${KIND_NAMES[kind]}</th></tr>`}
${own.map(({ variant, series }) => lastRow(variant, series))}</tbody>`,
)}</table>`;
}

function lastRow({ variant }: TrendVariant, series: TrendSeries): Markup {
  const { metric, points, againstBase } = series;
  const inWords = seriesWords(series);
  const last = points.at(-1);
  const words: Readonly<Record<(typeof LAST_HEADS)[number], string>> = {
    Metric: metric,
    Last: last === undefined ? '–' : inWords(last.value),
    Base: againstBase === null ? `needs ${FEWEST_RUNS_OF_TREND} runs` : inWords(againstBase.base),
    Change: lastChangeWords(series) ?? '–',
    Usual: usualWords(series) ?? '–',
    Runs: count(points.length),
  };
  return html`<tr role="row"><th scope="row" role="rowheader">${variant}</th>${LAST_HEADS.map(
    (head) =>
      html`<td role="cell" data-label="${head}"${head !== 'Metric' && html` class="number"`}><span>${words[head]}</span></td>`,
  )}</tr>
`;
}

function capital(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}
