import { FEWEST_RUNS, MOST_RUNS } from '../analysis/earlier-runs.ts';
import {
  FEWEST_RUNS_OF_TREND,
  SEARCHED_RUNS,
  type Trend,
  type TrendSeries,
  type TrendVariant,
} from '../analysis/series.ts';
import { SLOW_DRIFT } from '../gate/undecided-words.ts';
import { groupBy } from '../kit/grouping.ts';
import { KIND_NAMES } from '../kit/names.ts';
import { clipped, textWidth, wrapped } from '../kit/text-width.ts';
import { localDay } from '../kit/time.ts';
import { visibleLine } from '../kit/visible.ts';
import { capital, count, listedInShort, plural } from '../kit/wording.ts';
import { mean } from '../statistics/mean.ts';
import {
  bar,
  GAP,
  NARROWEST,
  type Paint,
  painter,
  printed,
  type TableRow,
  type TerminalOptions,
  tableLines,
} from './paint.ts';

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
  seriesScale,
  seriesWords,
  usualWords,
  verdictsSentence,
} from './trend-statement.ts';

export interface HistoryOptions extends TerminalOptions {
  /** Null shows latency, errors, and every rate that was ever above 0. */
  readonly metrics: readonly string[] | null;
}

const WIDEST_STRIP = 30;
const NARROWEST_STRIP = 8;

/** Columns of a table beside its strip, at most. */
const OTHER_COLUMNS = 50;

const MOST_CHANGES = 12;

/** Ends with a line feed: a table for each kind and metric, changes, and what is left out. */
export function renderHistory(trend: Trend, options: HistoryOptions): string {
  const width = Math.max(NARROWEST, options.width);
  const paint = painter(options);
  const isShown = (series: TrendSeries, variant: TrendVariant) =>
    options.metrics === null ? headlineSeries(variant).includes(series) : options.metrics.includes(series.metric);
  const strip = Math.max(NARROWEST_STRIP, Math.min(WIDEST_STRIP, width - OTHER_COLUMNS));
  const tables = tablesOf(trend, isShown, strip, width, paint);
  const blocks = [
    head(trend, width, paint),
    ...tables,
    ...(tables.length === 0 ? [[noSeriesWords(options.metrics)]] : [legend(trend, isShown, strip, width, paint)]),
    changeLines(trend, isShown, width, paint),
    leftOutLines(trend, width, paint),
  ];
  return printed(blocks, options);
}

function head({ suite, runs, baseFrom }: Trend, width: number, paint: Paint): readonly string[] {
  const [first, last] = [runs[0], runs.at(-1)];
  const dates =
    first === undefined || last === undefined ? '' : datesWords(localDay(first.startedAt), localDay(last.startedAt));
  const verdicts = verdictsSentence({ runs });
  const sentences = [
    ...(verdicts === null ? [] : [`${capital(verdicts)}.`]),
    ...(baseFrom === null ? [] : [`${capital(ignoredRunsWords(baseFrom.run))}.`]),
  ];
  const about = `${plural(runs.length, 'run')}${dates}`;
  const title = clipped(visibleLine(suite), width);
  return [
    ...(textWidth(title) + GAP.length + textWidth(about) <= width
      ? [`${paint('bold', title)}${GAP}${paint('dim', about)}`]
      : [paint('bold', title), ...wrapped(about, width).map((line) => paint('dim', line))]),
    ...sentences.flatMap((sentence) => wrapped(visibleLine(sentence), width)),
  ];
}

type IsShown = (series: TrendSeries, variant: TrendVariant) => boolean;

function tablesOf(
  { variants }: Trend,
  isShown: IsShown,
  strip: number,
  width: number,
  paint: Paint,
): readonly (readonly string[])[] {
  const shown = variants.flatMap((variant) =>
    variant.series.filter((series) => isShown(series, variant)).map((series) => ({ variant, series })),
  );
  const byTable = groupBy(shown, ({ variant, series }) => `${variant.kind} ${series.metric}`);
  return [...byTable.values()].map((rows) => {
    const [{ variant, series }] = rows;
    const title = `${KIND_NAMES[variant.kind]}: ${series.metric}`;
    const hasBase = rows.some(({ series }) => series.againstBase !== null);
    const lines = rows.map(({ variant, series }) => rowOf(variant, series, hasBase, strip));
    return tableLines(title, ['last', ...(hasBase ? ['change'] : []), 'runs', 'trend'], lines, width, paint);
  });
}

