import { OUTCOME_WORDS } from '../../kit/outcome-words.ts';
import { epochMs, roughTime, timeLeftWords } from '../../kit/time.ts';
import { visibleLine } from '../../kit/visible.ts';
import { count, duration, elapsed, plural, usd } from '../../kit/wording.ts';
import { clockTime } from '../../markup/document.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { type TableColumn, table } from '../../markup/table.ts';
import { extensionOf } from '../../media/header.ts';
import { mediaName } from '../../record/output-files.ts';
import type { Spend } from '../../record/run.ts';
import type { VariantTally } from '../../record/run-tally.ts';
import { fileAddress, type RunPlace, runAddress } from '../addresses.ts';
import type { ArrivedOutput, Tally, Undelivered } from '../progress/tally.ts';
import { SCRIPT } from './parts/follow-script.ts';
import { type Page, page, suiteLinks } from './parts/page.ts';

export interface LiveSource {
  readonly place: RunPlace;
  readonly createdAt: string;
  readonly planned: number;
  readonly tally: Tally;
  readonly nowMs: number;
}

/** After this time without a record the page says so: a request is slow, or the run hangs or has died. */
const QUIET_MS = 60_000;

const COLUMNS: readonly TableColumn<VariantTally>[] = [
  { head: 'Variant', cell: ({ name }) => name },
  { head: 'Takes', cell: takesCell },
  { head: 'In flight', cell: ({ inFlight }) => count(inFlight) },
  { head: 'Failures', cell: ({ takes }) => count(takes.failed) },
  { head: 'p50 so far', cell: ({ p50Ms }) => (p50Ms === null ? '–' : duration(p50Ms)) },
];

const MOST_REASONS = 6;
const MOST_SAID = 300;

/** The page of a run in progress; its script keeps it up to date. */
export function livePage({ place, createdAt, planned, tally, nowMs }: LiveSource): Page {
  const ended = tally.ended();
  const spend = tally.spend();
  const left = tally.left(nowMs);
  const quietMs = tally.quietMs(nowMs);
  return page({
    title: `${percent(planned, tally)} · ${place.run}, ${place.suite}`,
    links: [...suiteLinks(place.suite), { href: runAddress(place), title: 'Progress' }],
    here: runAddress(place),
    script: SCRIPT,
    content: html`<div id="progress" data-fresh><header class="title">
<p class="eyebrow">Retake run in progress</p>
<h1>${place.suite}</h1>
<p class="meta"><span>${place.run}</span><span>since ${clockTime(createdAt)}</span><span>for ${runningTime(
      nowMs - (epochMs(createdAt) ?? nowMs),
    )}</span><span class="state warn">${stateWords(tally)}</span></p>
</header>
<section aria-labelledby="requests"><h2 id="requests">Progress</h2>
${bar(ended, planned, html`class="bar" aria-label="Requests that ended"`)}
<p class="meta">${[
      `${count(ended)} of ${plural(planned, 'request')} ended`,
      quietMs !== null && quietMs >= QUIET_MS && `nothing recorded for ${roughTime(quietMs)}`,
      left !== null && timeLeftWords(left.ms, left.mayEndEarly),
      `${count(tally.inFlight())} in flight`,
      plural(tally.failed(), 'failure'),
      spend !== null && `${spendWords(spend)} spent`,
    ].map((words) => words !== false && html`<span>${words}</span>`)}</p>
${table({
  label: 'Progress of each variant',
  as: 'stack',
  classes: 'plain side-by-side runs of-four',
  columns: COLUMNS,
  rows: tally.variants(),
})}
<ul class="reasons" id="undelivered" aria-label="Why requests ended without an output">${tally
      .undelivered()
      .slice(0, MOST_REASONS)
      .map(reasonItem)}</ul>
</section></div>
<p class="live" id="connection" role="status"></p>
<p class="note fine without-script"><a href="${runAddress(place)}">Load this page again</a></p>
<p class="note fine">The report opens here when the run ends. Warm-ups and probes count as requests, not as takes.</p>
<section aria-labelledby="outputs"><h2 id="outputs">Latest outputs</h2>
<p class="note with-script">The latest is first. While you point at them, or play one, they stay where they are.
<span id="waiting"></span></p>
<div class="media" id="latest" data-fresh>${tally.latest().map((arrived) => arrivedFigure(place, arrived))}</div>
</section>
`,
  });
}

function reasonItem({ times, variant, outcome, code, message }: Undelivered): Markup {
  const words = visibleLine(`${count(times)} × ${variant}: ${OUTCOME_WORDS[outcome]}, ${code}`);
  return html`<li><b>${words}</b> <span>${visibleLine(message).slice(0, MOST_SAID)}</span></li>`;
}

function stateWords(tally: Tally): string {
  const { state } = tally.measuring();
  if (state === 'ended') return 'examining the outputs and writing the reports';
  return state === 'waiting' ? 'starting' : 'in progress';
}

/** `in progress, 18 %, about 8 s left`: the state of the run in a list. */
export function progressWords(planned: number, tally: Tally, nowMs: number): string {
  const left = tally.left(nowMs);
  const remaining = left === null ? [] : [timeLeftWords(left.ms, left.mayEndEarly)];
  return [stateWords(tally), percent(planned, tally), ...remaining].join(', ');
}

function percent(planned: number, tally: Tally): string {
  return `${planned === 0 ? 0 : Math.floor((100 * tally.ended()) / planned)} %`;
}

/** `$1.20`, `$1.20 + 3 unknown`, `unknown`. */
function spendWords({ requests, usd: known, unknownRequests }: Spend): string {
  if (unknownRequests === 0) return usd(known);
  return unknownRequests === requests ? 'unknown' : `${usd(known)} + ${count(unknownRequests)} unknown`;
}

/** How long a run is in progress, in whole seconds: `8 s`, `4 min 12 s`, `1 h 03 min`. */
function runningTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : elapsed(1000 * seconds);
}

function takesCell({ takes: { planned, ended }, isAbandoned }: VariantTally): Markup {
  // The bar is beside its words, which say the same.
  return html`<span class="whole">${count(ended)} / ${count(planned)}${isAbandoned && ', left out'}</span>${bar(ended, planned, html`class="bar thin" aria-hidden="true"`)}`;
}

function bar(ended: number, planned: number, attributes: Markup): Markup {
  return html`<progress ${attributes} max="${Math.max(1, planned)}" value="${ended}"></progress>`;
}

/** Shows the output as it came: small copies are made when a run ends. Its number is where the script finds it again. */
function arrivedFigure(place: RunPlace, { variant, output, number, prompt, seed, repeat }: ArrivedOutput): Markup {
  const { sha256, mime } = output;
  const words = `${prompt}, ${seed === null ? 'no seed' : `seed ${count(seed)}`}, take ${count(repeat)}`;
  const label = `${variant}, ${words}`;
  const extension = extensionOf(mime);
  const file = extension === null ? null : fileAddress(place, mediaName(sha256, extension));
  const shown =
    mime?.startsWith('video/') === true
      ? html`<video controls muted loop playsinline preload="metadata" aria-label="${label}" src="${file}"></video>`
      : html`<img loading="lazy" decoding="async" alt="${label}" src="${file}">`;
  return html`<figure data-keep="${number}">${file === null ? html`<span class="nothing">no image stored</span>` : shown}<figcaption><b>${variant}</b> ${words}${
    file !== null && html` <a href="${file}" aria-label="${`Original: ${label}`}">original</a>`
  }</figcaption></figure>`;
}
