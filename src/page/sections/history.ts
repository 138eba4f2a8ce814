import {
  FEWEST_RUNS_OF_TREND,
  SEARCHED_RUNS,
  type Trend,
  type TrendRun,
  type TrendSeries,
  type TrendVariant,
} from '../../analysis/series.ts';
import { lineState } from '../../gate/run-state.ts';
import { SLOW_DRIFT } from '../../gate/undecided-words.ts';
import { KIND_NAMES } from '../../kit/names.ts';
import { capital, count, ordinal, plural } from '../../kit/wording.ts';
import { clockTime, toned } from '../../markup/document.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { table } from '../../markup/table.ts';
import {
  changeDirection,
  changeSentence,
  changesOf,
  headlineSeries,
  ignoredRunsWords,
  lastChangeWords,
  leftOutSentences,
  NOTHING_TO_FOLLOW,
  noChangeWords,
  runBeforeWords,
  seriesWords,
  type TrendChange,
  usualWords,
  verdictsSentence,
} from '../../report/trend-statement.ts';
import { seriesFigure } from '../drawing/series-plot.ts';
import { definedIn } from '../markup/section.ts';

export interface HistorySource {
  readonly trend: Trend;
  /** Relative to the page; null where the run has no report. */
  readonly reportOf: (run: string) => string | null;
}

const DIRECTION_CLASSES = { better: 'state good', worse: 'state bad', spread: 'state', neither: 'state' } as const;
const DIRECTION_WORDS = { better: 'Better', worse: 'Worse', spread: 'Spread', neither: 'Changed' } as const;

