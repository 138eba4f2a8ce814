import type { Analysis, VariantSummary } from '../../../../analysis/analysis.ts';
import { headlineLatency } from '../../../../analysis/samples/headline.ts';
import type { Comparison } from '../../../../compare/comparison.ts';
import { plural } from '../../../../text/wording.ts';
import { outputNoun } from '../../../statements/answer-statement.ts';
import { headlineComparisons, isCompared, speedEvidence } from '../../../statements/comparison-statement.ts';
import { latencyStatement, latencyUnits, measuresOf, type Statement } from '../../../statements/statement.ts';
import { sweepSteps } from '../../../words/load-words.ts';
import { inverse, times } from '../../../words/value-words.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';
import type { VariantNumbers } from './first-images.ts';

/** Speed with its interval, else latency; then how many outputs these rest on. */
export function variantNumbers(
  analysis: Analysis,
  comparisons: readonly Comparison[],
  marks: VariantMarks,
): VariantNumbers {
  const { load } = analysis.run.plan;
  const measures = measuresOf(analysis);
  const unitOf = latencyUnits(analysis);
  const isSweep = sweepSteps(load) !== null;
  const speeds = new Map(
    headlineComparisons(comparisons, load)
      .filter((each) => each.step === null && isCompared(each))
      .toReversed()
      .map((each) => [each.variant, each]),
  );
  return (variant) => {
    const name = html`<span class="who">${markedName(variant.name, marks)}${tags(variant)}</span>`;
    if (isSweep) return name;
    const latency = latencyStatement(measures(variant.name, headlineLatency(load), 'p50'), unitOf(variant.name));
    const speed = speeds.get(variant.name);
    return html`${name}${speed === undefined ? latencyFigure(latency, variant) : speedFigure(speed, latency)}`;
  };
}

function tags({ baseline, twinOf, abandoned }: VariantSummary): readonly (Markup | false)[] {
  return [
    baseline && html` <span class="tag">baseline</span>`,
    twinOf !== null && html` <span class="tag">stored baseline, sent again</span>`,
    abandoned !== null && html` <span class="tag">left out</span>`,
  ];
}

function latencyFigure({ value, interval, n }: Statement, { kind }: VariantSummary): Markup {
  if (value === null) return html`<span class="much none">–</span>`;
  const from = plural(n, outputNoun(kind));
  return html`<span class="much">${value}</span><small>${interval === null ? from : html`<span class="whole">${interval}</span> (95 %), ${from}`}</small>`;
}

/** How many times as fast: a slower one is below 1, so that all are read alike. */
function speedFigure(comparison: Comparison, { value: latency }: Statement): Markup {
  const { value } = comparison;
  if (value === null) return html`<span class="much none">–</span>`;
  const { interval, remark } = speedEvidence(comparison);
  return html`<span class="much">${times(inverse(value) ?? 1)}</span><small>${interval !== null && html`<span class="whole">${interval}</span>`}${interval !== null && remark !== null && ', '}${remark}${latency !== null && ` · ${latency}`}</small>`;
}
