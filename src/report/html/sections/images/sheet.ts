import type { Cell } from '../../../../analysis/analysis.ts';
import type { RunPrompt } from '../../../../record/model/run.ts';
import { plural } from '../../../../text/wording.ts';
import { KIND_NAMES } from '../../../words/names.ts';
import { cellAnchor } from '../../drawing/cell-place.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup, trusted } from '../../markup/markup.ts';
import { cellCaption, whyNoOutput } from './cell-caption.ts';
import { inputFigure, outputFigure } from './output-figure.ts';
import { firstOfEachOutput, type Sheet, type SheetKind } from './shown-outputs.ts';

/** A piece for each kind and prompt. A cell shows the first delivered take and every output that differs. */
export function* sheetSection(sheet: Sheet, marks: VariantMarks): Generator<Markup> {
  yield html`<section id="images" aria-labelledby="images-title">
<h2 id="images-title">Images</h2>
<p class="note">A column for each variant, a row for each seed. Each thumbnail is the first delivered take; outputs with other bytes are
shown below it. <span class="with-script">Select an image to compare it with others of the same prompt.</span> Links named
<i>original</i> lead to the media folder of the run: they need this page in the folder of its run, and media that are not pruned.</p>
<div id="filter" role="search" aria-label="Images" hidden></div>
`;
  for (const kind of sheet.kinds) {
    yield html`<h3 data-kind="${kind.kind}">${KIND_NAMES[kind.kind]}</h3>
`;
    for (const prompt of kind.prompts) yield promptBlock(prompt, kind, { sheet, marks });
  }
  const left = sheet.images.crowdedOut;
  const leftVideos = sheet.images.crowdedOutVideos;
  const gone = sheet.gone.size;
  yield html`${gone > 0 && html`<p class="note">${plural(gone, 'thumbnail')} of this run ${gone === 1 ? 'is' : 'are'} no longer in its folder: deleted by retake prune --thumbs, or not copied with the run.</p>`}${left > 0 && html`<p class="note">${plural(left, 'more image')} did not fit into this page; see the media folder of the run.</p>`}${leftVideos > 0 && html`<p class="note">${plural(leftVideos, 'more video')} did not fit into this page for playing; see the media folder of the run.</p>`}
</section>
`;
}

/** One element holds all lines of a cell. */
const NEW_LINE = trusted('\n');

/** With more variants, columns are narrow: more of them can be compared without scrolling. */
const MOST_WIDE = 8;

const INPUT_HEAD = trusted('<th scope="col" class="input">input</th>');

interface SheetLook {
  readonly sheet: Sheet;
  readonly marks: VariantMarks;
}

function promptBlock(prompt: RunPrompt, sheetKind: SheetKind, { sheet, marks }: SheetLook): Markup {
  const { kind, variants, seeds, inputs } = sheetKind;
  const hasInputs = inputs.size > 0;
  return html`<article class="prompt" data-kind="${kind}" data-prompt="${prompt.id}"><h4>${prompt.id}</h4><p class="text" title="${prompt.text}">${prompt.text}</p>
<div class="scroll" tabindex="0" role="group" aria-label="${`Images of ${prompt.id}: scrolls sideways`}"><table class="${variants.length > MOST_WIDE ? 'sheet many' : 'sheet'}">
<thead><tr><td></td>${hasInputs && INPUT_HEAD}${variants.map(({ name }) => html`<th scope="col" class="${marks(name).classes}">${name}</th>`)}</tr></thead>
<tbody>${seeds.map(
    (
      seed,
    ) => html`<tr data-seed="${seed}"><th scope="row">Seed ${seed}</th>${hasInputs && html`<td class="input">${inputFigure(prompt.id, sheetKind, sheet, 'sheet')}</td>`}${variants.map(
      ({ name }) => {
        const cell = sheet.places.cell(name, prompt.id, seed);
        return cell === null ? html`<td></td>` : cellBlock(cell, sheet);
      },
    )}</tr>
`,
  )}</tbody></table></div></article>
`;
}

function cellBlock(cell: Cell, sheet: Sheet): Markup {
  const [usual, ...others] = firstOfEachOutput(cell);
  const anchor = cellAnchor(sheet.places, cell);
  if (usual === undefined) return html`<td id="${anchor}"><span class="blank">${whyNoOutput(cell.takes)}</span></td>`;
  return html`<td id="${anchor}">${outputFigure(usual, cell, sheet, 'sheet')}${
    others.length > 0 &&
    html`<div class="others">${others.map((take) => outputFigure(take, cell, sheet, 'sheet'))}</div>`
  }<small>${cellCaption(cell, usual, sheet.outputs, sheet.unitOf(cell.variant)).map((line, at) => [at > 0 && NEW_LINE, line])}</small></td>`;
}
