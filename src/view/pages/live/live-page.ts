import { html, type Markup } from '../../../report/html/markup/markup.ts';
import { OUTCOME_WORDS } from '../../../report/words/outputs/outcome-words.ts';
import { median } from '../../../statistics/samples/quantile.ts';
import { sortSample } from '../../../statistics/samples/sorted-sample.ts';
import { count, duration, plural } from '../../../text/quantity.ts';
import { roughTime, timeLeftWords } from '../../../text/time-left-words.ts';
import { visibleLine } from '../../../text/visible.ts';
import { epochMs, wallClock } from '../../../text/wall-clock.ts';
import type { ArrivedOutput, Tally, Undelivered, VariantTally } from '../../progress/tally.ts';
import { type RunPlace, runAddress } from '../parts/addresses.ts';
import { outputFigure, shownOutput } from '../parts/output-figure.ts';
import { type Page, page } from '../parts/page.ts';
import { runLinks, takeWords } from '../parts/run-links.ts';
import { spendWords } from '../parts/run-state.ts';
import { SCRIPT } from './live-script.ts';
import type { LiveBar, LiveOutput, LiveReason, LiveState } from './live-state.ts';
import { runningTime } from './running-time.ts';

/** A run in progress. */
export interface LiveSource {
  readonly place: RunPlace;
  readonly createdAt: string;
  /** Trials in the plan. */
  readonly planned: number;
  readonly tally: Tally;
  /** Where the report is; null while a process uses the run. */
  readonly report: string | null;
  /** Milliseconds since 1970, when the page is made. */
  readonly nowMs: number;
}

/** How many of the latest outputs the page shows. */
const LATEST_OUTPUTS = 24;

/** A run that says nothing for longer may wait for a slow request, or be hung, or be dead on a machine that is not seen from here. */
const QUIET_MS = 60_000;

/** What the page of a run in progress shows now. */
export function liveState({ place, planned, tally, report, nowMs }: LiveSource): LiveState {
  const spend = tally.spend();
  const left = tally.left(nowMs);
  const quietMs = tally.quietMs(nowMs);
  const texts: Record<string, string> = {
    state: stateWords(tally),
    ended: `${count(tally.ended())} of ${plural(planned, 'request')} ended`,
    left: left === null ? '' : timeLeftWords(left.ms, left.mayEndEarly),
    quiet: quietMs === null || quietMs < QUIET_MS ? '' : `nothing recorded for ${roughTime(quietMs)}`,
    flight: `${count(tally.inFlight())} in flight`,
    failed: plural(tally.failed(), 'failure'),
    spend: spend === null ? '' : `${spendWords(spend)} spent`,
  };
  for (const [at, variant] of tally.variants().entries()) {
    for (const [key, text] of Object.entries(textsOf(variant))) texts[`${at}-${key}`] = text;
  }
  const bars = tally.variants().map(({ ended, planned: of }) => ({ ended, planned: of }));
  const undelivered = tally.undelivered().slice(0, MOST_REASONS).map(reasonWords);
  const outputs = tally.latest(LATEST_OUTPUTS).map((arrived) => liveOutput(place, arrived));
  const title = `${planned === 0 ? 0 : Math.floor((100 * tally.ended()) / planned)} % · ${place.run}, ${place.suite}`;
  return { title, texts, ended: tally.ended(), planned, bars, undelivered, outputs, report };
}

/** Reasons that the page shows: the report has all. */
const MOST_REASONS = 6;
/** Characters of what a service says. */
const MOST_SAID = 300;

function reasonWords({ times, variant, outcome, code, message }: Undelivered): LiveReason {
  const words = `${count(times)} × ${variant}: ${OUTCOME_WORDS[outcome]}, ${code}`;
  return { words: visibleLine(words), message: visibleLine(message).slice(0, MOST_SAID) };
}

function stateWords(tally: Tally): string {
  const { state } = tally.measuring();
  if (state === 'ended') return 'examining the outputs and writing the reports';
  return state === 'waiting' ? 'starting' : 'in progress';
}

/** The columns of a variant. */
const COLUMNS = [
  { key: 'done', title: 'Takes' },
  { key: 'flight', title: 'In flight' },
  { key: 'failed', title: 'Failures' },
  { key: 'p50', title: 'p50 so far' },
] as const;