export function historyOverview(source: HistorySource): Markup {
  const { trend } = source;
  const { suite, runs } = trend;
  const [first, last] = [runs[0], runs.at(-1)];
  const shown = changesOf(trend, (series, variant) => headlineSeries(variant).includes(series));
  const others = changesOf(trend, (series, variant) => !headlineSeries(variant).includes(series));
  const sentences = leftOutSentences(trend);
  return html`<header class="title">
<p class="eyebrow">Retake history</p>
<h1>${suite}</h1>
${first !== undefined && last !== undefined && html`<p class="meta">${clockTime(first.startedAt)} to ${clockTime(last.startedAt)}</p>`}
</header>
<section id="overview" aria-labelledby="overview-title">
<h2 id="overview-title" class="quiet">Overview</h2>
<p>${overviewSentence(source)}</p>
<h3 id="changes">${shown.length === 0 ? noChangeWords(trend) : plural(shown.length, 'change')}</h3>
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

/** `Last run RUN (LABEL): Gate failed. 14 runs of 2 variants, 1 incomplete; gate: 11 passed, 2 failed (RUN, RUN).` */
function overviewSentence(source: HistorySource): Markup {
  const { runs, variants, baseFrom } = source.trend;
  const last = runs.at(-1);
  const incomplete = runs.filter(({ complete }) => !complete).length;
  const parts = [
    `${plural(runs.length, 'run')} of ${plural(variants.length, 'variant')}${incomplete === 0 ? '' : `, ${count(incomplete)} incomplete`}`,
    verdictsSentence({ runs }) ?? 'no gate',
    ...(baseFrom === null ? [] : [ignoredRunsWords(baseFrom.run)]),
  ];
  return html`${last !== undefined && html`<b>Last run ${runLink(last.run, source)}${last.label !== undefined && ` (${last.label})`}: ${toned(lineState(last))}.</b> `}${parts.join('; ')}.`;
}

function changeItem(changed: TrendChange): Markup {
  const direction = changeDirection(changed.series, changed.change);
  return html`<li><span class="${DIRECTION_CLASSES[direction]}">${DIRECTION_WORDS[direction]}</span> ${changeSentence(changed)}.</li>`;
}

function lastTable({ variants }: Trend): Markup | false {
  const rows = variants.flatMap((variant) => headlineSeries(variant).map((series) => ({ variant, series })));
  if (rows.length === 0) return html`<p class="empty">${NOTHING_TO_FOLLOW}</p>`;
  const hasBase = rows.some(({ series }) => series.againstBase !== null);
  const severalKinds = new Set(rows.map(({ variant }) => variant.kind)).size > 1;
  const number = (head: string, cell: (series: TrendSeries) => string | null) => ({
    head,
    number: true,
    cell: ({ series }: (typeof rows)[number]) => cell(series) ?? '–',
  });
  const valueIn = (series: TrendSeries, value: number | undefined) =>
    value === undefined ? null : seriesWords(series)(value);
  return html`<h3 id="last">Last run</h3>
${table({
  label: 'Last values',
  as: 'stack',
  classes: 'plain side-by-side lines',
  rows,
  columns: [
    { head: 'Variant', cell: ({ variant }) => variant.variant },
    severalKinds && { head: 'Kind', cell: ({ variant }) => KIND_NAMES[variant.kind] },
    // A report shows a median under this name.
    { head: 'Metric', cell: ({ series: { metric, scale } }) => (scale === 'value' ? `${metric}, mean` : metric) },
    number('Last', (series) => valueIn(series, series.points.at(-1)?.value)),
    number('To the run before', runBeforeWords),
    ...(hasBase
      ? [
          number('Base', (series) =>
            series.againstBase === null
              ? `needs ${FEWEST_RUNS_OF_TREND} runs`
              : valueIn(series, series.againstBase.base),
          ),
          number('To its base', lastChangeWords),
          number('Usual', usualWords),
        ]
      : []),
    number('Runs', ({ points }) => count(points.length)),
  ],
})}`;
}

export function bandNote(variants: readonly TrendVariant[]): string {
  const hasBand = variants.some(({ series }) => headlineSeries({ series }).some(({ points }) => points.some(isBased)));
  return hasBand
    ? `Shaded: where a run lies in 98 of 100 cases if the service does not change, by the 8 to 30 runs before it.`
    : `Charts show what is usual, as a shaded band, from the ${ordinal(FEWEST_RUNS_OF_TREND)} comparable run on.`;
}

function isBased({ usual }: TrendSeries['points'][number]): boolean {
  return usual !== null;
}

export function historyVariant(variant: TrendVariant, source: HistorySource): Markup {
  const { variant: name, series, comparable, isInLastRun, leftOut } = variant;
  const byName = new Map(source.trend.runs.map((run) => [run.run, run]));
  const runs = comparable.map((run) => byName.get(run)).filter((run) => run !== undefined);
  const headlines = headlineSeries(variant);
  const others = series.filter((metricSeries) => !headlines.includes(metricSeries) && metricSeries.changes.length > 0);
  const labelOf = (drawn: readonly TrendSeries[]): string =>
    `${name}: ${drawn.map(({ metric }) => metric).join(', ')} of ${plural(runs.length, 'run')}; the numbers are in the file of retake history --csv FILE`;
  const facts = [
    `${plural(runs.length, 'comparable run')}${leftOut.length === 0 ? '' : `, ${count(leftOut.length)} left out`}`,
    ...(isInLastRun ? [] : ['not in the last complete run']),
  ];
  return html`<article class="variant"><h3>${name}</h3>
<p class="note">${facts.join('; ')}.</p>
${
  series.length === 0
    ? html`<p class="empty">${NOTHING_TO_FOLLOW}</p>`
    : html`${seriesFigure(labelOf(headlines), runs, headlines, source.reportOf)}${
        others.length > 0 &&
        html`<details class="more"><summary>${plural(others.length, 'other metric')} of ${name} with a change</summary>
${seriesFigure(labelOf(others), runs, others, source.reportOf)}</details>`
      }`
}
</article>
`;
}

export function historyRuns(source: HistorySource): Markup {
  const { runs } = source.trend;
  return html`<section id="runs" aria-labelledby="runs-title">
<h2 id="runs-title">Runs</h2>
<p class="note">The latest run first. A run without a link has no report.html beside this page.</p>
${table<TrendRun>({
  label: 'Runs',
  as: 'stack',
  classes: 'plain side-by-side lines',
  columns: [
    { head: 'Run', cell: ({ run, label }) => html`${runLink(run, source)}${labelled(label)}` },
    { head: 'Began', cell: ({ startedAt }) => clockTime(startedAt) },
    { head: 'State', cell: (line) => toned(lineState(line)) },
  ],
  rows: runs.toReversed(),
})}
</section>
`;
}

function labelled(label: string | undefined): Markup | false {
  return label !== undefined && html`<small>${label}</small>`;
}

function runLink(run: string, { reportOf }: Pick<HistorySource, 'reportOf'>): Markup {
  const url = reportOf(run);
  return url === null ? html`${run}` : html`<a href="${url}">${run}</a>`;
}

export function historyMethod({ variants }: Pick<Trend, 'variants'>): Markup {
  const series = variants.reduce((sum, variant) => sum + variant.series.length, 0);
  return html`<section id="method" aria-labelledby="method-title">
<h2 id="method-title">Method</h2>
<ul class="methods">
<li>Charts show latency, errors and rates above 0; every other metric with a change is in a part that opens. <code>retake history --csv FILE</code> writes all metrics of all runs. Runs are at equal distances, whenever they began. Each row has its own scale of at least a ratio of 1.2, or 5 points, so that little noise looks flat; two strokes at its foot say that it does not begin at 0. A dot leads to the report of its run. Blue lines show the means between changes, dashed lines the changes, the large dot the last run. Below the rows, a cross marks a run that failed its gate, and a ring an inconclusive run.</li>
<li>Changes are looked for in the last ${count(SEARCHED_RUNS)} runs, in each of the ${count(series)} series of this page by itself: about 1 in 100 series that did not change shows a change. A change of the spread alone is marked spread.</li>
<li>The shaded band is what is usual for each run, by its own base; a run outside it is unusual, which one run in 50 is by chance. A rate has no band, because most rates are 0.</li>
<li>${definedIn('Series')}</li>
<li>This page decides nothing. To fail on a change, add a rule with against: history to the gate of the suite; ${SLOW_DRIFT}.</li>
</ul>
</section>
`;
}