function rowOf({ variant, isInLastRun }: TrendVariant, series: TrendSeries, hasBase: boolean, strip: number): TableRow {
  const { points, againstBase } = series;
  const last = points.at(-1);
  return {
    name: visibleLine(variant),
    cells: [
      {
        value: last === undefined ? '–' : seriesWords(series)(last.value),
        evidence: last === undefined || isInLastRun ? '' : localDay(last.startedAt),
      },
      ...(hasBase
        ? [{ value: lastChangeWords(series) ?? '–', evidence: usualOrNeeds(againstBase, usualWords(series)) }]
        : []),
      { value: count(points.length), evidence: '' },
      { value: stripOf(series, strip), evidence: '' },
    ],
  };
}

function usualOrNeeds(againstBase: TrendSeries['againstBase'], usual: string | null): string {
  if (againstBase === null) return `needs ${FEWEST_RUNS_OF_TREND} runs`;
  return usual === null ? '' : `usual ${usual}`;
}

function stripOf(series: TrendSeries, columns: number): string {
  const { place } = seriesScale(series);
  const perBar = runsPerBar(series, columns);
  const bars: string[] = [];
  for (let at = 0; at < series.points.length; at += perBar) {
    const level = mean(series.points.slice(at, at + perBar).map(({ value }) => place(value))) ?? 0;
    bars.push(bar(level));
  }
  return bars.join('');
}

function runsPerBar({ points }: Pick<TrendSeries, 'points'>, columns: number): number {
  return Math.max(1, Math.ceil(points.length / columns));
}

function noSeriesWords(metrics: readonly string[] | null): string {
  return metrics === null ? NOTHING_TO_FOLLOW : 'No complete run has a value of this metric.';
}

function legend({ variants }: Trend, isShown: IsShown, strip: number, width: number, paint: Paint): readonly string[] {
  const shown = variants.flatMap((variant) => variant.series.filter((series) => isShown(series, variant)));
  const perBar = shown.map((series) => runsPerBar(series, strip));
  const most = Math.max(...perBar);
  const bars = most === 1 ? 'a bar for each run' : `each bar is the mean of up to ${plural(most, 'run')}`;
  const hasBase = shown.some(({ againstBase }) => againstBase !== null);
  const words =
    'Last: the value of the last comparable run; a latency is the geometric mean over prompts x seeds. ' +
    (hasBase
      ? `Change: against the mean of the base, ${FEWEST_RUNS} to ${MOST_RUNS} runs before the last two. Usual: the range of 98 of 100 further runs if the service does not change. In a gate, ${SLOW_DRIFT}. `
      : `A change against earlier runs needs ${FEWEST_RUNS_OF_TREND} comparable runs. `) +
    `Trend: ${bars}, the latest at the right, from the lowest to the highest value.` +
    (shown.some(({ points }) => points.length > SEARCHED_RUNS)
      ? ` Changes are looked for in the last ${SEARCHED_RUNS} runs.`
      : '');
  return wrapped(words, width).map((line) => paint('dim', line));
}

function changeLines(trend: Trend, isShown: IsShown, width: number, paint: Paint): readonly string[] {
  const all = changesOf(trend, () => true);
  const shown = changesOf(trend, isShown);
  if (all.length === 0) return [`${noChangeWords(trend)}.`];
  const others = all.length - shown.length;
  const more = shown.length - MOST_CHANGES;
  const rest = [
    ...(more > 0 ? [`and ${plural(more, 'earlier change')}: the page shows all`] : []),
    ...(others > 0
      ? [`and ${plural(others, 'change')} of other metrics: --metric NAME shows one, the page shows all`]
      : []),
  ];
  return [
    paint('bold', 'Changes'),
    ...shown.slice(0, MOST_CHANGES).flatMap((changed) => {
      const direction = changeDirection(changed.series, changed.change);
      const lines = wrapped(`${visibleLine(changeSentence(changed))}.`, width);
      return direction === 'worse' ? lines.map((line) => paint('yellow', line)) : lines;
    }),
    ...rest.flatMap((words) => wrapped(words, width)).map((line) => paint('dim', line)),
  ];
}

function leftOutLines(trend: Trend, width: number, paint: Paint): readonly string[] {
  const gone = trend.variants.filter(({ isInLastRun }) => !isInLastRun).map(({ variant }) => variant);
  const sentences = [
    ...leftOutSentences(trend),
    ...(gone.length === 0 ? [] : [`not in the last complete run: ${listedInShort(gone)}`]),
  ];
  return sentences.flatMap((sentence) =>
    wrapped(visibleLine(`${capital(sentence)}.`), width).map((line) => paint('dim', line)),
  );
}

function datesWords(first: string, last: string): string {
  return first === last ? ` on ${last}` : ` from ${first} to ${last}`;
}
