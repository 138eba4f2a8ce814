import type { Cell, VariantSummary } from '../../../../analysis/analysis.ts';
import { duration, plural } from '../../../../text/quantity.ts';
import { KIND_NAMES } from '../../../words/kind-name.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { undelivered } from './cell-caption.ts';
import { outputFigure } from './output-figure.ts';
import { firstOfEachOutput, type Sheet, type SheetKind } from './shown-outputs.ts';

/** Variants beyond this many of a kind are folded away below its strip. */
const MOST_UNFOLDED = 12;

/** For each kind one strip: its variants side by side, for the same prompt and seed. */
export function stripsSection(sheet: Sheet, marks: VariantMarks): Markup {
  return html`<section id="looks" aria-labelledby="looks-title">
<h2 id="looks-title">What it looks like</h2>
<p class="note">The variants of a kind side by side, for the same prompt and seed. <a href="#images">All images</a> are further down, by prompt and seed.<span class="with-script"> Select an image to compare it with another one.</span></p>
${sheet.kinds.map((kind) => strip(kind, { sheet, marks }))}
</section>
`;
}

interface Look {
  readonly sheet: Sheet;
  readonly marks: VariantMarks;
}

function strip({ kind, variants, strip: shown }: SheetKind, { sheet, marks }: Look): Markup {
  const head = html`<h3>${KIND_NAMES[kind]}</h3>`;
  if (shown === null) return html`${head}<p class="empty">No take was delivered.</p>`;
  const { prompt, seed } = shown;
  const figures = variants.map((variant) =>
    figure(variant, sheet.places.cell(variant.name, prompt.id, seed), { sheet, marks }),
  );
  const folded = figures.slice(MOST_UNFOLDED);
  return html`<article class="strip prompt" data-kind="${kind}" data-prompt="${prompt.id}" data-seed="${seed}">${head}
<h4>${prompt.id}, seed ${seed}</h4><p class="text" title="${prompt.text}">${prompt.text}</p>
<div class="strip-images">${figures.slice(0, MOST_UNFOLDED)}</div>${
    folded.length > 0 &&
    html`<details><summary>${plural(folded.length, 'more variant')}</summary><div class="strip-images">${folded}</div></details>`
  }
</article>
`;
}

function figure(variant: VariantSummary, cell: Cell | null, { sheet, marks }: Look): Markup {
  const [usual, ...others] = cell === null ? [] : firstOfEachOutput(cell);
  const content =
    cell === null || usual === undefined
      ? html`<span class="blank">${cell === null ? 'not sent' : undelivered(cell.takes)}</span>`
      : outputFigure(usual, cell, sheet, 'strip');
  const took = usual === undefined || usual.totalMs === null ? null : duration(usual.totalMs);
  const more = others.length > 0 ? plural(others.length, 'other output') : null;
  const small = [took, more].filter((words) => words !== null).join(', ');
  return html`<figure data-variant="${variant.name}"><figcaption>${markedName(variant.name, marks)}${small !== '' && html` <small>${small}</small>`}</figcaption>${content}</figure>`;
}
