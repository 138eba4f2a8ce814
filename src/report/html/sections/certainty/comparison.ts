import type { Analysis } from '../../../../analysis/analysis.ts';
import { headlineLatency } from '../../../../analysis/samples/headline.ts';
import type { Comparison } from '../../../../compare/comparison.ts';
import type { Kind } from '../../../../suite/format/suite.ts';
import { count } from '../../../../text/quantity.ts';
import {
  baselineWords,
  headlineComparisons,
  ratioInterval,
  tellsApart,
  times,
} from '../../../statements/comparison-statement.ts';
import { byKind } from '../../../statements/statement.ts';
import { comparisonNoteWords } from '../../../words/comparison-note-words.ts';
import { KIND_NAMES } from '../../../words/kind-name.ts';
import { differenceInterval, differenceWords } from '../../../words/value-words.ts';
import { ratioFigure } from '../../drawing/ratio-plot.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { tradeOffOf } from '../outcome/trade-off.ts';

/**
 * The variants against the baseline variant of their kind: a table, the ratio of every cell pair, the worst prompts and tags, and
 * what each variant costs for what it gives. Null where nothing was compared.
 */
export function comparisonSection(analysis: Analysis, comparisons: readonly Comparison[]): Markup | null {
  const { load } = analysis.run.plan;
  const headlines = headlineComparisons(comparisons, load);
  if (headlines.length === 0) return null;
  const kinds = byKind(analysis.variants).filter(([kind]) => headlines.some((each) => each.kind === kind));
  return html`<section id="comparison" aria-labelledby="comparison-title">
<h2 id="comparison-title">Comparison</h2>
<p class="note">Each variant against the baseline variant of its kind, with the same prompts and seeds.${
    analysis.run.against !== null &&
    ` The stored baseline is that of run ${analysis.run.against.run}; its variants were sent again in this run, interleaved with the others.`
  } A latency ratio below 1 is faster. Brackets are 95 % intervals for these
prompts in this run; they are not adjusted for multiple comparisons. A cell pair is one prompt and seed of both variants.</p>
${
  headlines.some(({ cellPairValues }) => cellPairValues.length > 0) &&
  html`<p class="note">In the charts one dot is one cell pair: the latency of the variant / that of the baseline variant${analysis.run.against !== null && ' or the stored baseline'}, on a log scale. The long line is the estimate,
the shaded area its 95 % interval; the dashed line is 1, no difference. Left of it is faster.</p>`
}
${kinds.map(([kind]) => ofKind(kind, headlines, comparisons, analysis))}
</section>`;
}

function ofKind(
  kind: Kind,
  headlines: readonly Comparison[],
  comparisons: readonly Comparison[],
  analysis: Analysis,
): Markup {
  const own = headlines.filter((each) => each.kind === kind);
  return html`<h3>${KIND_NAMES[kind]}</h3>
${table(kind, own, comparisons)}
${ratioFigure(kind, own)}
${worstList(own, comparisons, analysis)}
${tradeOffOf(kind, analysis)}`;
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

/** The row's name; of a comparison with the stored baseline it says so. */
function comparisonName(comparison: Comparison): string {
  return comparison.baselineRun === null ? rowName(comparison) : `${rowName(comparison)} against its stored baseline,`;
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

const MOST_PLACES = 3;

/** Where each variant does worst against its baseline variant. */
function worstList(
  headlines: readonly Comparison[],
  comparisons: readonly Comparison[],
  { run }: Analysis,
): Markup | false {
  const metric = headlineLatency(run.plan.load);
  const lines = headlines.flatMap((headline) => {
    const own = comparisons
      .filter(
        (each) =>
          each.metric === metric &&
          each.variant === headline.variant &&
          each.baseline === headline.baseline &&
          each.step === headline.step &&
          each.value !== null,
      )
      .toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));
    const prompts = own.flatMap(({ scope, value }) =>
      scope.of === 'prompt' ? [`${scope.id} ${times(value ?? 0)}`] : [],
    );
    const tags = own.flatMap(({ scope, value }) => (scope.of === 'tag' ? [`${scope.tag} ${times(value ?? 0)}`] : []));
    if (prompts.length < 2) return [];
    const by = [
      `by prompt ${prompts.slice(0, MOST_PLACES).join(', ')}`,
      ...(tags.length < 2 ? [] : [`by tag ${tags.slice(0, MOST_PLACES).join(', ')}`]),
    ];
    return [html`<li><b>${comparisonName(headline)}</b> highest latency ratios: ${by.join('; ')}</li>`];
  });
  return lines.length > 0 && html`<ul class="statements worst">${lines}</ul>`;
}
