import type { Analysis } from '../../../analysis/analysis.ts';
import type { Comparison } from '../../../analysis/comparison.ts';
import { headlineLatency } from '../../../analysis/effective-sample.ts';
import type { CellLikeness } from '../../../analysis/output-summaries.ts';
import type { Cell, VariantSummary } from '../../../analysis/summaries.ts';
import { unfitLatencies } from '../../../analysis/warnings.ts';
import { KIND_NAMES, outputNoun, shownName } from '../../../kit/names.ts';
import { DIRECTION_WORDS, speedOf, speedTimes } from '../../../kit/value-words.ts';
import { count, plural, unbroken } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { isTwin } from '../../../record/compared-variants.ts';
import { comparedSpeed, headlineComparisons, isCompared, tellsApart } from '../../../report/comparison-statement.ts';
import { likenessWords, UNLIKENESS_WORDS } from '../../../report/level-words.ts';
import { isComparedPair, type LikenessTally, likenessTo, ssimOf } from '../../../report/likeness-statement.ts';
import type { ReportSource } from '../../../report/reporter.ts';
import { resultColumns } from '../../../report/result-columns.ts';
import { byKind, latencyStatement, latencyUnits, measuresOf, type Statement } from '../../../report/statement.ts';
import type { StorySource } from '../../../report/story.ts';
import { sweepSteps } from '../../../suite/sweep.ts';
import { firstOfEachOutput, usualFirst } from '../../cell-outputs.ts';
import { likenessSquares, squaresLegend } from '../../drawing/likeness-squares.ts';
import { markedName, type VariantMarks, variantTags } from '../../drawing/variant-mark.ts';
import { cellAnchor, failedAnchor, hasTabs, ofKind, section } from '../../markup/section.ts';
import {
  MOST_AT_SIGHT,
  MOST_REPEATS,
  type Sheet,
  type SheetKind,
  shownAgainst,
  shownPairs,
} from '../../shown-outputs.ts';
import { layerSources, outlineLegend } from '../images/input-layers.ts';
import { inputFigure, nothingShown, outputFigure, scaleMark, usualFigure } from '../images/sheet.ts';
import { otherRules } from '../outcome/outcome.ts';
import { type Scoreboard, scoreboard } from './scoreboard.ts';

/** Images come first, since people look at them first. */
export function sideBySideSection(source: StorySource, sheet: Sheet, marks: VariantMarks): Markup {
  const { analysis, comparisons } = source;
  const board = scoreboard({ analysis, comparisons }, marks);
  const tabled = new Set(sheet.kinds.flatMap(({ shownFirst }) => board.briefed(shownFirst)));
  const isTabled = (variant: VariantSummary) => tabled.has(variant);
  const numbersOf = variantNumbers(analysis, comparisons, { marks, sheet, isTabled });
  const tabs = hasTabs(analysis.variants);
  const shownFirst = (kind: SheetKind) =>
    html`<div${tabs && html` data-kind="${kind.kind}"`}><h3 class="quiet">${KIND_NAMES[kind.kind]}</h3>
${board.brief({ ...kind, variants: kind.shownFirst })}${firstImages(kind, sheet, numbersOf)}</div>
`;
  return html`<section id="looks" aria-labelledby="looks-title">
<h2 id="looks-title" class="quiet">Outputs of each variant</h2>
${sheet.kinds.map(shownFirst)}
${analysis.likeness.some(isComparedPair) && howToRead(source, sheet)}
${otherRules(source, sheet)}
${numbers(
  sheet.kinds.map((kind) => ofKind(kind.kind, analysis.variants, board.table(kind))),
  board,
)}</section>
`;
}

/** Open load adds seeds, whose images no list has. */
function howToRead({ analysis, comparisons }: Pick<StorySource, 'analysis' | 'comparisons'>, { kinds }: Sheet): Markup {
  const { run } = analysis;
  const likeness = shownPairs(analysis);
  const isSpeed = headlineComparisons(comparisons, run.plan.load).some(isCompared);
  const all = new Set(likeness.map(({ kind, prompt, seed }) => JSON.stringify([kind, prompt, seed]))).size;
  const shown = kinds.reduce((sum, { rows }) => sum + rows.length, 0);
  const only =
    all > shown ? `; images of ${count(shown)} of ${count(all)}: the others have seeds that the load added` : '';
  return html`<div class="note fine"><p class="squares-legend">${squaresLegend(likeness)} <span>a square for each prompt and seed; framed: the one shown${only}</span></p>
<p>Likeness says what changed, not which is better: a changed image may be the better one. SSIM is 1 where two images are equal.${isSpeed && ' Speed compares each prompt and seed with itself, so it is not the ratio of two medians.'}</p></div>`;
}

