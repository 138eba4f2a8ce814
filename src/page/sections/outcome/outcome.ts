import type { Analysis } from '../../../analysis/analysis.ts';
import { BLOCKED } from '../../../analysis/effective-sample.ts';
import { incompleteRemedy, whyIncomplete } from '../../../analysis/incomplete.ts';
import { ruleNoun } from '../../../gate/claim-words.ts';
import { stateWords } from '../../../gate/run-state.ts';
import type { RuleResult, Verdict } from '../../../gate/verdict.ts';
import { tallyOf } from '../../../gate/verdict-statement.ts';
import { KIND_NAMES } from '../../../kit/names.ts';
import { capital, count, elapsed, plural, unbroken } from '../../../kit/wording.ts';
import { clockTime, toned } from '../../../markup/document.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { firstScreen, rulesAtSight } from '../../../report/first-screen.ts';
import { answerOf, answersByKind, QUESTION_WORDS } from '../../../report/run-answer.ts';
import { type FailureCause, lostWords, shardWords } from '../../../report/run-statement.ts';
import type { StorySource } from '../../../report/story.ts';
import type { CauseBlock, RuleBlock, SentenceBlock, StoryLine, WarningBlock } from '../../../report/story-block.ts';
import type { Kind } from '../../../suite/kind.ts';
import { anyDelivered, hasTabs } from '../../markup/section.ts';
import { type Sheet, sheetAnchor } from '../../shown-outputs.ts';
import { type JudgedResult, worstCell } from '../../worst-cell.ts';
import { causeLink, unfitItem } from '../details/failures-and-warnings.ts';
import { shortAnswers } from './short-answers.ts';

export function outcomeSection(source: StorySource, sheet: Sheet): Markup {
  const { analysis } = source;
  const tabs = hasTabs(analysis.variants);
  const { unfit, causes, answersOf, scoresOf, notes, stored } = firstScreen(source);
  const delivered = anyDelivered(analysis.variants);
  const wrong = {
    list: html`${failedRules(rulesAtSight(source), analysis, sheet)}
${whatFailed(causes, sheet)}`,
    areCausesSaid: causes.shown.length > 0,
  };
  return html`<section id="outcome" aria-labelledby="outcome-title">
<h2 id="outcome-title" class="question">${QUESTION_WORDS[answerOf(source).question]}</h2>
${unfitToRead(source, unfit)}
${
  delivered &&
  answersByKind(source).map(({ kind, about, next }) => {
    const variants = analysis.variants.filter((variant) => variant.kind === kind);
    const answers = answersOf(kind, variants);
    const scores = scoresOf(variants);
    return html`<div class="answer"${tabs && html` id="${kind}" data-kind="${kind}"`}>${tabs && html`<h3 class="kind-name">${KIND_NAMES[kind]}</h3>`}
${sentenceList(answers, 'headlines', about?.verdict === 'fail' && evidenceLink(about, analysis, sheet, shownFirst(kind, sheet)))}
${next !== null && html`<p class="note next">To ${next.why}: <code>${next.command}</code></p>`}
${shortAnswers(source, variants, tabs ? null : wrong)}
${scores.shown.length + scores.folded.length > 0 && sentenceList(scores, 'headlines more scores')}</div>
`;
  })
}${(tabs || !delivered) && wrong.list}${!delivered && otherRules(source, sheet)}${notes.map((note) => html`<p class="note">${note}.</p>`)}${stored.length > 0 && html`<ul class="statements">${stored.map((sentence) => html`<li>${sentence}.</li>`)}</ul>`}
</section>
`;
}

/** @param after the first sentence */
function sentenceList({ shown, folded, more }: SentenceBlock, style: string, after: Markup | false = false): Markup {
  return html`${shown.length > 0 && html`<ul class="${style}">${shown.map((line, at) => item(line, at === 0 && after))}</ul>`}${
    more !== null &&
    html`<details class="fold"><summary>${more}</summary><ul class="headlines more">${folded.map((line) => item(line))}</ul></details>`
  }`;
}

function item({ sentence, tone }: StoryLine, after: Markup | false = false): Markup {
  const isState = tone === 'bad' || tone === 'warn';
  return html`<li${tone === 'void' && html` class="void"`}>${isState ? html`<span class="${`state ${tone}`}">${sentence}</span>` : sentence}${after}</li>`;
}

