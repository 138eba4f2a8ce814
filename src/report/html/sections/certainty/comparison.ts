import type { VariantSummary } from '../../../../analysis/analysis.ts';
import type { Comparison } from '../../../../compare/comparison.ts';
import type { Verdict } from '../../../../compare/gate/verdict.ts';
import type { Kind } from '../../../../suite/format/suite.ts';
import { count } from '../../../../text/quantity.ts';
import type { ReportSource } from '../../../reporter.ts';
import {
  baselineWords,
  headlineComparisons,
  ratioInterval,
  tellsApart,
  times,
} from '../../../statements/comparison-statement.ts';
import { byKind, measuresOf } from '../../../statements/statement.ts';
import { comparisonNoteWords } from '../../../words/comparison-note-words.ts';
import { KIND_NAMES } from '../../../words/kind-name.ts';
import { differenceInterval, differenceWords } from '../../../words/value-words.ts';
import { rankedVariants, rankNote } from '../../drawing/folded-rows.ts';
import { ratioFigure } from '../../drawing/ratio-plot.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';

/**
 * The variants against the baseline variant of their kind: a table, the ratio of every cell pair, the worst prompts and tags, and
 * Null where nothing was compared.
 */
export function comparisonSection(
  { analysis, comparisons, verdict }: Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict'>,
  marks: VariantMarks,
): Markup | null {
  const { load } = analysis.run.plan;
  const headlines = headlineComparisons(comparisons, load);
  if (headlines.length === 0) return null;
  const hasLimits = headlines.some((comparison) => limitOf(comparison, verdict) !== null);
  const kinds = byKind(analysis.variants).filter(([kind]) => headlines.some((each) => each.kind === kind));
  return html`<section id="comparison" aria-labelledby="comparison-title">
<h3 id="comparison-title">Ratio to the baseline variant, cell pair by cell pair</h3>
<p class="note">Each variant against the baseline variant of its kind, with the same prompts and seeds.${
    analysis.run.against !== null &&
    ` The stored baseline is that of run ${analysis.run.against.run}; its variants were sent again in this run, interleaved with the others.`
  } A latency ratio below 1 is faster. Brackets are 95 % intervals for these
prompts in this run; they are not adjusted for multiple comparisons. A cell pair is one prompt and seed of both variants.</p>
${
  headlines.some(({ cellPairValues }) => cellPairValues.length > 0) &&
  html`<p class="note">In the charts one dot is one cell pair: the latency of the variant / that of the baseline variant${analysis.run.against !== null && ' or the stored baseline'}, on a log scale. The long line is the estimate,
the shaded area its 95 % interval; the dashed line is 1, no difference. Left of it is faster.${hasLimits && ' The red line is the most that the gate allows.'}</p>`
}
${rankNote(analysis.variants, load)}${kinds.map(([kind, variants]) => ofKind(kind, ranked(headlines, rankedVariants(variants, measuresOf(analysis), load)), { comparisons, verdict, marks }))}
</section>`;
}

/** Comparisons in the order of their variants. */
function ranked(headlines: readonly Comparison[], variants: readonly VariantSummary[]): readonly Comparison[] {
  const order = new Map(variants.map(({ name }, at) => [name, at]));
  return headlines.toSorted((a, b) => (order.get(a.variant) ?? 0) - (order.get(b.variant) ?? 0));
}

function ofKind(
  kind: Kind,
  headlines: readonly Comparison[],
  { comparisons, verdict, marks }: Pick<ReportSource, 'comparisons' | 'verdict'> & { readonly marks: VariantMarks },
): Markup {
  const own = headlines.filter((each) => each.kind === kind);
  return html`<h4>${KIND_NAMES[kind]}</h4>
${ratioFigure(
  kind,
  own.map((comparison) => ({ ...comparison, mark: marks(comparison.variant), limit: limitOf(comparison, verdict) })),
)}
<details class="fold"><summary>Numbers of these comparisons</summary>${table(kind, own, comparisons)}</details>`;
}

