import type { VariantSummary } from '../../../analysis/analysis.ts';
import { headlineLatency } from '../../../analysis/samples/headline.ts';
import type { Load } from '../../../suite/format/load.ts';
import { plural } from '../../../text/wording.ts';
import type { Measures } from '../../statements/statement.ts';
import { sweepSteps } from '../../words/load-words.ts';
import { html, type Markup } from '../markup/markup.ts';

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
