import type { Comparison } from '../../../analysis/comparison.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { inverse } from '../../../kit/value-words.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { comparedSpeed, speedEvidenceWords, speedOrder, tellsApart } from '../../../report/comparison-statement.ts';
import { estimatorWords } from '../../../report/method-words.ts';
import { ratioAxis } from '../../drawing/axis.ts';
import { across, path, sign, stretched, upright, words } from '../../drawing/svg.ts';
import type { VariantMark, VariantMarks } from '../../drawing/variant-mark.ts';

export interface BoardCell {
  readonly value: Markup | string;
  readonly small: Markup | readonly Markup[] | string;
  /** Sorts the column; null sorts last. */
  readonly by: number | null;
}

export interface BoardColumn {
  readonly head: string;
  readonly room?: 'speed' | 'latency' | 'same';
  readonly cell: (variant: VariantSummary) => BoardCell;
  readonly scale?: Markup | null;
}

interface SpeedLook {
  readonly marks: VariantMarks;
  readonly isDrawn: boolean;
}

/** Baseline variants of this run and stored ones never share a column. */
export function speedColumns(headlines: readonly Comparison[], look: SpeedLook): readonly BoardColumn[] {
  const columns = [
    { head: 'Speed against baseline variant', own: headlines.filter(({ baselineRun }) => baselineRun === null) },
    { head: 'Against stored baseline', own: headlines.filter(({ baselineRun }) => baselineRun !== null) },
  ];
  const shown = columns.filter(({ own }) => own.length > 0);
  const isDrawn = look.isDrawn && shown.length === 1;
  return shown.map(({ head, own }) => speedColumn({ head, comparisons: own, isDrawn }, look));
}

/** Speeds, not latencies: faster is further right. Null without a speed. */
function lineOf(comparison: Comparison): RatioLine | null {
  const { value, ciLow, ciHigh } = comparison;
  return value === null || comparedSpeed(comparison).speed === null
    ? null
    : { value: 1 / value, low: inverse(ciHigh), high: inverse(ciLow) };
}

function speedColumn(
  {
    head,
    comparisons,
    isDrawn,
  }: { readonly head: string; readonly comparisons: readonly Comparison[]; readonly isDrawn: boolean },
  { marks }: SpeedLook,
): BoardColumn {
  const { line: draw, scale } = ratioLines(comparisons.flatMap((each) => lineOf(each) ?? []));
  const baselines = new Set(comparisons.map(({ baseline }) => baseline));
  return {
    head,
    ...(isDrawn ? { room: 'speed', scale } : {}),
    cell: ({ name }) => {
      const comparison = comparisons.find(({ variant }) => variant === name);
      if (comparison === undefined) return baselines.has(name) ? BASELINE_CELL : { value: '–', small: '', by: null };
      const line = lineOf(comparison);
      if (line === null) return { value: '–', small: speedEvidenceWords(comparison), by: null };
      return {
        value: html`<span class="${tellsApart(comparison) ? 'speed' : 'speed undecided'}">${comparedSpeed(comparison).speed}</span>${isDrawn && draw(line, marks(name))}`,
        small: html`<span class="whole">${speedEvidenceWords(comparison)}</span>`,
        by: speedOrder(comparison),
      };
    },
  };
}

const BASELINE_CELL: BoardCell = { value: html`<span class="tag">baseline</span>`, small: '', by: 1 };

export function speedNote([first]: readonly Comparison[], columns: readonly BoardColumn[]): string {
  if (first === undefined) return '';
  const drawing = columns.some(({ scale }) => scale !== undefined && scale !== null)
    ? 'In the drawing (log scale), right is faster and the dashed line is as fast as the baseline. '
    : '';
  return `Speed: ${estimatorWords(first.units)}. The latencies in the table are medians over all takes, so their ratio may differ. ${drawing}`;
}

/** Pixels in a table's cell. */
const WIDTH = 104;
const HEIGHT = 18;
const SIDE = 9;

/** 1 is one of the ticks; the distance between ticks is a share of the width, for their words. */
const MOST_TICKS = 4;
const LEAST_APART = 30 / WIDTH;

export interface RatioLine {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

export interface RatioLines {
  readonly line: (line: RatioLine, mark: VariantMark) => Markup;
  readonly scale: Markup | null;
}

/** One logarithmic scale that holds 1: the same distance is the same ratio in every line. */
export function ratioLines(all: readonly RatioLine[]): RatioLines {
  const ratios = all.flatMap(({ value, low, high }) => [value, low, high].flatMap((each) => each ?? []));
  const axis = ratioAxis(ratios, MOST_TICKS);
  const place = (ratio: number): number => (SIDE + axis.place(ratio) * (WIDTH - 2 * SIDE)) / WIDTH;
  const ticks = apart(axis.ticks, place);
  const middle = HEIGHT / 2;
  return {
    line: ({ value, low, high }, { fill, outline }) => {
      const interval = across(low === null ? 0 : place(low), high === null ? 1 : place(high), middle);
      const others = ticks.filter((tick) => tick !== 1);
      return html`<svg class="ratio-line" aria-hidden="true">${stretched([
        path(
          others.map((tick) => upright(place(tick), 0, HEIGHT)),
          { stroke: 'var(--line)' },
        ),
        path([upright(place(1), 0, HEIGHT)], { stroke: 'var(--muted)', 'stroke-dasharray': '3 2' }),
        path([interval], { stroke: fill, 'stroke-width': 3, 'stroke-opacity': 0.45 }),
      ])}${sign(outline, place(value), middle, { fill })}</svg>`;
    },
    scale:
      all.length === 0
        ? null
        : html`<svg class="ratio-line">${ticks.map((tick) => words(place(tick), 8.5, axis.format(tick), {}))}</svg>`,
  };
}

/** 1 stays, then the ticks furthest from it, which show the reach of the scale; their words must not touch. */
function apart(all: readonly number[], place: (ratio: number) => number): readonly number[] {
  const kept = [1];
  for (const tick of all.toSorted((a, b) => Math.abs(Math.log(b)) - Math.abs(Math.log(a)))) {
    if (kept.every((other) => Math.abs(place(other) - place(tick)) >= LEAST_APART)) kept.push(tick);
  }
  return kept.sort((a, b) => a - b);
}
