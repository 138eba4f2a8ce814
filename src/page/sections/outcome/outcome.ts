import type { Analysis } from '../../../analysis/analysis.ts';
import type { Verdict } from '../../../analysis/verdict.ts';
import { KIND_NAMES } from '../../../kit/names.ts';
import { count, elapsed, plural } from '../../../kit/wording.ts';
import { clockTime } from '../../../markup/document.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { droppedStarts, shardWords, undelivered } from '../../../report/run-statement.ts';
import { type StorySource, screenAnswers } from '../../../report/story.ts';
import type { SentenceBlock, StoryLine } from '../../../report/story-block.ts';
import { runVerdict, tallyOf } from '../../../report/verdict-statement.ts';

import { anyDelivered, hasTabs } from '../../markup/scope.ts';
import type { Sheet } from '../../shown-outputs.ts';
import { trouble } from './trouble.ts';

/** Outcome: what must be known first, then a sentence for each variant of the chosen kind. */
export function outcomeSection(source: StorySource, sheet: Sheet): Markup {
  const { analysis, verdict } = source;
  const tabs = hasTabs(analysis.variants);
  const { kinds, adjusted, stored } = screenAnswers(source);
  return html`<section id="outcome" aria-labelledby="outcome-title">
<h2 id="outcome-title" class="quiet">What came out</h2>
${trouble(analysis, verdict, sheet)}
${
  anyDelivered(analysis.variants) &&
  kinds.map(
    ({
      kind,
      answers,
      scores,
    }) => html`<div class="answer"${tabs && html` id="${kind}" data-kind="${kind}"`}>${tabs && html`<h3 class="kind-name">${KIND_NAMES[kind]}</h3>`}
${sentenceList(answers, 'headlines')}${scores.shown.length + scores.folded.length > 0 && sentenceList(scores, 'headlines more scores')}</div>
`,
  )
}${adjusted.map((words) => html`<p class="note">${words}.</p>`)}${stored.shown.length > 0 && html`<ul class="statements">${stored.shown.map(({ sentence }) => html`<li>${sentence}</li>`)}</ul>`}
</section>
`;
}

function sentenceList({ shown, folded, more }: SentenceBlock, style: string): Markup {
  return html`<ul class="${style}">${shown.map(item)}</ul>${
    more !== null &&
    html`<details class="fold"><summary>${more}</summary><ul class="headlines more">${folded.map(item)}</ul></details>`
  }`;
}

function item({ sentence, tone }: StoryLine): Markup {
  const isState = tone === 'bad' || tone === 'warn';
  return html`<li${tone === 'void' && html` class="void"`}>${isState ? html`<span class="${`state ${tone}`}">${sentence}</span>` : sentence}</li>`;
}

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
