import type { Cell, VariantSummary } from '../../../../analysis/analysis.ts';
import type { RunPrompt } from '../../../../record/model/run.ts';
import type { Kind } from '../../../../suite/format/suite.ts';
import { duration, plural } from '../../../../text/quantity.ts';
import type { ReportSource } from '../../../reporter.ts';
import { byKind } from '../../../statements/statement.ts';
import { KIND_NAMES } from '../../../words/kind-name.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { firstOfEachOutput, image, promptsOf, type Sheet, undelivered } from './sheet.ts';

/** Variants beyond this many of a kind are folded away below its strip. */
const MOST_UNFOLDED = 12;

/** For each kind one strip: its variants side by side, for the same prompt and seed. */
export function stripsSection({ analysis }: Pick<ReportSource, 'analysis'>, sheet: Sheet): Markup {
  const strips = byKind(analysis.variants).map(([kind, variants]) =>
    strip(kind, variants, promptsOf(analysis, kind), sheet),
  );
  return html`<section id="looks" aria-labelledby="looks-title">
<h2 id="looks-title">What it looks like</h2>
<p class="note">The variants of a kind side by side, for the same prompt and seed. <a href="#images">All images</a> are further down, by prompt and seed.<span class="with-script"> Select an image to compare it with another one.</span></p>
${strips}
</section>
`;
}

function strip(kind: Kind, variants: readonly VariantSummary[], prompts: readonly RunPrompt[], sheet: Sheet): Markup {
  const shown = firstShown(variants, prompts, sheet);
  const head = html`<h3>${KIND_NAMES[kind]}</h3>`;
  if (shown === null) return html`${head}<p class="empty">No take was delivered.</p>`;
  const { prompt, seed } = shown;
  const figures = variants.map((variant) => figure(variant, sheet.places.cell(variant.name, prompt.id, seed), sheet));
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

/** The first prompt and seed that all variants delivered, else the first that one delivered; null where nothing was delivered. */
function firstShown(
  variants: readonly VariantSummary[],
  prompts: readonly RunPrompt[],
  { places, seeds }: Sheet,
): { readonly prompt: RunPrompt; readonly seed: number } | null {
  const all = prompts.flatMap((prompt) => seeds.map((seed) => ({ prompt, seed })));
  const delivers = ({ prompt, seed }: { readonly prompt: RunPrompt; readonly seed: number }) =>
    variants.filter(({ name }) => {
      const cell = places.cell(name, prompt.id, seed);
      return cell !== null && firstOfEachOutput(cell).length > 0;
    }).length;
  return all.find((each) => delivers(each) === variants.length) ?? all.find((each) => delivers(each) > 0) ?? null;
}

function figure(variant: VariantSummary, cell: Cell | null, sheet: Sheet): Markup {
  const [usual, ...others] = cell === null ? [] : firstOfEachOutput(cell);
  const content =
    cell === null || usual === undefined
      ? html`<span class="blank">${cell === null ? 'not sent' : undelivered(cell.takes)}</span>`
      : image(usual, cell, sheet);
  const took = usual === undefined || usual.totalMs === null ? null : duration(usual.totalMs);
  const more = others.length > 0 ? plural(others.length, 'other output') : null;
  const small = [took, more].filter((words) => words !== null).join(', ');
  return html`<figure data-variant="${variant.name}">${content}<figcaption><span class="name">${variant.name}</span>${small !== '' && html`<small>${small}</small>`}</figcaption></figure>`;
}
