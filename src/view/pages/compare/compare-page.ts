import type { TwoRuns } from '../../../analysis/two-runs.ts';
import { capital, count, plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { dataBlock, type PageData } from '../../../markup/page-data.ts';
import { SCRIPT } from '../../../page/compare-script.ts';
import { compareDialog } from '../../../page/dialogs.ts';
import { twoRunsHeads, twoRunsNotes, twoRunsRows, unfitSentences } from '../../../report/two-runs.ts';
import {
  COMPARE_ADDRESS,
  compareAddress,
  INDEX_ADDRESS,
  keyOf,
  type RunPlace,
  reportAddress,
  suiteAddress,
} from '../../addresses.ts';
import { compareForm, firstChoice, type RunChoice } from '../parts/compare-form.ts';
import { outputFigure, type ShownOutput } from '../parts/output-figure.ts';
import { type Page, type Part, page, pager } from '../parts/page.ts';

export interface ShownPair {
  readonly variant: string;
  readonly prompt: string;
  readonly seed: number | null;
  readonly earlier: ShownOutput;
  readonly later: ShownOutput;
  readonly sameBytes: boolean;
  readonly number: number;
  /** Where both stand in the data of the page. */
  readonly cells: readonly [earlier: number, later: number];
}

export interface CompareSource {
  readonly a: RunPlace;
  readonly b: RunPlace;
  readonly found: TwoRuns;
  readonly pairs: readonly ShownPair[];
  readonly data: PageData;
  readonly part: Part;
  /** Pairs with the same bytes, of all pairs. */
  readonly same: number;
  readonly choices: readonly RunChoice[];
}

/** `a` was measured before `b`. */
export function comparePage({ a, b, found, pairs, data, part, same, choices }: CompareSource): Page {
  return page({
    title: `${b.run} against ${a.run}`,
    links: [
      { href: INDEX_ADDRESS, title: 'All suites' },
      { href: suiteAddress(b.suite), title: b.suite },
      { href: COMPARE_ADDRESS, title: 'Compare two runs' },
    ],
    content: html`<header class="title">
<p class="eyebrow">Two runs, one after the other</p>
<h1>${b.run} against ${a.run}</h1>
<p class="meta"><a href="${reportAddress(a)}">Report of ${a.run}</a> <a href="${reportAddress(b)}">Report of ${b.run}</a></p>
</header>
${compareForm(choices, { a: keyOf(a), b: keyOf(b) })}<section aria-labelledby="numbers"><h2 id="numbers">Numbers</h2>
${unfitSentences(found).map((sentence) => html`<p class="state warn">${sentence}.</p>`)}
<p class="note">${plural(found.commonCells, 'cell')} (variant, prompt and seed) in both runs.</p>
${numbers(found)}${twoRunsNotes(found).map((sentence) => html`<p class="note fine">${sentence}.</p>`)}
</section>
<section aria-labelledby="outputs"><h2 id="outputs">Outputs side by side</h2>
${
  part.of === 0
    ? html`<p class="empty">No variant, prompt and seed was delivered in both runs.</p>`
    : html`<p class="note">The first delivered take of each run, the earlier run at the left. ${sameWords(same, part.of)} <span class="with-script">Select an image to see both at full size, above each other, or their difference.</span></p>`
}${pager(part, 'Pairs', (from) => compareAddress(a, b, from))}<div class="pairs-of-outputs">${pairs.map((pair) => pairFigure(pair, a, b))}</div>
${pager(part, 'Pairs', (from) => compareAddress(a, b, from))}</section>
${compareDialog()}${dataBlock(data)}`,
    script: SCRIPT,
  });
}

function sameWords(same: number, of: number): string {
  if (same === 0) return `${of === 1 ? 'Their' : 'In every pair the'} bytes differ.`;
  if (same === of) return of === 1 ? 'Both have the same bytes.' : `All ${count(of)} pairs have the same bytes.`;
  return `${count(same)} of ${plural(of, 'pair')} have the same bytes; the others come first.`;
}

function pairFigure(
  { variant, prompt, seed, earlier, later, sameBytes, number, cells }: ShownPair,
  a: RunPlace,
  b: RunPlace,
): Markup {
  const words = `${prompt}, ${seed === null ? 'no seed' : `seed ${count(seed)}`}`;
  const side = (output: ShownOutput, { run }: RunPlace, cell: number): Markup =>
    outputFigure(output, `${variant}, ${words}, ${run}`, html`${run}`, { cell });
  return html`<article class="prompt" data-pair="${number}"><h3><b>${variant}</b> ${words} <span class="tag">${sameBytes ? 'same bytes' : 'other bytes'}</span></h3><div class="media">${side(earlier, a, cells[0])}${side(later, b, cells[1])}</div></article>
`;
}

function numbers(found: TwoRuns): Markup {
  const heads = twoRunsHeads(found).map(capital);
  return html`<table class="plain side-by-side runs of-three" aria-label="Variants of both runs">
<thead><tr><th scope="col">Variant</th>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${twoRunsRows(found).map(
    ({ name, cells }) =>
      html`<tr><th scope="row">${name}</th>${cells.map(({ value, evidence }, at) => html`<td data-label="${heads[at]}">${value}${evidence !== '' && html` <small>${evidence}</small>`}</td>`)}</tr>
`,
  )}</tbody></table>
`;
}

export function choosePage(choices: readonly RunChoice[]): Page {
  const first = firstChoice(choices);
  return page({
    title: 'Compare two runs',
    links: [
      { href: INDEX_ADDRESS, title: 'All suites' },
      { href: COMPARE_ADDRESS, title: 'Compare two runs' },
    ],
    here: COMPARE_ADDRESS,
    content: html`<header class="title">
<p class="eyebrow">Retake results</p>
<h1>Compare two runs</h1>
<p class="lede">By the prompts and seeds that both have: how latency, errors and outputs changed.</p>
</header>
${first === null ? html`<p class="empty">There are fewer than two runs.</p>` : compareForm(choices, first)}`,
  });
}
