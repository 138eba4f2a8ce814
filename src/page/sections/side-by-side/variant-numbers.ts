import type { Analysis } from '../../../analysis/analysis.ts';
import type { Comparison } from '../../../analysis/comparison.ts';
import { headlineLatency } from '../../../analysis/effective-sample.ts';
import type { CellLikeness } from '../../../analysis/output-summaries.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { outputNoun } from '../../../kit/names.ts';
import { DIRECTION_WORDS, speedOf, speedTimes } from '../../../kit/value-words.ts';
import { count, plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { comparedSpeed, headlineComparisons } from '../../../report/comparison-statement.ts';
import { UNLIKENESS_WORDS } from '../../../report/level-words.ts';
import { type LikenessTally, likenessToBaseline } from '../../../report/likeness-statement.ts';
import { sweepSteps } from '../../../report/load-words.ts';
import { latencyStatement, latencyUnits, measuresOf, type Statement } from '../../../report/statement.ts';
import { likenessSquares } from '../../drawing/likeness-squares.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { failedAnchor } from '../../markup/failed-takes.ts';
import type { Sheet } from '../../shown-outputs.ts';
import type { VariantNumbers } from './first-images.ts';

/** Speed with its interval, else latency; then how many outputs these rest on. */
export function variantNumbers(
  analysis: Analysis,
  comparisons: readonly Comparison[],
  { marks, sheet }: { readonly marks: VariantMarks; readonly sheet: Sheet },
): VariantNumbers {
  const { load } = analysis.run.plan;
  const measures = measuresOf(analysis);
  const unitOf = latencyUnits(analysis);
  const isSweep = sweepSteps(load) !== null;
  const speeds = new Map(
    headlineComparisons(comparisons, load)
      .filter((each) => each.step === null && comparedSpeed(each).speed !== null)
      .toReversed()
      .map((each) => [each.variant, each]),
  );
  const likes = (variant: VariantSummary): Markup | false => {
    const tally = likenessToBaseline(variant, analysis);
    const sharpness = measures(variant.name, 'likeness', 'sharpness')?.value ?? null;
    return tally !== null && likenessLine(tally, sharpness, sheet);
  };
  return (variant) => {
    const name = html`<span class="who">${markedName(variant.name, marks)}${tags(variant)}</span>`;
    if (isSweep) return html`${name}${likes(variant)}`;
    const latency = latencyStatement(measures(variant.name, headlineLatency(load), 'p50'), unitOf(variant.name));
    const speed = speeds.get(variant.name);
    return html`${name}${speed === undefined ? latencyFigure(latency, variant) : speedFigure(speed, latency)}${likes(variant)}`;
  };
}

function numberOfCell({ variant, prompt, seed }: CellLikeness, { places }: Sheet): number | null {
  const cell = places.cell(variant, prompt, seed);
  return cell === null ? null : places.number(cell);
}

/** Anchor of the failed take that is why a pair has no likeness. */
function failureOf({ word, variant, baseline, prompt, seed }: CellLikeness, { places, failed }: Sheet): string | null {
  if (word !== 'unknown') return null;
  const cells = [variant, baseline].flatMap((name) => places.cell(name, prompt, seed) ?? []);
  return (
    cells
      .filter(({ outputGroups }) => outputGroups.length === 0)
      .map((cell) => failedAnchor(cell, failed))
      .find((anchor) => anchor !== null) ?? null
  );
}

function likenessLine(tally: LikenessTally, sharpness: number | null, sheet: Sheet): Markup {
  const { compared, similar } = tally;
  return html`${sharpness !== null && html`<small class="change">sharpness ${changeWords(sharpness)}</small>`}<span class="likes">${likenessSquares(
    tally,
    (pair) => numberOfCell(pair, sheet),
    (pair) => failureOf(pair, sheet),
  )}${compared > 0 ? html`<b>${count(similar)}/${count(compared)} similar</b>` : html`<b>not compared</b><small>${tally.unknown.map(({ why }) => UNLIKENESS_WORDS[why]).join('; ')}</small>`}</span>`;
}

/** `−11 %`, of a ratio. */
function changeWords(ratio: number): string {
  const points = Math.round(100 * (ratio - 1));
  return `${points < 0 ? '−' : '+'}${count(Math.abs(points))} %`;
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
  return html`<span class="much">${value}</span><small class="evidence">${interval === null ? from : html`<span class="whole">${interval}</span> (95 %), ${from}`}</small>`;
}

function speedFigure(comparison: Comparison, { value: latency }: Statement): Markup {
  const { value, ciLow, ciHigh } = comparison;
  const { interval, remark } = comparedSpeed(comparison);
  return html`<span class="much">${speedTimes(value ?? 1, ciLow, ciHigh)} <span class="per">${DIRECTION_WORDS[speedOf(value ?? 1).direction]}</span></span><small class="evidence"><span class="whole">${interval}</span>${remark !== null && `, ${remark}`}${latency !== null && ` · ${latency}`}</small>`;
}
