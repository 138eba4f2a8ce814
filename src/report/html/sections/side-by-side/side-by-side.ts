import type { Analysis, Cell, VariantSummary } from '../../../../analysis/analysis.ts';
import { duration, plural } from '../../../../text/wording.ts';
import type { ReportSource } from '../../../reporter.ts';
import { byKind } from '../../../statements/statement.ts';
import { KIND_NAMES, takeName } from '../../../words/names.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { kindHead } from '../../markup/scope.ts';
import { inputFigure, outputFigure } from '../images/output-figure.ts';
import { undelivered } from '../images/sheet.ts';
import { firstOfEachOutput, MOST_UNFOLDED, type Sheet, type SheetKind } from '../images/shown-outputs.ts';
import { scoreboard } from './scoreboard.ts';

/** Images come first, since people look at them first. @param sheet whose kinds are shown */
export function sideBySideSection(
  { analysis, comparisons }: Pick<ReportSource, 'analysis' | 'comparisons'>,
  sheet: Sheet,
  marks: VariantMarks,
): Markup {
  const board = scoreboard(analysis, comparisons, marks);
  return html`<section id="looks" aria-labelledby="looks-title">
<h2 id="looks-title">${looksTitle(analysis)}</h2>
<p class="note">${isSideBySide(analysis) ? 'The variants of a kind for the same prompt and seed, then their numbers for all prompts and seeds.' : 'The outputs for one prompt and seed, then the numbers for all prompts and seeds.'} <a href="#images">All images</a> are further down.<span class="with-script"> Select an image to compare it with another one.</span></p>
${sheet.kinds.map(
  (kind, at) => html`<section aria-label="${KIND_NAMES[kind.kind]}" class="kind">
<h3${sheet.kinds.length === 1 && html` class="quiet"`}>${KIND_NAMES[kind.kind]}</h3>
${strip(kind, { sheet, marks })}
${board.table(kind)}
${at === 0 && board.note}
</section>
`,
)}</section>
`;
}

/** For a run that delivered nothing to look at. */
export function numbersSection(
  { analysis, comparisons }: Pick<ReportSource, 'analysis' | 'comparisons'>,
  marks: VariantMarks,
): Markup {
  const board = scoreboard(analysis, comparisons, marks);
  return html`<section id="numbers" aria-labelledby="numbers-title">
<h3 id="numbers-title">Numbers of each variant</h3>
${byKind(analysis.variants).map(([kind, variants]) => html`${kindHead(kind, analysis.variants)}${board.table({ kind, variants })}`)}
${board.note}
</section>`;
}

/** Nothing stands beside a lone variant. */
export function looksTitle(analysis: Pick<Analysis, 'variants'>): string {
  return isSideBySide(analysis) ? 'Side by side' : 'What it looks like';
}

function isSideBySide({ variants }: Pick<Analysis, 'variants'>): boolean {
  return byKind(variants).some(([, own]) => own.length > 1);
}

interface StripLook {
  readonly sheet: Sheet;
  readonly marks: VariantMarks;
}

/** For one prompt and seed; the script can show any other. */
function strip(sheetKind: SheetKind, { sheet, marks }: StripLook): Markup {
  const { kind, variants, inputs, strip: shown } = sheetKind;
  if (shown === null) return html`<p class="empty">No take was delivered.</p>`;
  const { prompt, seed } = shown;
  const figures = variants.map((variant) =>
    figure(variant, sheet.places.cell(variant.name, prompt.id, seed), { sheet, marks }),
  );
  const folded = figures.slice(MOST_UNFOLDED);
  return html`<article class="strip prompt" data-kind="${kind}" data-prompt="${prompt.id}" data-seed="${seed}">
<h4>${prompt.id}, seed ${seed}</h4><p class="text" title="${prompt.text}">${prompt.text}</p>
<div class="strip-images">${
    inputs.size > 0 &&
    html`<figure class="input"><figcaption><span class="name">input</span></figcaption>${inputFigure(prompt.id, sheetKind, sheet, 'strip')}</figure>`
  }${figures.slice(0, MOST_UNFOLDED)}</div>${
    folded.length > 0 &&
    html`<details><summary>${plural(folded.length, 'more variant')}</summary><div class="strip-images">${folded}</div></details>`
  }
</article>
`;
}

function figure(variant: VariantSummary, cell: Cell | null, { sheet, marks }: StripLook): Markup {
  const [usual, ...others] = cell === null ? [] : firstOfEachOutput(cell);
  const content =
    cell === null || usual === undefined
      ? html`<span class="blank">${cell === null ? 'not sent' : undelivered(cell.takes)}</span>`
      : outputFigure(usual, cell, sheet, 'strip');
  // With the name of the take: its latency must not be read as the variant's.
  const took =
    usual === undefined || usual.totalMs === null
      ? null
      : `${takeName(usual)}: ${duration(usual.totalMs, sheet.unitOf(variant.name))}`;
  const more = others.length > 0 ? plural(others.length, 'other output') : null;
  const small = [took, more].filter((words) => words !== null).join(', ');
  return html`<figure data-variant="${variant.name}"><figcaption>${markedName(variant.name, marks)}${small !== '' && html` <small>${small}</small>`}</figcaption>${content}</figure>`;
}