/** The metrics beside latency: those that were compared are columns. */
const BESIDE = [
  { head: 'Cost per output', metric: 'cost.per_output' },
  { head: 'Errors', metric: 'error_rate' },
  { head: 'Blocked', metric: 'block_rate' },
] as const;

function table(kind: Kind, headlines: readonly Comparison[], comparisons: readonly Comparison[]): Markup {
  const find = (metric: string, headline: Comparison) =>
    comparisons.find(
      (each) =>
        each.metric === metric &&
        each.variant === headline.variant &&
        each.baseline === headline.baseline &&
        each.step === headline.step &&
        each.scope.of === headline.scope.of,
    );
  const columns = BESIDE.filter(({ metric }) => headlines.some((headline) => find(metric, headline) !== undefined));
  const heads = ['Variant', 'Latency', 'Better in', ...columns.map(({ head }) => head)];
  const rows = headlines.map((headline) => {
    const { cellPairs, cellPairsBetter } = headline;
    const cells: readonly (readonly [string, Markup])[] = [
      ['Latency', compared(headline)],
      ['Better in', figure(`${count(cellPairsBetter)} of ${count(cellPairs)}`, ['cell pairs'])],
      ...columns.map(({ head, metric }) => [head, compared(find(metric, headline))] as const),
    ];
    return html`<tr role="row"><th scope="row" role="rowheader"><span class="name">${rowName(headline)}</span><small>against ${baselineWords(headline)}</small></th>${cells.map(
      ([label, cell]) => html`<td role="cell" data-label="${label}">${cell}</td>`,
    )}</tr>
`;
  });
  return html`<table class="side-by-side" role="table" aria-label="${`Comparison of ${KIND_NAMES[kind]}`}"><thead role="rowgroup"><tr role="row">${heads.map(
    (head) => html`<th scope="col" role="columnheader">${head}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>`;
}

/** The most that a rule of the gate allows of a comparison's ratio; null where no rule limits it. */
function limitOf({ variant, baseline, metric, step }: Comparison, { rules }: Verdict): number | null {
  if (step !== null) return null;
  const limits = rules.flatMap(({ rule, variant: of, against, effect }) =>
    rule.metric === metric &&
    of === variant &&
    against === baseline &&
    effect === 'ratio' &&
    rule.bound.is === 'max_increase' &&
    'share' in rule.bound
      ? [1 + rule.bound.share]
      : [],
  );
  return limits.length === 0 ? null : limits.reduce((least, limit) => Math.min(least, limit));
}

/** The variant, of a sweep with the concurrency. */
function rowName({ variant, step }: Comparison): string {
  return step === null ? variant : `${variant} at concurrency ${count(step)}`;
}

function compared(comparison: Comparison | undefined): Markup {
  if (comparison === undefined) return figure(null, ['not measured']);
  const { value, effect, unit, ciLow, ciHigh, ciLevel, notes, finding } = comparison;
  const said = comparisonNoteWords(notes);
  if (value === null) return figure(null, [said]);
  if (effect === 'ratio') {
    const apart = tellsApart(comparison) || finding === 'too_few' ? '' : 'not told apart';
    return figure(times(value), [ciLevel === null ? '' : ratioInterval(ciLow, ciHigh), apart, said]);
  }
  const ends = ciLow === null || ciHigh === null ? '' : differenceInterval(ciLow, ciHigh, unit);
  return figure(differenceWords(value, unit), [ends, said]);
}

/** A line of evidence up to this long is not broken. */
const MOST_UNBROKEN = 24;

function figure(value: string | null, evidence: readonly string[]): Markup {
  return html`<span class="${value === null ? 'figure none' : 'figure'}">${value ?? '–'}</span>${evidence
    .filter((line) => line !== '')
    .map((line) => html`<small${line.length <= MOST_UNBROKEN && html` class="whole"`}>${line}</small>`)}`;
}
