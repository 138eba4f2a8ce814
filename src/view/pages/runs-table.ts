import { html, type Markup } from '../../report/html/markup/markup.ts';
import { VERDICT_STATES } from '../../report/html/sections/history/history-runs.ts';
import { listed } from '../../text/listed.ts';
import { count } from '../../text/quantity.ts';
import { wallClock } from '../../text/wall-clock.ts';
import type { RunOutline } from '../progress/outline.ts';
import { type RunPlace, reportAddress, runAddress } from './addresses.ts';
import { type RunState, spendWords, stateMarkup } from './run-state.ts';

/** A run of a list; `outline` is null where its record cannot be read, and `why` says why. */
export type ListedRun = RunPlace &
  Pick<RunState, 'isInUse' | 'line'> &
  ({ readonly outline: RunOutline; readonly why: null } | { readonly outline: null; readonly why: string });

/** Runs in the order given, each with links to its report and its page. */
export function runsTable(label: string, runs: readonly ListedRun[]): Markup {
  return html`<table class="plain side-by-side runs" aria-label="${label}">
<thead><tr><th scope="col">Run</th><th scope="col">Gate</th><th scope="col">State</th><th scope="col">Began</th><th scope="col">Variants</th><th scope="col">Requests</th><th scope="col">Spend</th><th scope="col">More</th></tr></thead>
<tbody>${runs.map(row)}</tbody></table>
`;
}

function row(listedRun: ListedRun): Markup {
  const { run, line, outline, why, isInUse } = listedRun;
  if (outline === null) {
    return html`<tr><th scope="row"><a href="${reportAddress(listedRun)}">${run}</a></th><td data-label="State" colspan="7"><span><span class="state bad">not readable</span>: ${why}</span></td></tr>
`;
  }
  const { measuring, createdAt, variants, requests, planned, spend } = outline;
  const state: RunState = { measuring, isInUse, line };
  const main = isInUse ? runAddress(listedRun) : reportAddress(listedRun);
  const sent = requests === planned ? count(requests) : `${count(requests)} of ${count(planned)}`;
  return html`<tr><th scope="row"><a href="${main}">${run}</a></th><td data-label="Gate">${line === null ? '–' : VERDICT_STATES[line.verdict]}</td><td data-label="State">${stateMarkup(state)}</td><td data-label="Began">${wallClock(createdAt)}</td><td data-label="Variants"><span>${variantsWords(variants)}</span></td><td data-label="Requests">${sent}</td><td data-label="Spend">${spendWords(spend)}</td><td data-label="More"><a href="${runAddress(listedRun)}" aria-label="${`Files and media of ${run}`}">files</a></td></tr>
`;
}

const MOST_NAMED = 3;

function variantsWords(variants: readonly string[]): string {
  return variants.length <= MOST_NAMED ? listed(variants) : `${count(variants.length)} variants`;
}
