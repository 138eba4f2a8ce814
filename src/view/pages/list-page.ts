import { lineState, type StateWords } from '../../gate/run-state.ts';
import { epochMs } from '../../kit/time.ts';
import { times } from '../../kit/value-words.ts';
import { capital, count, duration, durationUnit, listed, plural } from '../../kit/wording.ts';
import { clockTime, toned } from '../../markup/document.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { GATE_VERDICTS, isShardName } from '../../record/codes.ts';
import { QUESTION_WORDS } from '../../report/run-answer.ts';
import {
  COMPARE_ADDRESS,
  findAddress,
  historyAddress,
  INDEX_ADDRESS,
  keyOf,
  reportAddress,
  runAddress,
} from '../addresses.ts';
import type { ListedRun, ShownChange } from '../results/library.ts';
import type { RunMedian } from '../results/suite-history.ts';
import { progressWords } from './live-page.ts';
import { SCRIPT } from './parts/follow-script.ts';
import { INDEX_LINK, type Page, page } from './parts/page.ts';

interface ListSource {
  /** The name of the folder of all results. */
  readonly folder: string;
  readonly isThere: boolean;
  /** The latest first. */
  readonly runs: readonly ListedRun[];
  readonly nowMs: number;
}

const COLUMNS = ['Run', 'State', 'p50, beside the run before', 'Began'] as const;

/** One table of all runs, of which two can be compared. Its script sorts and searches it. */
export function listPage({ folder, isThere, runs, nowMs }: ListSource): Page {
  const suites = [...new Set(runs.map(({ suite }) => suite))];
  return page({
    title: `All runs in ${folder}`,
    links: [INDEX_LINK],
    here: INDEX_ADDRESS,
    script: SCRIPT,
    content: html`<header class="title">
<p class="eyebrow">Retake results</p>
<h1>${folder}</h1>
<form class="choice with-script" role="search"><label>Suite, run, label or answer<input type="search" name="find" maxlength="200" autocomplete="off" spellcheck="false"></label><output id="found"></output></form>
</header>
<form class="choice" id="compare" action="${COMPARE_ADDRESS}"><button>Compare two chosen runs</button></form>
<section id="runs" aria-labelledby="runs-title"><h2 id="runs-title" class="quiet">Runs</h2>
<p class="meta"><span>${plural(runs.length, 'run')} of ${plural(suites.length, 'suite')}</span></p>
${
  runs.length === 0
    ? html`<p class="empty">${isThere ? html`There is no run yet. Measure a suite with <code>retake run</code>; the run appears here.` : 'The folder was deleted or moved. Put it back; its runs appear here again.'}</p>`
    : html`<table class="plain side-by-side sortable all-runs" aria-label="All runs">
<thead><tr>${COLUMNS.map((title) => html`<th scope="col">${title}</th>`)}<th scope="col"><span class="quiet">Answer</span></th><th scope="col"><span class="quiet">What changed</span></th></tr></thead>
<tbody>${runs.map((run) => row(run, nowMs))}</tbody></table>`
}
</section>
`,
  });
}

function row(run: ListedRun, nowMs: number): Markup {
  const { startedAt, label, line, live, isBaseline, shown } = run;
  const state = stateOf(run, nowMs);
  const began = epochMs(startedAt);
  return html`<tr><th scope="row"><input type="checkbox" form="compare" name="run" value="${keyOf(run)}" aria-label="${`Compare ${label ?? run.run}`}"><a class="name" href="${live === null ? reportAddress(run) : runAddress(run)}">${label ?? run.run}</a><small>${label !== null && html`${run.run} · `}<a href="${findAddress(run.suite)}">${run.suite}</a> · <a href="${historyAddress(run.suite)}" aria-label="${`Trend of ${run.suite}`}">trend</a>${isBaseline && html` <span class="tag">stored baseline</span>`}</small></th><td data-label="State" data-value="${gravityOf(run)}">${toned(state)}</td>${mediansCell(line?.medians ?? [])}<td data-label="Began" data-value="${began ?? ''}">${startedAt === '' ? '–' : clockTime(startedAt)}</td><td class="said">${saidOf(run)}</td>${shown !== null && html`<td class="change">${changeOf(shown, run)}</td>`}</tr>
`;
}

function stateOf({ run, line, live, why }: ListedRun, nowMs: number): StateWords {
  if (live !== null) return { words: capital(progressWords(live.planned, live.tally, nowMs)), tone: 'warn' };
  if (why !== null) return { words: 'Not readable', tone: 'bad' };
  if (line !== null) return lineState(line);
  return isShardName(run) ? { words: 'Shard', tone: null } : { words: 'Not reported', tone: 'warn' };
}

/** What needs a look first is the least. */
function gravityOf({ line, live, why }: ListedRun): number {
  if (live !== null) return -2;
  if (why !== null || line === null || !line.complete) return -1;
  return 2 * GATE_VERDICTS.indexOf(line.verdict) - (line.notJudged === undefined ? 0 : 1);
}

/** The answer of the run; where there is none, why. */
function saidOf(run: ListedRun): Markup {
  const { line, live, why } = run;
  if (live !== null) return html`The report opens on its page when it ends.`;
  if (why !== null) return html`${why}`;
  if (line === null) {
    return isShardName(run.run)
      ? html`Rules are decided when all shards are merged: <code>retake merge</code>.`
      : html`The process that measured it ended before it wrote a report. Open the run: its report is made then.`;
  }
  const { said } = line;
  if (said === undefined) return html`An older Retake measured it. Open the run for its answer.`;
  const { question, answer, doubts, latenciesUnfit, warnings } = said;
  const doubt = doubts.length > 0 && html` <span class="state bad">Do not rely on it: ${listed(doubts)}.</span>`;
  const marks = [
    ...(latenciesUnfit ? ['latencies unfit'] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
  ];
  return html`<b>${QUESTION_WORDS[question]}</b> ${answer}${doubt}${marks.map(
    (mark) => html` <a class="tag" href="${`${reportAddress(run)}#warnings`}">${mark}</a>`,
  )}`;
}

const MOST_NAMED = 3;

/** `fast 122 ms 0.98x`; of many variants only how many there are, and the lowest. */
function mediansCell(medians: readonly RunMedian[]): Markup {
  const unit = durationUnit(medians.map(({ p50Ms }) => p50Ms));
  const least = Math.min(...medians.map(({ p50Ms }) => p50Ms));
  if (medians.length === 0) return html`<td class="none" data-label="p50" data-value="">–</td>`;
  const words =
    medians.length > MOST_NAMED
      ? html`${count(medians.length)} variants, <span class="whole">from ${duration(least)}</span>`
      : medians.map(
          ({ variant, p50Ms, ratio }) =>
            html`<span class="median">${variant} <b>${duration(p50Ms, unit)}</b>${ratio !== null && html` ${times(ratio)}`}</span> `,
        );
  return html`<td data-label="p50" data-value="${least}">${words}</td>`;
}

/** Leads to the report; the keyboard skips it. */
function changeOf({ words, before, now }: ShownChange, run: ListedRun): Markup {
  const image = (src: string, when: string) =>
    html`<figure><img alt="${`${words}, ${when}`}" loading="lazy" decoding="async" src="${src}"><figcaption aria-hidden="true">${when}</figcaption></figure>`;
  return html`<a href="${reportAddress(run)}" tabindex="-1">${image(before, 'before')}${image(now, 'now')}</a>`;
}