/** Numbers of a run that delivered nothing to look at. */
export function numbersSection(
  { analysis, comparisons }: Pick<ReportSource, 'analysis' | 'comparisons'>,
  marks: VariantMarks,
): Markup {
  const board = scoreboard({ analysis, comparisons }, marks);
  const tables = byKind(analysis.variants).map(([kind, variants]) =>
    ofKind(kind, analysis.variants, board.table({ kind, variants })),
  );
  return numbers(tables, board);
}

function numbers(tables: readonly Markup[], { note }: Scoreboard): Markup {
  return section({ anchor: 'numbers', title: 'Numbers of each variant', more: note, content: tables });
}

/** Links without script: the style sheet shows what belongs to the kind that the address names. */
export function kindTabs({ analysis, comparisons }: Pick<ReportSource, 'analysis' | 'comparisons'>): Markup | false {
  const columns = resultColumns({ analysis, comparisons });
  const unfit = unfitLatencies(analysis.warnings);
  const [speedOf, likenessOf] = (['speed', 'likeness'] as const).map(
    (id) => (variant: VariantSummary) => columns.find((column) => column.id === id)?.cell(variant) ?? null,
  );
  /** `2.0x, 12/12`: the fastest of those that stay most similar; without a speed that nobody may use. */
  const resultOf = (variants: readonly VariantSummary[]): string => {
    const [best] = variants
      .flatMap((variant) => {
        const [speed, likeness] = [speedOf?.(variant), likenessOf?.(variant)];
        const isVoid = unfit.has(variant.name);
        return speed?.by ? [{ speed, by: speed.by, likeness: likeness?.value ? likeness : null, isVoid }] : [];
      })
      .toSorted((a, b) => (b.likeness?.by ?? 0) - (a.likeness?.by ?? 0) || a.by - b.by);
    const cells = [best?.speed.is === 'undecided' || best?.isVoid ? null : best?.speed, best?.likeness];
    return cells.flatMap((cell) => cell?.inLine.narrow ?? []).join(', ');
  };
  return (
    hasTabs(analysis.variants) &&
    html`<nav class="kinds" aria-label="Kinds"><ul>${byKind(analysis.variants).map(([kind, variants]) => {
      const result = resultOf(variants);
      return html`<li><a href="#${kind}">${KIND_NAMES[kind]}${result !== '' && html` <span class="result">${result}</span>`}</a></li>`;
    })}</ul></nav>
`
  );
}

/** Speed with its interval, else latency; then how many outputs these rest on. */
function variantNumbers(
  analysis: Analysis,
  comparisons: readonly Comparison[],
  {
    marks,
    sheet,
    isTabled,
  }: {
    readonly marks: VariantMarks;
    readonly sheet: Sheet;
    /** Whether a table above the images has the numbers of the variant. */
    readonly isTabled: (variant: VariantSummary) => boolean;
  },
): VariantNumbers {
  const { load } = analysis.run.plan;
  const measures = measuresOf(analysis);
  const unitOf = latencyUnits(analysis);
  const isSweep = sweepSteps(load) !== null;
  const byRow = orderOfRows(sheet);
  const compared = headlineComparisons(comparisons, load).filter(
    (comparison) => comparison.step === null && comparedSpeed(comparison).speed !== null,
  );
  const likes = (variant: VariantSummary, against: VariantSummary | null): Markup => {
    const tally = against === null ? null : likenessTo(against.name, variant, analysis);
    if (against === null || tally === null) return html``;
    const isNew = isTwin(against);
    const sharpness = isNew ? null : (measures(variant.name, 'likeness', 'sharpness')?.value ?? null);
    const ordered = { ...tally, pairs: tally.pairs.toSorted(byRow) };
    const counted = isNew ? ` to ${shownName(against.name)}` : '';
    return likenessLine(ordered, sharpness, sheet, isTabled(variant) ? null : counted);
  };
  return (variant) => {
    const against = shownAgainst(variant, analysis.variants);
    const name = html`<span class="who">${markedName(variant.name, marks)}${variantTags(variant, analysis.variants)}</span>`;
    if (isSweep || isTabled(variant)) return html`${name}${likes(variant, against)}`;
    const latency = latencyStatement(measures(variant.name, headlineLatency(load), 'p50'), unitOf(variant.name));
    const speed = compared.find((of) => of.variant === variant.name && of.baseline === against?.name);
    const isApart = load.mode === 'open' && analysis.variants.length > 1;
    return html`${name}${speed === undefined ? latencyFigure(latency, variant, isApart) : speedFigure(speed, latency)}${likes(variant, against)}`;
  };
}

