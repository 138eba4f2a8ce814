import type { Markup } from '../markup/markup.ts';
import type { Axis } from './axis.ts';
import { chart, group, type Look, sign, upright, WRITTEN, words } from './svg.ts';
import type { VariantMark } from './variant-mark.ts';

/** Free space at either side of the rows, in pixels. */
export const SIDE = 20;

/** What the times below the rows take, in pixels. */
const FOOT = 26;

/** What a row's words take above its band, and where they stand in it, in pixels. */
const LABEL_HEIGHT = 22;
const WORDS_AT = 12;

/** A name is cut here, by width, to be clear of the words at the right. */
export const LONGEST_NAME = { wide: 34, narrow: 22 } as const;

/** Where rows stand, in pixels from the top of the chart: each has a line of words and below it a band for marks. */
export interface RowLayout {
  readonly bandHeight: number;
  readonly rowHeight: number;
  /** The edges and the middle of a row's band. */
  readonly top: (row: number) => number;
  readonly middle: (row: number) => number;
  readonly bottom: (row: number) => number;
}

/** @param gap free space below each band */
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

/** How much of a chart's width lies between its sides: what its axis spans. */
export function spanOf(width: number): number {
  return width - 2 * SIDE;
}

/** Where a value of the axis stands, in pixels; at the edge where it is beyond the axis. */
export type Across = (value: number) => number;

/**
 * A chart of rows over one axis: its ticks as upright lines behind everything, their words below.
 *
 * @param rowsHeight of all rows together
 */
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
      axis.ticks.map((tick) => words(x(tick), height - 10, axis.format(tick))),
    ),
    ...marks(x),
  ]);
}

/** What is written above the band of a row. */
export interface RowWords {
  readonly row: number;
  /** Null where rows are no variants. */
  readonly mark: VariantMark | null;
  readonly name: string;
  readonly words: string;
}

/** The name of each row at its left, and its words at its right. */
export function rowLabels(rows: readonly RowWords[], rowHeight: number, width: number): readonly (Markup | false)[] {
  const side = rows.map(({ row, words: text }) => ({ y: row * rowHeight + WORDS_AT, words: text }));
  return [...rowNames(rows, rowHeight), wordsAtRight(side, width)];
}

/** The mark and the name of each row at its left. */
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

interface Line {
  readonly y: number;
  readonly words: string;
}

/** Muted words from the left edge on. */
export function wordsAtLeft(lines: readonly Line[], look: Look = {}): Markup | false {
  return mutedWords(1, lines, { 'text-anchor': 'start', ...look });
}

/** Muted words that end at the right edge. */
export function wordsAtRight(lines: readonly Line[], width: number): Markup | false {
  return mutedWords(width - 1, lines, { 'text-anchor': 'end' });
}

function mutedWords(x: number, lines: readonly Line[], look: Look): Markup | false {
  const written = lines.filter(({ words: text }) => text !== '');
  return group(
    { fill: 'var(--muted)', ...WRITTEN, ...look },
    written.map(({ y, words: text }) => words(x, y, text)),
  );
}
