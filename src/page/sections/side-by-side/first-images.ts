import type { Cell, VariantSummary } from '../../../analysis/summaries.ts';
import { count, plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { likenessWords } from '../../../report/level-words.ts';
import { ssimOf } from '../../../report/likeness-statement.ts';
import { cellAnchor } from '../../markup/scope.ts';
import { firstOfEachOutput, MOST_AT_SIGHT, type Sheet, type SheetKind } from '../../shown-outputs.ts';
import { inputFigure, outputFigure, scaleMark } from '../images/output-figure.ts';
import { nothingShown } from '../images/sheet.ts';

/** The numbers of a variant below its image: for all prompts and seeds, so that they stay when another is chosen. */
export type VariantNumbers = (variant: VariantSummary) => Markup;

/** Outputs for a prompt and seed, the baseline variant first. The script fills `.shown`, `h4` and `.text` again. */
export function firstImages(sheetKind: SheetKind, sheet: Sheet, numbersOf: VariantNumbers): Markup {
  const { kind, inputs, strip: shown, shownFirst } = sheetKind;
  if (shown === null) return html`<p class="empty">No take was delivered.</p>`;
  const { prompt, seed } = shown;
  if (inputs.size === 0 && !hasImage(sheetKind, sheet)) return withoutImages(shownFirst, numbersOf);
  const figures = shownFirst.map(
    (variant) =>
      html`<figure data-variant="${variant.name}"><div class="shown">${content(sheet.places.cell(variant.name, prompt.id, seed), sheet)}</div><figcaption>${numbersOf(variant)}</figcaption></figure>`,
  );
  const folded = figures.slice(MOST_AT_SIGHT);
  const isLone = figures.length === 1 && inputs.size === 0;
  return html`<article class="${`strip prompt${folded.length > 0 ? ' many' : ''}${isLone ? ' lone' : ''}`}" data-kind="${kind}" data-prompt="${prompt.id}" data-seed="${seed}">
<div class="choice"><h4>${prompt.id}, seed ${seed}</h4><p class="text" title="${prompt.text}">${prompt.text}</p></div>
<div class="strip-images">${
    inputs.size > 0 &&
    html`<figure class="input"><div class="shown">${inputFigure(prompt.id, sheetKind, sheet, 'strip')}</div><figcaption><span class="name">input</span></figcaption></figure>`
  }${figures.slice(0, MOST_AT_SIGHT)}</div>${
    folded.length > 0 &&
    html`<details class="fold"><summary>${plural(folded.length, 'more variant')}</summary><div class="strip-images">${folded}</div></details>`
  }
${rowLinks(sheetKind, sheet)}</article>
`;
}

/** False where a run was pruned and no output is left in the page or beside it. */
function hasImage({ rows, variants }: SheetKind, { places, images, originalOf }: Sheet): boolean {
  return rows.some(({ prompt, seed }) =>
    variants.some(({ name }) => {
      const cell = places.cell(name, prompt.id, seed);
      const outputs = cell === null ? [] : firstOfEachOutput(cell);
      return outputs.some(
        (take) =>
          images.inStrip(take.sha256) !== null || images.small(take.sha256) !== null || originalOf(take) !== null,
      );
    }),
  );
}

function withoutImages(variants: readonly VariantSummary[], numbersOf: VariantNumbers): Markup {
  return html`<article class="strip bare"><p class="note">No image is left to show.</p>
<div class="strip-images">${variants.slice(0, MOST_AT_SIGHT).map((variant) => html`<figure data-variant="${variant.name}"><figcaption>${numbersOf(variant)}</figcaption></figure>`)}</div></article>
`;
}

const MOST_LINKS = 24;

/** Links to the rows of the contact sheet, the most changed first; nothing where there is one row. */
function rowLinks({ rows, variants }: SheetKind, sheet: Sheet): Markup | false {
  const isRanked = rows.some(({ most }) => most !== null);
  const links = rows.slice(0, MOST_LINKS).flatMap(({ prompt, seed, most }) => {
    const shown = [most?.variant ?? [], variants.map(({ name }) => name)].flat(2);
    const cells = shown.flatMap((name) => sheet.places.cell(name, prompt.id, seed) ?? []);
    const cell = cells.find((each) => firstOfEachOutput(each).length > 0);
    const [output] = cell === undefined ? [] : firstOfEachOutput(cell);
    if (cell === undefined || output === undefined) return [];
    const image = sheet.images.small(most?.output ?? output.sha256);
    const ssim = most === null ? null : ssimOf(most);
    const number = ssim === null ? null : ssim.toFixed(2);
    const decided = most === null ? '' : likenessWords(most);
    const said = number === null || decided.includes(number) ? decided : `SSIM ${number}, ${decided}`;
    const words = said === '' ? '' : `: ${said}`;
    return [
      html`<a href="#${cellAnchor(sheet.places, cell)}" data-prompt="${prompt.id}" data-seed="${seed}" title="${`${prompt.id}, seed ${seed}${words}`}" aria-label="${`${prompt.id}, seed ${seed}${words}`}">${image === null ? html`<span class="blank">${prompt.id}</span>` : html`<img alt="" loading="lazy" decoding="async" src="${image}">`}${number !== null && html`<span class="ssim">${number}</span>`}</a>`,
    ];
  });
  if (links.length < 2) return false;
  return html`<div class="rows"><span>${isRanked ? 'Most changed first' : 'All prompts and seeds'}</span><div class="row-links">${links}</div>${rows.length > MOST_LINKS && html`<a class="all" href="#images">all ${count(rows.length)}</a>`}</div>
`;
}

function content(cell: Cell | null, sheet: Sheet): Markup {
  const [usual, ...others] = cell === null ? [] : firstOfEachOutput(cell);
  if (cell === null || usual === undefined) return nothingShown(cell, sheet);
  return html`${outputFigure(usual, cell, sheet, 'strip')}${scaleMark(cell, sheet)}${others.length > 0 && cell.level !== 'pixel' && html`<small class="others-of">${plural(others.length, 'other output')} in repeats</small>`}`;
}