/** @param links to the parts of the page */
export function runHead(analysis: Analysis, verdict: Verdict, links: Markup): Markup {
  const { run, warnings } = analysis;
  const split = shardWords(run);
  return html`<header class="run-head">
<h1>${run.suite}</h1>
${verdictMark(verdict)}${verdict.verdict !== 'none' && html`\n<span>${ofRules(verdict)}</span>`}
${split !== null && html`<span>${split}</span>`}
${howItWent(analysis)}
<span>${run.durationMs !== null && elapsed(run.durationMs)}<span class="when">${run.durationMs !== null && ', '}${clockTime(run.startedAt)}</span></span>
${warnings.length > 0 && html`<a class="${warnings.some(({ unfit }) => unfit !== undefined) ? 'bad' : 'warn'}" href="#warnings">${plural(warnings.length, 'warning')}</a>`}
${links}
</header>
`;
}

/** `4 rules`, `1 of 3 rules failed`. */
function ofRules(verdict: Verdict): string {
  const { rules, failedRules, passedRules } = tallyOf(verdict);
  const [deciding, what] = verdict.verdict === 'fail' ? [failedRules, 'failed'] : [passedRules, 'passed'];
  const isPlain = !verdict.complete || verdict.verdict === 'inconclusive' || deciding === rules;
  const all = plural(rules, ruleNoun(verdict.rules));
  return isPlain ? all : `${count(deciding)} of ${all} ${what}`;
}

/** The verdict of the run, with a link to what explains it. */
function verdictMark(verdict: Verdict): Markup {
  const { words, tone } = stateWords(verdict);
  const place = verdict.complete ? '#gate' : '#incomplete';
  return tone === null
    ? html`<span class="muted">${words}</span>`
    : html`<a class="${`chip ${tone}`}" href="${place}">${words}</a>`;
}

/** `299 requests, none failed`; before it, whether nothing was delivered. */
function howItWent(analysis: Analysis): Markup {
  return html`${stateOf(analysis)}
<span>${sentWords(analysis)}${undeliveredWords(analysis)}</span>`;
}

function stateOf({ run, variants }: Analysis): Markup | false {
  return run.complete && !anyDelivered(variants) && html`<span class="chip bad">Nothing delivered</span>`;
}

/** `299 requests`; more than planned where some were sent again, `36 of 299 requests` where some were not. */
function sentWords({ run: { plan, requestsSent } }: Analysis): string {
  return requestsSent >= plan.requests
    ? plural(requestsSent, 'request')
    : `${count(requestsSent)} of ${plural(plan.requests, 'request')}`;
}

function undeliveredWords(analysis: Analysis): Markup | string {
  const lost = lostWords(analysis);
  if (lost.length === 0) return anyDelivered(analysis.variants) ? ', none failed' : '';
  return html`, <a class="bad" href="${analysis.failures.length > 0 ? '#what-failed' : '#timeline'}">${lost.join(', ')}</a>`;
}

/** Stands first, since it must be known before any number; empty if all is well. */
function unfitToRead(source: StorySource, { shown }: WarningBlock): Markup {
  const { analysis } = source;
  const nothing =
    !anyDelivered(analysis.variants) &&
    html`<p class="nothing">${analysis.run.requestsSent === 0 ? 'Nothing was sent' : 'No take was delivered'}: there is no latency, no output and nothing to compare.</p>`;
  return html`${incomplete(source)}${nothing}
${shown.length > 0 && html`<ul class="warnings unfit">${shown.map(unfitItem)}</ul>`}`;
}

function incomplete(source: StorySource): Markup | false {
  const { state, answer, next } = answerOf(source);
  if (state !== 'incomplete') return false;
  const { analysis } = source;
  const remedy = !analysis.run.complete && ` ${capital(incompleteRemedy(whyIncomplete(analysis)))}.`;
  return html`<p id="incomplete" class="results"><span class="state bad">Incomplete</span> ${answer}${remedy}${next !== null && html` To ${next.why}: <code>${next.command}</code>`}</p>`;
}

type ShownRule = RuleBlock['shown'][number];