function textsOf({
  planned,
  ended,
  inFlight,
  failed,
  isAbandoned,
  latenciesMs,
}: VariantTally): Readonly<Record<(typeof COLUMNS)[number]['key'], string>> {
  const p50 = median(sortSample(latenciesMs));
  return {
    done: `${count(ended)} / ${count(planned)}${isAbandoned ? ', left out' : ''}`,
    flight: count(inFlight),
    failed: count(failed),
    p50: p50 === null ? '–' : duration(p50),
  };
}

function liveOutput(place: RunPlace, arrived: ArrivedOutput): LiveOutput {
  const { number, output, variant } = arrived;
  const { original, isVideo } = whileMeasuring(place, output);
  return { number, original, isVideo, variant, words: takeWords(arrived) };
}

/** Small copies are made when a run ends, and media are there before the journal names them. */
function whileMeasuring(place: RunPlace, output: ArrivedOutput['output']): ReturnType<typeof shownOutput> {
  return shownOutput(place, output, (path) => path.startsWith('media/'));
}

/** The page that follows a run in progress. Its script keeps it up to date; without one it is what is known now. */
export function livePage(source: LiveSource): Page {
  const { place, createdAt, tally, nowMs } = source;
  const { title, texts, ended, planned, bars, undelivered } = liveState(source);
  const live = (key: string): Markup => html`<span data-live="${key}">${texts[key]}</span>`;
  return page({
    title,
    links: runLinks(place),
    here: runAddress(place),
    script: SCRIPT,
    content: html`<header class="title">
<p class="eyebrow">Retake run of ${place.suite}</p>
<h1>${place.run}</h1>
<p class="meta"><span>since <time datetime="${createdAt}">${wallClock(createdAt)}</time></span><span>for <span data-since="${createdAt}">${runningTime(nowMs - (epochMs(createdAt) ?? nowMs))}</span></span><span class="state warn" data-live="state">${texts.state}</span></p>
</header>
<section aria-labelledby="progress"><h2 id="progress">Progress</h2>
<progress class="bar" max="${Math.max(1, planned)}" value="${ended}" aria-label="Requests that ended"></progress>
<p class="meta">${live('ended')}${live('quiet')}${live('left')}${live('flight')}${live('failed')}${live('spend')}</p>
<table class="plain side-by-side runs of-four" aria-label="Progress of each variant">
<thead><tr><th scope="col">Variant</th>${COLUMNS.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${tally.variants().map(
      ({ name }, at) =>
        html`<tr><th scope="row">${name}</th>${COLUMNS.map(({ key, title }) => html`<td data-label="${title}">${live(`${at}-${key}`)}${key === 'done' && variantBar(bars[at])}</td>`)}</tr>
`,
    )}</tbody></table>
<ul class="reasons" id="undelivered" aria-label="Why requests ended without an output">${undelivered.map(
      ({ words, message }) => html`<li><b>${words}</b> <span>${message}</span></li>`,
    )}</ul>
<p class="live" id="connection" role="status"></p>
<p class="note fine">The report opens here when the run ends. Warm-ups and probes count as requests, not as takes. <a class="without-script" href="${runAddress(place)}">Load this page again</a></p>
</section>
<section aria-labelledby="outputs"><h2 id="outputs">Latest outputs</h2>
<p class="note with-script">The latest is first. While you point at them, or play one, they stay where they are. <span id="waiting"></span></p>
<div class="media" id="latest">${tally
      .latest(LATEST_OUTPUTS)
      .toReversed()
      .map((arrived) => arrivedFigure(place, arrived))}</div>
</section>
`,
  });
}

/** Beside its words, which say the same. */
function variantBar(bar: LiveBar | undefined): Markup | null {
  if (bar === undefined) return null;
  return html`<progress class="bar thin" data-bar max="${Math.max(1, bar.planned)}" value="${bar.ended}" aria-hidden="true"></progress>`;
}

function arrivedFigure(place: RunPlace, arrived: ArrivedOutput): Markup {
  const words = takeWords(arrived);
  const shown = whileMeasuring(place, arrived.output);
  const caption = html`<b>${arrived.variant}</b> ${words}`;
  return outputFigure(shown, `${arrived.variant}, ${words}`, caption, { number: arrived.number });
}
