import type { Comparison } from '../../../analysis/comparison.ts';
import { UNIT_NOUNS } from '../../../analysis/note.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { kindOf } from '../../../gate/bounds.ts';
import type { Verdict } from '../../../gate/verdict.ts';
import { KIND_NAMES } from '../../../kit/names.ts';
import { inverse, timesBeside } from '../../../kit/value-words.ts';
import { count, plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import {
  comparedSpeed,
  comparisonGroups,
  groupSentence,
  headlineComparisons,
  moreUnits,
} from '../../../report/comparison-statement.ts';
import type { ReportSource } from '../../../report/reporter.ts';
import { byKind, measuresOf } from '../../../report/statement.ts';
import type { Kind } from '../../../suite/kind.ts';
import { type Axis, ratioAxis, swarm } from '../../drawing/axis.ts';
import { type FigureRow, limitSign, rankedVariants, rankNote, rowsFigure } from '../../drawing/rows-figure.ts';
import { box, dots, path, upright } from '../../drawing/svg.ts';
import type { VariantMark, VariantMarks } from '../../drawing/variant-mark.ts';
import { ofKind, section } from '../../markup/section.ts';

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
    more: html`Each variant against the baseline variant of its kind, with the same prompts and seeds, on a log scale. comparisons.csv has the ratio of latencies (variant / baseline), which is one over the speed, and cost, errors and blocked takes beside it. Brackets are 95 % intervals for these
prompts in this run; they are not adjusted for the number of candidates. Two or more
candidates differ only if p, adjusted for their number (Benjamini and Hochberg), is also at most 0.05. A pair is one prompt and seed of both variants${headlines.some(({ units }) => units === 'blocks') && ', a pair of takes one take of each'}.${headlines.some(({ units }) => units === 'rounds') && ROUNDS}`,
    content: html`${rankNote(analysis.variants, load, 'candidates')}${kinds.map(([kind, variants]) => {
      const sorted = ranked(
        headlines.filter((headline) => headline.kind === kind),
        rankedVariants(variants, measuresOf(analysis), load),
      );
      return ofKind(kind, analysis.variants, comparedKind(kind, sorted, { analysis, verdict, marks }));
    })}`,
  });
}

const ROUNDS =
  ' Takes that are in flight together delay each other, so intervals count groups of pairs: one group of prompts and seeds, sent once by each variant in turn.';

function ranked(headlines: readonly Comparison[], variants: readonly VariantSummary[]): readonly Comparison[] {
  const order = new Map(variants.map(({ name }, at) => [name, at]));
  return headlines.toSorted((a, b) => (order.get(a.variant) ?? 0) - (order.get(b.variant) ?? 0));
}

function comparedKind(
  kind: Kind,
  headlines: readonly Comparison[],
  { analysis, verdict, marks }: Pick<ReportSource, 'analysis' | 'verdict'> & { readonly marks: VariantMarks },
): Markup {
  return html`${statedComparisons(headlines)}
${moreUnits(headlines, analysis.run).map((sentence) => html`<p class="note">${sentence}.</p>`)}
${ratioFigure(
  kind,
  headlines.map((headline) => ({ ...headline, mark: marks(headline.variant), limit: limitOf(headline, verdict) })),
)}`;
}

function statedComparisons(headlines: readonly Comparison[]): Markup {
  const sentences = comparisonGroups(headlines).map((group) => html`<li>${groupSentence(group)}.</li>`);
  const folded = sentences.slice(MOST_SENTENCES);
  return html`<ul class="statements">${sentences.slice(0, MOST_SENTENCES)}</ul>${
    folded.length > 0 &&
    html`<details class="fold"><summary>${plural(folded.length, 'more comparison')}</summary><ul class="statements">${folded}</ul></details>`
  }`;
}

const MOST_SENTENCES = 8;

/** The largest ratio that a rule of the gate allows; null without such a rule. */
function limitOf({ variant, baseline, metric, step }: Comparison, { rules }: Verdict): number | null {
  if (step !== null) return null;
  const limits = rules.flatMap(({ rule, variant: of, against, effect }) =>
    rule.metric === metric && of === variant && against === baseline && effect === 'ratio'
      ? [kindOf(rule).allows.high].filter(Number.isFinite)
      : [],
  );
  return limits.length === 0 ? null : limits.reduce((least, limit) => Math.min(least, limit));
}

const HEIGHT = 38;

interface DrawnComparison extends Comparison {
  readonly mark: VariantMark;
  readonly limit: number | null;
}

/** False if no comparison has both a speed and values to draw. */
function ratioFigure(kind: Kind, all: readonly DrawnComparison[]): Markup | false {
  const comparisons = all.filter((comparison) => comparedSpeed(comparison).speed !== null);
  const [first] = comparisons;
  const units = comparisons.reduce((sum, { unitValues }) => sum + unitValues.length, 0);
  if (first === undefined || units === 0) return false;
  const axis = ratioAxis(
    comparisons.flatMap(({ unitValues, value, ciLow, ciHigh, limit }) =>
      [...unitValues, value, ciLow, ciHigh, limit].flatMap((ratio) => (ratio === null ? [] : [1 / ratio])),
    ),
    9,
  );
  return rowsFigure({
    label: `Speed against the baseline variant in ${plural(units, UNIT_NOUNS[first.units])} of ${KIND_NAMES[kind]}, a row for each comparison, with its numbers`,
    axis,
    rows: comparisons.map((comparison) => rowOf(comparison, axis)),
  });
}

/** Numbers are speeds, one over a ratio of latencies. An end that time-outs leave open reaches the edge. */
function rowOf(comparison: DrawnComparison, axis: Axis): FigureRow {
  const { variant, baselineRun, step, value, ciLow, ciHigh, units, nUnits, unitValues, limit, mark } = comparison;
  const { speed, interval } = comparedSpeed(comparison);
  const hidden = nUnits - unitValues.length;
  const evidence = [plural(nUnits, UNIT_NOUNS[units]), ...(hidden > 0 ? [`${count(hidden)} timed out`] : [])];
  const [low, high] = [axis.place(inverse(ciHigh) ?? 0), axis.place(inverse(ciLow) ?? Number.POSITIVE_INFINITY)];
  const line = (ratio: number | null): readonly string[] =>
    ratio === null ? [] : [upright(axis.place(1 / ratio), 0, HEIGHT)];
  const speeds = unitValues.map((ratio) => 1 / ratio);
  return {
    mark,
    name: `${variant}${step === null ? '' : ` at ${count(step)}`}${baselineRun === null ? '' : ' (new / in use)'}`,
    words: [`${speed} ${interval}`, ...evidence].join('   '),
    height: HEIGHT,
    paths: [
      path([box(low, high, 0, HEIGHT)], { fill: mark.fill, 'fill-opacity': 0.2 }),
      path(line(1), { stroke: 'var(--muted)', 'stroke-width': 1.5, 'stroke-dasharray': '4 3' }),
      path(line(limit), { stroke: 'var(--bad)', 'stroke-width': 1.5 }),
      dots(swarm(speeds, axis, HEIGHT), mark.fill, 2.6, 0.7),
      path(line(value), { stroke: mark.fill, 'stroke-width': 2.5 }),
    ],
    signs: limit === null ? [] : [limitSign(axis.place(1 / limit), `${timesBeside(limit, limit, limit)} as long`)],
  };
}
