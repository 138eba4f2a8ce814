import type { Cell, VariantSummary } from '../../../../analysis/analysis.ts';
import { plural } from '../../../../text/wording.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { inputFigure, outputFigure } from '../images/output-figure.ts';
import { undelivered } from '../images/sheet.ts';
import { firstOfEachOutput, MOST_AT_SIGHT, type Sheet, type SheetKind } from '../images/shown-outputs.ts';

/** The numbers of a variant below its image: for all prompts and seeds, so that they stay when another is chosen. */
export type VariantNumbers = (variant: VariantSummary) => Markup;

/**
 * The outputs of a kind's variants for one prompt and seed, the baseline variant first. The script shows another prompt
 * and seed by what the contact sheet has: it replaces what is in `.shown`, the `h4` and `.text`.
 */
export function firstImages(sheetKind: SheetKind, sheet: Sheet, numbersOf: VariantNumbers): Markup {
  const { kind, inputs, strip: shown, shownFirst } = sheetKind;
  if (shown === null) return html`<p class="empty">No take was delivered.</p>`;
  const { prompt, seed } = shown;
  const figures = shownFirst.map(
    (variant) =>
      html`<figure data-variant="${variant.name}"><div class="shown">${content(sheet.places.cell(variant.name, prompt.id, seed), sheet)}</div><figcaption>${numbersOf(variant)}</figcaption></figure>`,
  );
  const folded = figures.slice(MOST_AT_SIGHT);
  return html`<article class="strip prompt" data-kind="${kind}" data-prompt="${prompt.id}" data-seed="${seed}">
<div class="choice"><h4>${prompt.id}, seed ${seed}</h4><p class="text" title="${prompt.text}">${prompt.text}</p></div>
<div class="strip-images">${
    inputs.size > 0 &&
    html`<figure class="input"><div class="shown">${inputFigure(prompt.id, sheetKind, sheet, 'strip')}</div><figcaption><span class="name">input</span></figcaption></figure>`
  }${figures.slice(0, MOST_AT_SIGHT)}</div>${
    folded.length > 0 &&
    html`<details class="fold"><summary>${plural(folded.length, 'more variant')}</summary><div class="strip-images">${folded}</div></details>`
  }
</article>
`;
}

function content(cell: Cell | null, sheet: Sheet): Markup {
  const [usual, ...others] = cell === null ? [] : firstOfEachOutput(cell);
  if (cell === null || usual === undefined)
    return html`<span class="blank">${cell === null ? 'not sent' : undelivered(cell.takes)}</span>`;
  return html`${outputFigure(usual, cell, sheet, 'strip')}${others.length > 0 && html`<small class="others-of">${plural(others.length, 'other output')}</small>`}`;
}
