import type { Analysis } from '../../../analysis/analysis.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import type { Verdict } from '../../../analysis/verdict.ts';
import { KIND_NAMES, outputNoun } from '../../../kit/names.ts';
import { count, plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { isItSure, isItTheSame, type ShortAnswer } from '../../../report/answer-statement.ts';
import { isComparedPair } from '../../../report/likeness-statement.ts';
import type { ReportSource } from '../../../report/reporter.ts';
import { undelivered } from '../../../report/run-statement.ts';
import { byKind } from '../../../report/statement.ts';

import { squaresLegend } from '../../drawing/likeness-squares.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { hasTabs, ofKind } from '../../markup/scope.ts';
import { section } from '../../markup/section.ts';
import type { Sheet, SheetKind } from '../../shown-outputs.ts';
import { passedRules } from '../outcome/trouble.ts';
import { type Scoreboard, scoreboard } from './scoreboard.ts';
import { firstImages, variantNumbers } from './variant-numbers.ts';

/** Images come first, since people look at them first. @param sheet whose kinds are shown */
export function sideBySideSection(
  source: Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict'>,
  sheet: Sheet,
  marks: VariantMarks,
): Markup {
  const { analysis, comparisons, verdict } = source;
  const board = scoreboard(analysis, comparisons, marks);
  const numbersOf = variantNumbers(analysis, comparisons, { marks, sheet });
  const tabs = hasTabs(analysis.variants);
  const shownFirst = (kind: SheetKind) =>
    html`<div${tabs && html` data-kind="${kind.kind}"`}><h3 class="quiet">${KIND_NAMES[kind.kind]}</h3>
${shortAnswers(source, kind.variants)}${firstImages(kind, sheet, numbersOf)}</div>
`;
  return html`<section id="looks" aria-labelledby="looks-title">
<h2 id="looks-title" class="quiet">${looksTitle(analysis)}</h2>
${sheet.kinds.map(shownFirst)}
${analysis.likeness.some(isComparedPair) && howToRead(analysis)}
${passedRules(verdict, analysis)}
${numbers(
  sheet.kinds.map((kind) => ofKind(kind.kind, analysis.variants, board.table(kind))),
  board,
)}</section>
`;
}

function howToRead({ likeness }: Pick<Analysis, 'likeness'>): Markup {
  return html`<div class="note fine"><p class="squares-legend">${squaresLegend(likeness)} <span>a square for each prompt and seed; framed: the one shown</span></p>
<p>Likeness says what changed, not which is better: a changed image may be the better one. SSIM is 1 where two images are equal. Speed compares each prompt and seed with itself, so it is not the ratio of two medians.</p></div>`;
}

/** Three questions that every reader has, each answered in a line. */
function shortAnswers(
  { analysis, comparisons, verdict }: Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict'>,
  variants: readonly VariantSummary[],
): Markup {
  const noun = outputNoun(variants[0]?.kind ?? 'text-to-image');
  const answers = [
    ['Sure?', answer(isItSure(analysis, comparisons, variants))],
    [`Same seed, same ${noun}?`, answer(isItTheSame(analysis, variants))],
    ['Wrong?', whatIsWrong(analysis, verdict, variants)],
  ] as const;
  return html`<dl class="short">${answers.map(([question, said]) => html`<div><dt>${question}</dt> <dd>${said}</dd></div>`)}</dl>
`;
}

function answer({ words, tone }: ShortAnswer): Markup {
  return tone === null ? html`${words}` : html`<span class="${`state ${tone}`}">${words}</span>`;
}

function whatIsWrong(
  { failures, warnings }: Analysis,
  { rules }: Pick<Verdict, 'rules'>,
  variants: readonly VariantSummary[],
): Markup {
  const names = new Set(variants.map(({ name }) => name));
  const failedRules = new Set(
    rules.flatMap(({ index, verdict, variant }) => (verdict === 'fail' && names.has(variant) ? [index] : [])),
  ).size;
  const { failed, blocked } = undelivered(failures.filter(({ variant }) => names.has(variant)));
  const parts = [
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(blocked > 0 ? [`${count(blocked)} blocked`] : []),
  ];
  const lost =
    parts.length === 0
      ? `${failedRules > 0 ? 'no' : 'No'} request failed`
      : html`<a class="bad" href="#failures">${parts.join(', ')}</a>`;
  return html`${failedRules > 0 && html`<a class="bad" href="#gate">${plural(failedRules, 'rule')} failed</a>; `}${lost}${warnings.length > 0 && html`; <a class="warn" href="#warnings">${plural(warnings.length, 'warning')}</a>`}`;
}

/** Numbers of a run that delivered nothing to look at. */
export function numbersSection(
  { analysis, comparisons }: Pick<ReportSource, 'analysis' | 'comparisons'>,
  marks: VariantMarks,
): Markup {
  const board = scoreboard(analysis, comparisons, marks);
  const tables = byKind(analysis.variants).map(([kind, variants]) =>
    ofKind(kind, analysis.variants, board.table({ kind, variants })),
  );
  return numbers(tables, board);
}

function numbers(tables: readonly Markup[], { note }: Scoreboard): Markup {
  return section({ anchor: 'numbers', title: 'Numbers of each variant', more: note, content: tables });
}

function looksTitle(analysis: Pick<Analysis, 'variants'>): string {
  return isSideBySide(analysis) ? 'Side by side' : 'What it looks like';
}

function isSideBySide({ variants }: Pick<Analysis, 'variants'>): boolean {
  return byKind(variants).some(([, own]) => own.length > 1);
}

/** Links without script: the style sheet shows what belongs to the kind that the address names. */
export function kindTabs(variants: readonly VariantSummary[]): Markup | false {
  return (
    hasTabs(variants) &&
    html`<nav class="kinds" aria-label="Kinds"><ul>${byKind(variants).map(
      ([kind]) => html`<li><a href="#${kind}">${KIND_NAMES[kind]}</a></li>`,
    )}</ul></nav>
`
  );
}
