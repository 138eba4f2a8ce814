import { html, type Markup } from '../../report/html/markup/markup.ts';
import { VERDICT_STATES } from '../../report/html/sections/history/history-runs.ts';
import { bytes, plural } from '../../text/quantity.ts';
import { wallClock } from '../../text/wall-clock.ts';
import type { RunOutline } from '../progress/outline.ts';
import { fileAddress, keyOf, type RunPlace, reportAddress, runAddress } from './addresses.ts';
import { compareForm } from './compare-form.ts';
import { outputFigure, type ShownOutput } from './output-figure.ts';
import { type Page, page } from './page.ts';
import { type Part, pager } from './pager.ts';
import { runLinks, takeWords } from './run-links.ts';
import { type RunState, spendWords, stateMarkup } from './run-state.ts';

/** A file of a run that can be downloaded. */
export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
}

/** An output of a run with what it was asked for. */
export interface ListedOutput extends ShownOutput {
  readonly variant: string;
  readonly prompt: string;
  readonly seed: number | null;
  readonly repeat: number;
}

export interface RunSource {
  readonly place: RunPlace;
  readonly outline: RunOutline;
  readonly state: RunState;
  readonly files: readonly ListedFile[];
  readonly outputs: readonly ListedOutput[];
  readonly part: Part;
  /** Runs to compare it with, the latest first. */
  readonly choices: readonly RunPlace[];
  /** The run before it; null where it is the first. */
  readonly before: RunPlace | null;
}

/** The files and the media of a run that is not measured now, with links to its report. */
export function runPage(source: RunSource): Page {
  const { place, outline, state, files, outputs, part, choices, before } = source;
  return page({
    title: `${place.run}, ${place.suite}`,
    links: runLinks(place),
    content: html`${runHead(place, outline, state)}<ul class="actions"><li><a href="${reportAddress(place)}"><strong>Open the report</strong></a></li></ul>
<section aria-labelledby="files"><h2 id="files">Files</h2>
${
  files.length === 0
    ? html`<p class="empty">There is no CSV or JSON file. Write them with <code>retake report</code>.</p>`
    : html`<ul class="actions">${files.map(({ name, bytes: size }) => html`<li><a href="${fileAddress(place, name)}">${name}</a> ${bytes(size)}</li>`)}</ul>`
}</section>
${
  before !== null &&
  html`<section aria-labelledby="compare"><h2 id="compare">Compare with another run</h2>
${compareForm(choices, { a: keyOf(before), b: keyOf(place) })}</section>
`
}<section aria-labelledby="media"><h2 id="media">Media</h2>
${part.of === 0 ? html`<p class="empty">No output was delivered.</p>` : html`<p class="note">${plural(part.of, 'output')} in the order they came; equal outputs of one prompt, seed and variant are shown once.</p>`}${pager(part, 'Outputs', (from) => runAddress(place, from))}<div class="media">${outputs.map(listedOutput)}</div>
${pager(part, 'Outputs', (from) => runAddress(place, from))}</section>
`,
  });
}

/** What a run is and how far it is. */
function runHead(place: RunPlace, outline: RunOutline, state: RunState): Markup {
  const { createdAt, variants, requests, failed, spend } = outline;
  return html`<header class="title">
<p class="eyebrow">Retake run of ${place.suite}</p>
<h1>${place.run}</h1>
<p class="meta"><span><time datetime="${createdAt}">${wallClock(createdAt)}</time></span><span>${stateMarkup(state)}</span>${
    state.line !== null && html`<span>gate: ${VERDICT_STATES[state.line.verdict]}</span>`
  }<span>${plural(variants.length, 'variant')}</span><span>${plural(requests, 'request')}</span>${
    failed > 0 && html`<span>${plural(failed, 'failure')}</span>`
  }${spend !== null && html`<span>${spendWords(spend)}</span>`}</p>
</header>
`;
}

function listedOutput(output: ListedOutput): Markup {
  const words = takeWords(output);
  return outputFigure(output, `${output.variant}, ${words}`, html`<b>${output.variant}</b> ${words}`);
}
