import type { Cell, VariantSummary } from '../../../../analysis/analysis.ts';
import { duration, plural } from '../../../../text/wording.ts';
import { takeName } from '../../../words/names.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { whyNoOutput } from '../images/cell-caption.ts';
import { inputFigure, outputFigure } from '../images/output-figure.ts';
import { firstOfEachOutput, MOST_UNFOLDED, type Sheet, type SheetKind } from '../images/shown-outputs.ts';

interface StripLook {
  readonly sheet: Sheet;
  readonly marks: VariantMarks;
}

/** For one prompt and seed; the script can show any other. */
export function strip(sheetKind: SheetKind, { sheet, marks }: StripLook): Markup {
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
      ? html`<span class="blank">${cell === null ? 'not sent' : whyNoOutput(cell.takes)}</span>`
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
