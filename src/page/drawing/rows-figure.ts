import { headlineLatency } from '../../analysis/effective-sample.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { shownName } from '../../kit/names.ts';
import { plural } from '../../kit/wording.ts';
import { html, type Markup } from '../../markup/markup.ts';

import type { Measures } from '../../report/statement.ts';
import type { Load } from '../../suite/load.ts';
import { sweepSteps } from '../../suite/sweep.ts';
import { type Axis, spareTicks } from './axis.ts';
import { across, path, stretched, upright, WRITTEN, words } from './svg.ts';
import { markSign, type VariantMark } from './variant-mark.ts';

/** A line of words above a band of marks. */
export interface FigureRow {
  /** Null where rows are not variants. */
  readonly mark: VariantMark | null;
  readonly name: string;
  readonly words: string;
  readonly height: number;
  /** Lines of the row's scale; their words stand at the left. */
  readonly levels?: readonly { readonly y: number; readonly words: string }[];
  /** Made by `path` and `dots`, those at the back first. */
  readonly paths: readonly (Markup | false)[];
  /** Drawn in front of the paths, and not stretched. */
  readonly signs?: readonly (Markup | false)[];
}

export interface FigureParts {
  /** Text for screen readers: what is drawn, and where its numbers are. */
  readonly label: string;
  readonly axis: Axis;
  readonly rows: readonly FigureRow[];
  /** Number of rows that must not be separated, such as the steps of a variant. */
  readonly together?: number;
}

/** The words of a rule's limit, at its line: `gate 1.05x`. */
export function limitSign(x: number, limit: string): Markup {
  const anchor = x > 0.85 ? 'end' : 'start';
  const dx = anchor === 'end' ? -4 : 4;
  return words(x, 4, `gate ${limit}`, { dx, 'text-anchor': anchor, ...WRITTEN, fill: 'var(--bad)' });
}

/** A figure with more than `most` rows shows `shown` of them. */
const ROWS = { shown: 12, most: 16 } as const;

/** Folds all but about a dozen of many rows. */
export function rowsFigure({ rows, together = 1, ...parts }: FigureParts): Markup {
  const shown = Math.max(together, ROWS.shown - (ROWS.shown % together));
  if (rows.length <= Math.max(ROWS.most, shown)) return drawn(rows, parts);
  return html`${drawn(rows.slice(0, shown), parts)}
<details class="fold"><summary>${plural(rows.length - shown, 'more row')} of this chart</summary>${drawn(rows.slice(shown), parts)}</details>`;
}

function drawn(rows: readonly FigureRow[], { label, axis }: Omit<FigureParts, 'rows'>): Markup {
  const spare = spareTicks(axis);
  const tickWords = axis.ticks.map((tick) =>
    words(axis.place(tick), 8, axis.format(tick), {
      ...(spare.has(tick) && { class: 'spare' }),
      ...(axis.instant && { 'data-instant': axis.instant(tick) }),
    }),
  );
  return html`<div class="chart" role="figure" aria-label="${label}">${rows.map((row) => drawnRow(row, axis))}<svg class="ticks" height="18" aria-hidden="true">${tickWords}</svg></div>
`;
}

function drawnRow({ mark, name, words: text, height, levels = [], paths, signs = [] }: FigureRow, axis: Axis): Markup {
  const ticks = axis.ticks.map((tick) => upright(axis.place(tick), -4, height + 4));
  const lines = levels.map(({ y }) => across(0, 1, y));
  return html`<p>${mark !== null && markSign(mark)}<b>${shownName(name)}</b> <span>${text}</span></p>
<svg height="${height}" aria-hidden="true">${stretched([
    path(ticks, { stroke: 'var(--line)' }),
    path(lines, { stroke: 'var(--line)', 'stroke-dasharray': '2 3' }),
    ...paths,
  ])}${signs}${levels.map((level) =>
    words(0, Math.max(6, level.y), level.words, { dx: -19, 'text-anchor': 'start', ...WRITTEN }),
  )}</svg>
`;
}

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
