import type { Analysis, Cell, VariantSummary } from '../../analysis/analysis.ts';
import type { Kind } from '../../suite/suite.ts';
import { KIND_NAMES } from '../kind-name.ts';
import { sweepSteps } from '../load-words.ts';
import { count, plural } from '../quantity.ts';
import { byKind, type Measures, measuresOf, sameBytes } from '../statement.ts';
import { cellAnchor, cellsByPlace, type Places } from './cell-place.ts';
import { html, type Markup } from './markup.ts';

/** The grid prompt x seed x variant at byte level: do the takes of a cell agree? Told by sign and word, not by colour alone. */
export function determinismSection(analysis: Analysis): Markup {
  const measures = measuresOf(analysis);
  const places = cellsByPlace(analysis);
  const { load } = analysis.run.plan;
  return html`<section id="same-bytes" aria-labelledby="same-bytes-title">
<h2 id="same-bytes-title">Same prompt, same seed: same bytes?</h2>
<p class="note">Each cell is one variant, prompt and seed, asked ${plural(analysis.run.plan.repeats, 'time')}${sweepSteps(load) !== null && ' at each number in flight'}. Two files may differ to the
byte and still show the same picture: metadata and compression count here.${load.mode === 'open' && ' Calls that came after the plan had been sent once took fresh seeds: they count in the statements, the grid shows the plan’s own seeds.'}</p>
<ul class="legend"><li><span class="cell same">=</span> all takes equal</li><li><span class="cell differs">2</span> takes differ: how many
distinct outputs</li><li><span class="cell few">·</span> fewer than two takes delivered</li></ul>
${byKind(analysis.variants).map(([kind, variants]) => grid(kind, variants, analysis, places, measures))}
</section>`;
}

function grid(
  kind: Kind,
  variants: readonly VariantSummary[],
  analysis: Analysis,
  places: Places,
  measures: Measures,
): Markup {
  const seeds = analysis.run.plan.seeds;
  const prompts = analysis.prompts.filter(({ kinds }) => kinds.some((own) => own === kind));
  const name = KIND_NAMES[kind];
  if (seeds.length === 0 || prompts.length === 0)
    return html`<h3>${name}</h3><p class="empty">No cells were planned.</p>`;
  return html`<h3>${name}</h3>
<ul class="statements">${variants.map((variant) => {
    const { value, bound } = sameBytes(variant, analysis.cells, measures);
    return html`<li><b>${variant.name}</b> ${value === null ? `not testable: ${bound}` : `same bytes in all takes: ${value}; ${bound}`}</li>`;
  })}</ul>
<div class="scroll" tabindex="0" role="group" aria-label="${`Same bytes, ${name}: scrolls sideways`}"><table class="grid">
<thead><tr><th rowspan="2" scope="col">Prompt</th>${variants.map(
    (variant) =>
      html`<th class="first" colspan="${seeds.length}" scope="colgroup" title="${variant.name}">${variant.name}</th>`,
  )}</tr>
<tr>${variants.map(() => seeds.map((seed, index) => html`<th${index === 0 && html` class="first"`} scope="col"><small>${seed}</small></th>`))}</tr></thead>
<tbody>${prompts.map(
    (prompt) => html`<tr><th scope="row" title="${prompt.text}">${prompt.id}</th>${variants.map((variant) =>
      seeds.map((seed, index) => square(places.cell(variant.name, prompt.id, seed), index === 0, places)),
    )}</tr>
`,
  )}</tbody></table></div>`;
}

function square(cell: Cell | null, first: boolean, places: Places): Markup {
  const begin = first && html` class="first"`;
  if (cell === null) return html`<td${begin}></td>`;
  if (cell.byte === 'same')
    return html`<td${begin}><span class="cell same" title="${plural(delivered(cell), 'take')} equal">=</span></td>`;
  if (cell.byte === 'too few') {
    return html`<td${begin}><span class="cell few" title="${plural(delivered(cell), 'take')} delivered: too few">·</span></td>`;
  }
  const words = `${count(cell.modes.length)} distinct outputs in ${plural(delivered(cell), 'take')}`;
  return html`<td${begin}><a class="cell differs" href="#${cellAnchor(places, cell)}" title="${words}">${cell.modes.length}</a></td>`;
}

function delivered(cell: Cell): number {
  return cell.modes.reduce((sum, mode) => sum + mode.takes, 0);
}
