import { headlineLatency } from '../../analysis/headline.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { plural } from '../../kit/wording.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { sweepSteps } from '../../report/load-words.ts';
import type { Measures } from '../../report/statement.ts';
import type { Load } from '../../suite/load.ts';
import type { Axis } from './axis.ts';
import { chart, group, type SvgLook, sign, upright, WRITTEN, words } from './svg.ts';
import type { VariantMark } from './variant-mark.ts';

/** Pixels free on either side of the rows. */
export const SIDE = 20;

/** Pixels for the ticks' words below the rows. */
const FOOT = 26;

/** Pixels above a row's band for its words, and their place in it. */
const LABEL_HEIGHT = 22;
const WORDS_AT = 12;

/** Columns; a longer name is cut, clear of the words at the right. */
export const LONGEST_NAME = { wide: 34, narrow: 22 } as const;

/** Pixels from the top of the chart: each row is a line of words above a band for marks. */
export interface RowLayout {
  readonly bandHeight: number;
  readonly rowHeight: number;
  readonly top: (row: number) => number;
  readonly middle: (row: number) => number;
  readonly bottom: (row: number) => number;
}

/** @param gap pixels free below each band */
export function layOutRows(bandHeight: number, gap: number): RowLayout {
  const rowHeight = LABEL_HEIGHT + bandHeight + gap;
  const top = (row: number): number => row * rowHeight + LABEL_HEIGHT;
  return {
    bandHeight,
    rowHeight,
    top,
    middle: (row) => top(row) + bandHeight / 2,
    bottom: (row) => top(row) + bandHeight,
  };
}

export function spanOf(width: number): number {
  return width - 2 * SIDE;
}

/** In pixels; a value beyond the axis is at its edge. */
export type Across = (value: number) => number;

/** Ticks are upright lines behind everything. @param rowsHeight of all rows together */
export function rowsChart(
  label: string,
  axis: Axis,
  { width, rowsHeight }: { readonly width: number; readonly rowsHeight: number },
  marks: (x: Across) => readonly (Markup | false)[],
): Markup {
  const height = rowsHeight + FOOT;
  const x: Across = (value) => SIDE + Math.min(1, Math.max(0, axis.place(value))) * spanOf(width);
  return chart(label, { width, height }, [
    group(
      { stroke: 'var(--line)' },
      axis.ticks.map((tick) => upright(x(tick), 0, rowsHeight)),
    ),
    group(
      { fill: 'var(--muted)' },
      axis.ticks.map((tick) =>
        words(x(tick), height - 10, axis.format(tick), axis.instant && { 'data-instant': axis.instant(tick) }),
      ),
    ),
    ...marks(x),
  ]);
}

export interface RowWords {
  readonly row: number;
  /** Null where rows are not variants. */
  readonly mark: VariantMark | null;
  readonly name: string;
  readonly words: string;
}

export function rowLabels(rows: readonly RowWords[], rowHeight: number, width: number): readonly (Markup | false)[] {
  const side = rows.map(({ row, words: text }) => ({ y: row * rowHeight + WORDS_AT, words: text }));
  return [...rowNames(rows, rowHeight), wordsAtRight(side, width)];
}

export function rowNames(
  rows: readonly Pick<RowWords, 'row' | 'name' | 'mark'>[],
  rowHeight: number,
): readonly (Markup | false)[] {
  const y = (row: number): number => row * rowHeight + WORDS_AT;
  const signs = rows.flatMap(({ row, mark }) =>
    mark === null ? [] : [sign(mark.outline, 6, y(row), { fill: mark.fill })],
  );
  const left = signs.length > 0 ? 16 : 1;
  return [
    ...signs,
    group(
      { fill: 'var(--text)', 'font-weight': 600, 'text-anchor': 'start', ...WRITTEN },
      rows.map(({ row, name }) => words(left, y(row), name)),
    ),
  ];
}

interface ChartLine {
  readonly y: number;
  readonly words: string;
}

export function wordsAtLeft(lines: readonly ChartLine[], look: SvgLook = {}): Markup | false {
  return mutedWords(1, lines, { 'text-anchor': 'start', ...look });
}

export function wordsAtRight(lines: readonly ChartLine[], width: number): Markup | false {
  return mutedWords(width - 1, lines, { 'text-anchor': 'end' });
}

function mutedWords(x: number, lines: readonly ChartLine[], look: SvgLook): Markup | false {
  const written = lines.filter(({ words: text }) => text !== '');
  return group(
    { fill: 'var(--muted)', ...WRITTEN, ...look },
    written.map(({ y, words: text }) => words(x, y, text)),
  );
}

/** A chart with more than `most` rows shows `shown` of them. */
const ROWS = { shown: 12, most: 16 } as const;

/** Variants that fit a chart stay in the order of the suite. In a sweep they have no latency of their own. */
function isRanked(variants: readonly VariantSummary[], load: Load): boolean {
  return variants.length > ROWS.most && sweepSteps(load) === null;
}

/** In the order of the suite; of many, the baseline variant first, then by median latency, without one last. */
export function rankedVariants(
  variants: readonly VariantSummary[],
  measures: Measures,
  load: Load,
): readonly VariantSummary[] {
  if (!isRanked(variants, load)) return variants;
  const metric = headlineLatency(load);
  const rank = ({ name, baseline }: VariantSummary): number =>
    baseline ? Number.NEGATIVE_INFINITY : (measures(name, metric, 'p50')?.value ?? Number.MAX_VALUE);
  return variants.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

/** Empty for the order of the suite. @param rows `candidates`: the baseline variant has no row */
export function rankNote(
  variants: readonly VariantSummary[],
  load: Load,
  rows: 'all' | 'candidates' = 'all',
): Markup | false {
  const order = rows === 'all' ? 'the baseline variant first, then by median latency' : 'by median latency';
  return (
    isRanked(variants, load) &&
    html`<p class="note fine">${plural(variants.length, 'variant')}: ${order}, the fastest first.</p>`
  );
}

/**
 * Folds all but about a dozen of many rows below the chart.
 *
 * @param together rows that must not be separated, as the steps of a variant
 * @param draw called once or twice, each time with some of the rows
 */
export function foldedRows<Row>(
  rows: readonly Row[],
  together: number,
  draw: (rows: readonly Row[]) => readonly Markup[],
): Markup {
  const shown = Math.max(together, ROWS.shown - (ROWS.shown % together));
  if (rows.length <= Math.max(ROWS.most, shown)) return html`${draw(rows)}`;
  return html`${draw(rows.slice(0, shown))}
<details class="fold"><summary>${plural(rows.length - shown, 'more row')} of this chart</summary>${draw(rows.slice(shown))}</details>`;
}
