import * as Plot from '@observablehq/plot';
import type { Markup } from '../markup/markup.ts';
import type { Axis } from './axis.ts';
import { chart } from './chart.ts';
import type { VariantMark } from './variant-mark.ts';

/** Free space at either side of the rows, in pixels. */
const SIDE = 20;

/** What the times below the rows take, in pixels. */
const FOOT = 26;

/** What a row's words take above its band, and where they stand in it, in pixels. */
const LABEL_HEIGHT = 22;
const WORDS_AT = 12;

/** A name is cut here, by width, to be clear of the words at the right. */
export const LONGEST_NAME = { wide: 34, narrow: 22 } as const;

/** Words stand out from what is drawn behind them. */
const WRITTEN = { stroke: 'var(--page)', strokeWidth: 4 } as const;

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

/**
 * A chart of rows over one axis: its ticks as upright lines behind everything, their words below. Marks place
 * themselves, in pixels from the top.
 *
 * @param rowsHeight of all rows together
 */
export function rowsChart(
  label: string,
  axis: Axis,
  { width, rowsHeight }: { readonly width: number; readonly rowsHeight: number },
  marks: readonly Plot.Markish[],
): Markup {
  const height = rowsHeight + FOOT;
  return chart(label, {
    width,
    height,
    marginLeft: SIDE,
    marginRight: SIDE,
    marginTop: 0,
    marginBottom: FOOT,
    x: { type: axis.type, domain: [...axis.domain], axis: null },
    y: { type: 'identity', axis: null },
    marks: [
      Plot.ruleX(axis.ticks, { y1: 0, y2: rowsHeight, stroke: 'var(--line)' }),
      Plot.text(axis.ticks, { x: (tick: number) => tick, y: height - 10, text: axis.format, fill: 'var(--muted)' }),
      ...marks,
    ],
  });
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
export function rowLabels(rows: readonly RowWords[], rowHeight: number): readonly Plot.Markish[] {
  const y = ({ row }: RowWords): number => row * rowHeight + WORDS_AT;
  return [...rowNames(rows, rowHeight), wordsAtSide('right', rows, { y, text: 'words' })];
}

/** The mark and the name of each row at its left. */
export function rowNames(
  rows: readonly Pick<RowWords, 'row' | 'name' | 'mark'>[],
  rowHeight: number,
): readonly Plot.Markish[] {
  const y = ({ row }: Pick<RowWords, 'row'>): number => row * rowHeight + WORDS_AT;
  const marked = rows.filter(({ mark }) => mark !== null);
  const sign = Plot.dot(marked, {
    frameAnchor: 'left',
    dx: -SIDE + 6,
    y,
    r: 4,
    symbol: ({ mark }: Pick<RowWords, 'mark'>) => mark?.symbol,
    fill: ({ mark }: Pick<RowWords, 'mark'>) => mark?.fill,
  });
  const names = Plot.text(rows, {
    frameAnchor: 'left',
    y,
    text: 'name',
    fill: 'var(--text)',
    fontWeight: 600,
    dx: -SIDE + (marked.length > 0 ? 16 : 1),
    ...WRITTEN,
  });
  return [sign, names];
}

/** Muted words at the outer edge of one side. */
export function wordsAtSide(
  side: 'left' | 'right',
  words: Plot.Data,
  options: Pick<Plot.TextOptions, 'y' | 'text' | 'fontSize'>,
): Plot.Markish {
  return Plot.text(words, {
    frameAnchor: side,
    fill: 'var(--muted)',
    dx: side === 'left' ? -SIDE + 1 : SIDE - 1,
    ...WRITTEN,
    ...options,
  });
}

/** Small muted words to the right of a place on the axis. */
export function wordsBeside(words: Plot.Data, options: Pick<Plot.TextOptions, 'x' | 'y' | 'text'>): Plot.Markish {
  return Plot.text(words, { textAnchor: 'start', dx: 3, fill: 'var(--muted)', fontSize: 10, ...WRITTEN, ...options });
}
