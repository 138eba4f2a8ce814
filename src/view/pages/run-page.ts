import type { KeptAnswer } from '../../gate/kept-verdict.ts';
import { bytes, commandLine, plural } from '../../kit/wording.ts';
import { clockTime } from '../../markup/document.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { isShardName } from '../../record/codes.ts';
import { fileAddress, keyOf, type RunPlace, reportAddress, runAddress, savedReportAddress } from '../addresses.ts';
import type { RunOutline } from '../progress/outline.ts';
import type { ArrivedOutput } from '../progress/tally.ts';
import { stateOf } from './lists/runs-table.ts';
import { compareForm, type RunChoice } from './parts/compare-form.ts';
import { outputFigure, type ShownOutput } from './parts/output-figure.ts';
import { type Page, type Part, page, pager } from './parts/page.ts';
import { agoWords, type MeasuringState, runLinks, spendWords, stateMarkup, takeWords } from './parts/run-words.ts';

export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
}

export type ListedOutput = ShownOutput & Pick<ArrivedOutput, 'variant' | 'prompt' | 'seed' | 'repeat'>;

export interface RunSource {
  readonly place: RunPlace;
  /** The name of the folder of all results. */
  readonly folder: string;
  readonly outline: RunOutline;
  readonly state: MeasuringState;
  readonly answer: KeptAnswer | null;
  readonly files: readonly ListedFile[];
  readonly outputs: readonly ListedOutput[];
  readonly part: Part;
  /** The latest first. */
  readonly choices: readonly RunChoice[];
  /** This run and the one before it, else the one after it; null where it is alone. */
  readonly neighbours: readonly [earlier: RunPlace, later: RunPlace] | null;
  readonly nowMs: number;
}

export function runPage(source: RunSource): Page {
  const { place, files, outputs, part, choices, neighbours } = source;
  return page({
    title: `${place.run}, ${place.suite}`,
    links: runLinks(place),
    here: runAddress(place),
    content: html`${runHead(source)}<ul class="actions"><li><a href="${reportAddress(place)}"><strong>Open the report</strong></a></li><li><a href="${savedReportAddress(place)}">Save the report</a> one file with its images, to pass on</li></ul>
${resumeHint(source)}${voteHint(source)}<section aria-labelledby="files"><h2 id="files">Files</h2>
${
  files.length === 0
    ? html`<p class="empty">There is no CSV or JSON file. Write them with <code>retake report</code>.</p>`
    : html`<ul class="actions">${files.map(({ name, bytes: size }) => html`<li><a href="${fileAddress(place, name)}">${name}</a> ${bytes(size)}</li>`)}</ul>`
}</section>
${
  neighbours !== null &&
  html`<section aria-labelledby="compare"><h2 id="compare">Compare with another run</h2>
${compareForm(choices, { a: keyOf(neighbours[0]), b: keyOf(neighbours[1]) })}</section>
`
}<section aria-labelledby="media"><h2 id="media">Media</h2>
${part.of === 0 ? html`<p class="empty">No output was delivered.</p>` : html`<p class="note">${plural(part.of, 'output')} in the order they came; equal outputs of one prompt, seed and variant are shown once.</p>`}${pager(part, 'Outputs', (from) => runAddress(place, from))}<div class="media">${outputs.map(listedOutput)}</div>
${pager(part, 'Outputs', (from) => runAddress(place, from))}</section>
`,
  });
}

function resumeHint(source: RunSource): Markup | null {
  const { measuring, line } = source.state;
  // A run that a limit stopped would stop again, unless the user raises the limit.
  const isOver = (reason: string) => ['finished', 'requests', 'usd'].includes(reason);
  const wasStopped = measuring.state !== 'ended' || !isOver(measuring.stop.reason);
  return wasStopped && line?.complete !== true ? commandHint('To measure the rest', ['run', '--resume'], source) : null;
}

function voteHint(source: RunSource): Markup | null {
  const { outline, part, place } = source;
  const hasPairs = outline.variants.length > 1 && part.of > 1 && !isShardName(place.run);
  return hasPairs ? commandHint('To let people vote on which output is better', ['vote'], source) : null;
}

function commandHint(purpose: string, command: readonly string[], { place, folder }: RunSource): Markup {
  const words = ['retake', ...command, `${folder}/${place.suite}/${place.run}`];
  return html`<p class="note fine">${purpose}: <code>${commandLine(words)}</code></p>
`;
}

function runHead({ place, outline, state, answer, nowMs }: RunSource): Markup {
  const { createdAt, variants, requests, failed, spend } = outline;
  return html`<header class="title">
<p class="eyebrow">Retake run of ${place.suite}</p>
<h1>${place.run}</h1>
<p class="meta"><span>${clockTime(createdAt)}, ${agoWords(createdAt, nowMs)}</span><span>${stateMarkup(state)}</span>${
    state.line?.complete === true && html`<span>${stateOf(state.line, answer)}</span>`
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