function failedRules({ shown }: RuleBlock, analysis: Analysis, sheet: Sheet): Markup | false {
  return (
    shown.length > 0 &&
    html`<h3 id="gate" class="quiet">Gate</h3>
${list(shown, (line) => ruleItem(line, analysis, sheet))}`
  );
}

/** Every other rule, folded. */
export function otherRules(source: StorySource, sheet: Sheet): Markup | false {
  const { analysis } = source;
  const { notes, ...rules } = rulesAtSight(source);
  if (rules.more === null) return false;
  return html`<details class="fold passed"><summary>${rules.more}</summary><div${rules.shown.length === 0 && html` id="gate"`}>${rules.folded.length > 0 && list(rules.folded, (line) => ruleItem(line, analysis, sheet))}
${notes.length > 0 && html`<p class="note">${notes.map((note) => `${note}.`).join(' ')}</p>`}</div></details>`;
}

function list(lines: readonly ShownRule[], item: (line: ShownRule) => Markup): Markup {
  return html`<ul class="results">${lines.map((line) => html`<li>${item(line)}</li>`)}</ul>`;
}

function ruleItem(line: ShownRule, analysis: Analysis, sheet: Sheet): Markup {
  const link = line.verdict === 'fail' && evidenceLink(line.worst, analysis, sheet);
  return html`${ruleLine(link === false ? line : { ...line, finding: line.brief })}${link}`;
}

/** @param shown what needs no link */
function evidenceLink(
  result: RuleResult,
  analysis: Analysis,
  sheet: Sheet,
  shown: string | null = null,
): Markup | false {
  const worst = worstEvidence(result, analysis, sheet);
  return worst !== null && worst.words !== shown && html` <a href="#${worst.anchor}">${worst.words}</a>`;
}

function ruleLine({ tone, word, subject, finding }: ShownRule): Markup {
  return html`${toned({ words: word, tone })} <strong>${subject}</strong>: ${unbroken(finding)}`;
}

function whatFailed({ shown, more }: CauseBlock, sheet: Sheet): Markup | false {
  return (
    shown.length > 0 &&
    html`<h3 id="what-failed" class="quiet">What failed</h3>
<ul class="brief">${shown.map((cause) => html`<li>${causeLine(cause, sheet)}</li>`)}${more !== null && html`<li><a href="#failures">${more}</a></li>`}</ul>`
  );
}

function causeLine({ who, takes, outcome, code, message, exampleTrial }: FailureCause, sheet: Sheet): Markup {
  return html`<strong>${who}</strong>: ${causeLink(exampleTrial, takes, sheet)}: ${outcome} (<code>${code}</code>)${message !== '' && html`, <q>${message}</q>`}`;
}

interface WorstEvidence {
  readonly anchor: string;
  /** `first of them`, `show desert, seed 2`. */
  readonly words: string;
}

/** What did worst by a rule of the gate: a failed take, or the outputs of a prompt and seed. Null where neither tells. */
export function worstEvidence(result: JudgedResult, analysis: Analysis, sheet: Sheet): WorstEvidence | null {
  const { metric } = result.rule;
  if (metric === 'error_rate' || metric === 'block_rate') return firstFailure(result, analysis, sheet);
  const cell = worstCell(result, analysis);
  const anchor = sheetAnchor(cell, sheet);
  return cell === null || anchor === null ? null : { anchor, words: showWords(cell.prompt, cell.seed) };
}

function shownFirst(kind: Kind, { kinds }: Sheet): string | null {
  const strip = kinds.find((each) => each.kind === kind)?.strip ?? null;
  return strip && showWords(strip.prompt.id, strip.seed);
}

function showWords(prompt: string, seed: number | null): string {
  return `show ${prompt}, seed ${seed}`;
}

function firstFailure(
  { rule, variant }: JudgedResult,
  { failures }: Analysis,
  { failed }: Sheet,
): WorstEvidence | null {
  const isCounted = rule.metric === 'block_rate';
  const group = failures.find((failure) => failure.variant === variant && BLOCKED.has(failure.outcome) === isCounted);
  const anchor = group === undefined ? null : failed.anchorOf(group.exampleTrial);
  return anchor === null ? null : { anchor, words: 'first of them' };
}