function numberOfCell({ variant, prompt, seed }: CellLikeness, { places }: Sheet): number | null {
  const cell = places.cell(variant, prompt, seed);
  return cell === null ? null : places.number(cell);
}

/** As the images below: the same place is the same prompt and seed in the squares of each variant. */
function orderOfRows({ kinds }: Sheet): (a: CellLikeness, b: CellLikeness) => number {
  const keyOf = (...place: readonly (string | number)[]) => JSON.stringify(place);
  const rows = kinds.flatMap(({ kind, rows: ofKind }) => ofKind.map((row) => keyOf(kind, row.prompt.id, row.seed)));
  const places = new Map(rows.map((row, at) => [row, at]));
  const placeOf = ({ kind, prompt, seed }: CellLikeness) => places.get(keyOf(kind, prompt, seed)) ?? rows.length;
  return (a, b) => placeOf(a) - placeOf(b);
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

/** @param to what follows the count; null where a table has it */
function likenessLine(tally: LikenessTally, sharpness: number | null, sheet: Sheet, to: string | null): Markup {
  const { compared, similar } = tally;
  const points = sharpness === null ? 0 : Math.round(100 * (sharpness - 1));
  return html`${points !== 0 && html`<small class="change">${unbroken(`sharpness ${points < 0 ? '−' : '+'}${count(Math.abs(points))} %`)}</small>`}<span class="likes">${
    compared > 0
      ? html`${likenessSquares(
          tally,
          (pair) => numberOfCell(pair, sheet),
          (pair) => failureOf(pair, sheet),
        )}${to !== null && html`<b>${count(similar)}/${count(compared)} similar${to}</b>`}`
      : to !== null &&
        html`<b>not compared</b><small>${tally.unknown.map(({ why }) => UNLIKENESS_WORDS[why]).join('; ')}</small>`
  }</span>`;
}

/** @param isApart whether nobody may compare it with that of another variant */
function latencyFigure({ value, interval, n }: Statement, { kind }: VariantSummary, isApart: boolean): Markup {
  if (value === null) return html`<span class="much none">–</span>`;
  const from = plural(n, outputNoun(kind));
  return html`<span class="${isApart ? 'much none' : 'much'}">${value}${isApart && html` <span class="per">not compared</span>`}</span><small class="evidence">${interval === null ? `${from}, no interval` : html`<span class="whole">${interval}</span> (95 %), ${from}`}</small>`;
}

function speedFigure(comparison: Comparison, { value: latency }: Statement): Markup {
  const { value, ciLow, ciHigh, baselineRun } = comparison;
  const { interval, remark } = comparedSpeed(comparison);
  const isApart = tellsApart(comparison);
  const than = baselineRun === null ? '' : ` ${isApart ? 'as' : 'against'} in use`;
  const per = html`<span class="per">${isApart ? DIRECTION_WORDS[speedOf(value ?? 1).direction] : remark}${than}</span>`;
  return html`<span class="${isApart ? 'much' : 'much none'}">${isApart && `${speedTimes(value ?? 1, ciLow, ciHigh)} `}${per}</span><small class="evidence"><span class="whole">${interval}</span>${isApart ? remark !== null && `, ${remark}` : ' as fast'}${latency !== null && unbroken(` · p50 ${latency}`)}</small>`;
}

/** The numbers of a variant below its image: for all prompts and seeds, so that they stay when another is chosen. */
type VariantNumbers = (variant: VariantSummary) => Markup;

/** Outputs for a prompt and seed, the baseline variant first. The script fills `.shown`, `h4` and `.text` again. */
function firstImages(sheetKind: SheetKind, sheet: Sheet, numbersOf: VariantNumbers): Markup {
  const { kind, inputs, rows, strip: shown, shownFirst, varies } = sheetKind;
  if (shown === null) return html`<p class="empty">No take was delivered.</p>`;
  const { prompt, seed } = shown;
  const figures = shownFirst.map(
    (variant) =>
      html`<figure data-variant="${variant.name}"><div class="shown">${content(sheet.places.cell(variant.name, prompt.id, seed), sheet, varies)}</div><figcaption>${numbersOf(variant)}</figcaption></figure>`,
  );
  const folded = figures.slice(MOST_AT_SIGHT);
  const isChanged = rows.some(({ changed }) => changed.length > 0);
  const isLone = figures.length === 1 && inputs.size === 0 && !isChanged;
  return html`<article class="${`strip prompt${folded.length > 0 ? ' many' : ''}${isLone ? ' lone' : ''}${isChanged ? ' kept' : ''}${varies ? ' varies' : ''}`}" data-kind="${kind}" data-prompt="${prompt.id}" data-seed="${seed}">
<div class="choice"><h4>${prompt.id}, seed ${seed}</h4><p class="text" title="${prompt.text}">${prompt.text}</p></div>
<div class="strip-images">${
    inputs.size > 0 &&
    html`<figure class="input"><div class="shown">${inputFigure(shown, sheetKind, sheet, 'strip')}</div><figcaption><span class="name">input</span>${outlineLegend(inputs.values(), sheet)}</figcaption></figure>`
  }${figures.slice(0, MOST_AT_SIGHT)}</div>${
    folded.length > 0 &&
    html`<details class="fold"><summary>${plural(folded.length, 'more variant')}</summary><div class="strip-images">${folded}</div></details>`
  }
${rowLinks(sheetKind, sheet)}${layerSources(sheetKind, sheet)}</article>
`;
}

const MOST_LINKS = 24;

/** Links to the rows of the contact sheet, the most changed first; nothing where there is one row. */
function rowLinks({ rows, variants }: SheetKind, sheet: Sheet): Markup | false {
  const isMarked = rows.some(({ most, changed }) => changed.length > 0 || most?.difference);
  const links = rows.slice(0, MOST_LINKS).flatMap(({ prompt, seed, most, changed }) => {
    const shown = [most?.variant ?? [], variants.map(({ name }) => name)].flat(2);
    const cells = [...changed, ...shown.flatMap((name) => sheet.places.cell(name, prompt.id, seed) ?? [])];
    const cell = cells.find((candidate) => firstOfEachOutput(candidate).length > 0);
    const [output] = cell === undefined ? [] : usualFirst(cell, sheet);
    if (cell === undefined || output === undefined) return [];
    const isChanged = changed.length > 0;
    const image = sheet.images.small(isChanged || most === null ? output.sha256 : most.output);
    const number = (most === null ? null : ssimOf(most))?.toFixed(2) ?? null;
    const decided = most === null ? '' : likenessWords(most);
    const like = number === null || decided.includes(number) ? decided : `SSIM ${number}, ${decided}`;
    const sentence = isChanged ? `changed since ${sheet.baselineRun}` : like;
    const words = `${prompt.id}, seed ${seed}${sentence === '' ? '' : `: ${sentence}`}`;
    const mark = isChanged
      ? html`<span class="ssim changed">changed</span>`
      : html`<span class="ssim">${number}</span>`;
    return [
      html`<a href="#${cellAnchor(sheet.places, cell)}" data-prompt="${prompt.id}" data-seed="${seed}" title="${words}" aria-label="${words}">${image === null ? html`<span class="blank">${prompt.id}</span>` : html`<img alt="" loading="lazy" decoding="async" src="${image}">`}${(isChanged || number !== null) && mark}</a>`,
    ];
  });
  if (links.length < 2) return false;
  return html`<div class="rows"><span>${isMarked ? 'Most changed first' : 'All prompts and seeds'}${rows.some(({ most }) => most !== null) && ', with SSIM'}</span><div class="row-links">${links}</div>${rows.length > MOST_LINKS && html`<a class="all" href="#images">all ${count(rows.length)}</a>`}</div>
`;
}

function content(cell: Cell | null, sheet: Sheet, varies: boolean): Markup {
  const [usual, ...others] = cell === null ? [] : usualFirst(cell, sheet);
  if (cell === null || usual === undefined) return nothingShown(cell, sheet);
  if (varies)
    return html`${[usual, ...others].slice(0, MOST_REPEATS).map((take) => outputFigure(take, cell, sheet, 'strip'))}`;
  return html`${usualFigure(usual, cell, sheet, 'strip')}${scaleMark(cell, sheet)}${others.length > 0 && cell.level !== 'pixel' && html`<small class="others-of">${plural(others.length, 'other output')} in repeats</small>`}`;
}
