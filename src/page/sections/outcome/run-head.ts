import type { Analysis } from '../../../analysis/analysis.ts';
import type { Verdict } from '../../../analysis/verdict.ts';
import { count, elapsed, plural } from '../../../kit/wording.ts';
import { clockTime } from '../../../markup/clock-time.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { runVerdict } from '../../../report/gate-words.ts';
import { shardWords } from '../../../report/load-words.ts';
import { droppedStarts, undelivered } from '../../../report/run-statement.ts';
import { tallyOf } from '../../../report/verdict-statement.ts';
import { anyDelivered } from '../../markup/scope.ts';

/** A line on what was done: suite, verdict, requests and failures, time, warnings. @param links to the parts of the page */
export function runHead(analysis: Analysis, verdict: Verdict, links: Markup | false): Markup {
  const { run, warnings } = analysis;
  const { rules } = tallyOf(verdict);
  const split = shardWords(run);
  return html`<header class="run-head">
<h1>${run.suite}</h1>
${verdictMark(verdict, analysis)}${verdict.verdict !== 'none' && html`\n<span>${plural(rules, 'rule')}</span>`}
${split !== null && html`<span>${split}</span>`}
${howItWent(analysis)}
<span>${run.durationMs !== null && elapsed(run.durationMs)}<span class="when">${run.durationMs !== null && ', '}${clockTime(run.startedAt)}</span></span>
${warnings.length > 0 && html`<a class="${warnings.some(({ unfit }) => unfit === true) ? 'bad' : 'warn'}" href="#warnings">${plural(warnings.length, 'warning')}</a>`}
${links}
</header>
`;
}

/** Verdict of the run, else whether it is complete: not with variants left out. */
export function verdictMark(verdict: Verdict, { run }: Pick<Analysis, 'run'>): Markup {
  const { words, tone } = runVerdict(verdict);
  const place = verdict.complete ? '#gate' : run.complete ? '#warnings' : '#incomplete';
  return tone === null
    ? html`<span class="muted">${words}</span>`
    : html`<a class="${`chip ${tone}`}" href="${place}">${words}</a>`;
}

/** What is not as it should be, then `299 of 299 requests, none failed`. */
export function howItWent(analysis: Analysis): Markup {
  return html`${stateOf(analysis)}
<span>${sentWords(analysis)}${undeliveredWords(analysis)}</span>`;
}

function stateOf({ run, variants }: Analysis): Markup | false {
  return run.complete && !anyDelivered(variants) && html`<span class="chip bad">Nothing delivered</span>`;
}

/** `299 of 299 requests`; more than planned where some were sent again. */
function sentWords({ run: { plan, requestsSent } }: Analysis): string {
  return requestsSent > plan.requests
    ? plural(requestsSent, 'request')
    : `${count(requestsSent)} of ${plural(plan.requests, 'request')}`;
}

function undeliveredWords({ failures, variants }: Analysis): Markup | string {
  const { failed, blocked } = undelivered(failures);
  const dropped = droppedStarts(variants);
  const parts = [
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(blocked > 0 ? [`${count(blocked)} blocked`] : []),
    ...(dropped > 0 ? [`${count(dropped)} dropped`] : []),
  ];
  if (parts.length === 0) return anyDelivered(variants) ? ', none failed' : '';
  return html`, <a class="bad" href="${failed + blocked > 0 ? '#what-failed' : '#timeline'}">${parts.join(', ')}</a>`;
}
