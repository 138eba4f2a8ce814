import type { Comparison } from '../../../analysis/comparison.ts';
import { comparisonNoteWords } from '../../../analysis/note.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import type { Verdict } from '../../../analysis/verdict.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { KIND_NAMES } from '../../../kit/names.ts';
import { differenceInterval, differenceWords, ratioInterval, timesBeside } from '../../../kit/value-words.ts';
import { count, plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import {
  baselineWords,
  comparedSpeed,
  comparisonGroups,
  groupSentence,
  headlineComparisons,
  isCompared,
  moreUnits,
  UNIT_NOUNS,
} from '../../../report/comparison-statement.ts';
import type { ReportSource } from '../../../report/reporter.ts';
import { byKind, measuresOf } from '../../../report/statement.ts';
import type { Kind } from '../../../suite/kind.ts';
import { ratioFigure } from '../../drawing/ratio-plot.ts';
import { rankedVariants, rankNote } from '../../drawing/rows-figure.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { ofKind } from '../../markup/scope.ts';
import { section } from '../../markup/section.ts';
import { stackedRow, stackedTable } from '../../markup/tables.ts';

export function comparisonSection(
  { analysis, comparisons, verdict }: Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict'>,
  marks: VariantMarks,
): Markup | null {
  const { load } = analysis.run.plan;
  const headlines = headlineComparisons(comparisons, load);
  if (headlines.length === 0) return null;
  const drawn = headlines.find((headline) => comparedSpeed(headline).speed !== null && headline.unitValues.length > 0);
  const hasLimits = headlines.some((comparison) => limitOf(comparison, verdict) !== null);
  const kinds = byKind(analysis.variants).filter(([kind]) => headlines.some((headline) => headline.kind === kind));
  return section({
    anchor: 'comparison',
    title: 'Speed against the baseline variant',
    note:
      drawn !== undefined &&
      html`One dot is one ${UNIT_NOUNS[drawn.units]}; right is faster. The line is the estimate, shaded its 95 % interval, dashed no difference.${hasLimits && ' Red: the slowest that the gate allows.'}`,
    more: html`Each variant against the baseline variant of its kind, with the same prompts and seeds, on a log scale.${
      analysis.run.against !== null &&
      ` The stored baseline is that of run ${analysis.run.against.run}; its variants were sent again in this run, interleaved with the others.`
    } comparisons.csv has the ratio of latencies (variant / baseline), which is one over the speed. Brackets are 95 % intervals for these
prompts in this run; they are not adjusted for the number of candidates. Three or more
candidates are told apart only if p, adjusted for their number (Benjamini and Hochberg), is also at most 0.05. A cell pair is one prompt and seed of both variants${headlines.some(({ units }) => units === 'blocks') && ', a block one take of each'}.${headlines.some(({ units }) => units === 'rounds') && ROUNDS}`,
    content: html`${rankNote(analysis.variants, load, 'candidates')}${kinds.map(([kind, variants]) => {
      const own = ranked(
        headlines.filter((headline) => headline.kind === kind),
        rankedVariants(variants, measuresOf(analysis), load),
      );
      return ofKind(kind, analysis.variants, comparedKind(kind, own, { analysis, comparisons, verdict, marks }));
    })}`,
  });
}

const ROUNDS =
  ' Calls that are in flight together delay each other, so intervals count rounds: a round is one group of prompts and seeds, sent once by each variant in turn.';

function ranked(headlines: readonly Comparison[], variants: readonly VariantSummary[]): readonly Comparison[] {
  const order = new Map(variants.map(({ name }, at) => [name, at]));
  return headlines.toSorted((a, b) => (order.get(a.variant) ?? 0) - (order.get(b.variant) ?? 0));
}

function comparedKind(
  kind: Kind,
  own: readonly Comparison[],
  {
    analysis,
    comparisons,
    verdict,
    marks,
  }: Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict'> & { readonly marks: VariantMarks },
): Markup {
  return html`${statedComparisons(own)}
${moreUnits(own, analysis.run).map((sentence) => html`<p class="note">${sentence}.</p>`)}
${ratioFigure(
  kind,
  own.map((comparison) => ({ ...comparison, mark: marks(comparison.variant), limit: limitOf(comparison, verdict) })),
)}
<details class="fold"><summary>Numbers of these comparisons</summary>${table(kind, own, comparisons)}</details>`;
}

function statedComparisons(own: readonly Comparison[]): Markup {
  const sentences = comparisonGroups(own).map((group) => html`<li>${groupSentence(group)}.</li>`);
  const folded = sentences.slice(MOST_SENTENCES);
  return html`<ul class="statements">${sentences.slice(0, MOST_SENTENCES)}</ul>${
    folded.length > 0 &&
    html`<details class="fold"><summary>${plural(folded.length, 'more comparison')}</summary><ul class="statements">${folded}</ul></details>`
  }`;
}

const MOST_SENTENCES = 8;

const BESIDE = [
  { head: 'Cost per output', metric: 'cost.per_output' },
  { head: 'Errors', metric: 'error_rate' },
  { head: 'Blocked', metric: 'block_rate' },
] as const;

function table(kind: Kind, headlines: readonly Comparison[], comparisons: readonly Comparison[]): Markup {
  const ofVariant = groupBy(comparisons, ({ variant }) => variant);
  const find = (metric: string, headline: Comparison) =>
    ofVariant
      .get(headline.variant)
      ?.find(
        (each) =>
          each.metric === metric &&
          each.baseline === headline.baseline &&
          each.step === headline.step &&
          each.scope.of === headline.scope.of,
      );
  const columns = BESIDE.filter(({ metric }) => headlines.some((headline) => find(metric, headline) !== undefined));
  const heads = ['Variant', 'Speed', 'Faster in', ...columns.map(({ head }) => head)];
  const rows = headlines.map((headline) => {
    const { cellPairs, cellPairsBetter } = headline;
    const cells: readonly (readonly [string, Markup])[] = [
      ['Speed', speedFigure(headline)],
      ['Faster in', figure(`${count(cellPairsBetter)} of ${count(cellPairs)}`, ['pairs'])],
      ...columns.map(({ head, metric }) => [head, compared(find(metric, headline))] as const),
    ];
    const name = html`<span class="name">${rowName(headline)}</span><small>against ${baselineWords(headline)}</small>`;
    return stackedRow(name, cells);
  });
  return stackedTable(`Comparison of ${KIND_NAMES[kind]}`, heads, rows);
}

/** The largest ratio that a rule of the gate allows; null without such a rule. */
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

function rowName({ variant, step }: Comparison): string {
  return step === null ? variant : `${variant} at concurrency ${count(step)}`;
}

function speedFigure(comparison: Comparison): Markup {
  const said = comparisonNoteWords(comparison.notes);
  const { speed, interval, remark } = comparedSpeed(comparison);
  if (speed === null) return figure(null, [isCompared(comparison) ? (remark ?? '') : said]);
  return figure(speed, [interval ?? '', comparison.finding === 'undecided' ? 'not told apart' : '', said]);
}

function compared(comparison: Comparison | undefined): Markup {
  if (comparison === undefined) return figure(null, ['not measured']);
  const { value, effect, unit, ciLow, ciHigh, ciLevel, notes, finding } = comparison;
  const said = comparisonNoteWords(notes);
  if (value === null) return figure(null, [said]);
  if (effect === 'ratio') {
    const apart = finding === 'undecided' ? 'not told apart' : '';
    return figure(timesBeside(value, ciLow, ciHigh), [
      ciLevel === null ? '' : ratioInterval(ciLow, ciHigh),
      apart,
      said,
    ]);
  }
  const ends = ciLow === null || ciHigh === null ? '' : differenceInterval(ciLow, ciHigh, unit);
  return figure(differenceWords(value, unit), [ends, said]);
}

/** Longest line of evidence that does not break, in characters. */
const MOST_UNBROKEN = 24;

function figure(value: string | null, evidence: readonly string[]): Markup {
  return html`<span class="${value === null ? 'figure none' : 'figure'}">${value ?? '–'}</span>${evidence
    .filter((line) => line !== '')
    .map((line) => html`<small${line.length <= MOST_UNBROKEN && html` class="whole"`}>${line}</small>`)}`;
}
