import type { Analysis, RunSummary } from '../../../../analysis/analysis.ts';
import type { Comparison } from '../../../../compare/comparison.ts';
import type { Verdict } from '../../../../compare/gate/verdict.ts';
import { wallClock } from '../../../../text/wall-clock.ts';
import { plural, unbroken } from '../../../../text/wording.ts';
import type { ReportSource } from '../../../reporter.ts';
import {
  comparisonGroups,
  groupClauses,
  headlineComparisons,
  inOrder,
  isCompared,
  moreUnits,
} from '../../../statements/comparison-statement.ts';
import { latencySentences } from '../../../statements/latency-statement.ts';
import { failureCauses } from '../../../statements/run-statement.ts';
import { samenessSentences } from '../../../statements/sameness-statement.ts';
import { missingSentences, stabilitySentences } from '../../../statements/two-runs-statement.ts';
import { type VerdictLine, verdictLinesOf } from '../../../statements/verdict-lines.ts';
import { shardWords } from '../../../words/load-words.ts';
import { voidVariants } from '../../../words/warnings/harness-warning-words.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { anyDelivered } from '../../markup/scope.ts';
import { warningItem, warningsInShort } from '../certainty/warnings.ts';
import { facts } from './facts.ts';
import { tradeOffFigures } from './trade-off.ts';

export function pageHead(run: RunSummary): Markup {
  const split = shardWords(run);
  return html`<header class="title">
<h1>${run.suite}</h1>
${run.description !== null && html`<p class="lede">${run.description}</p>`}
<p class="meta"><span>Retake report</span><span>${run.id}</span>${run.label !== null && html`<span>${run.label}</span>`}${split !== null && html`<span>${split}</span>`}<span><time datetime="${run.startedAt}">${wallClock(run.startedAt)}</time></span><span>Retake ${run.machine.retake}</span></p>
</header>
`;
}

/** Where nothing was delivered there is nothing to compare: failures come first, and alone. */
export function outcomeSection(
  {
    analysis,
    comparisons,
    verdict,
    stability,
  }: Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict' | 'stability'>,
  marks: VariantMarks,
): Markup {
  const unfit = analysis.warnings.filter((warning) => warning.unfit === true);
  const unfitItems = unfit.length > 0 && html`<ul class="warnings unfit">${unfit.map(warningItem)}</ul>`;
  const first = html`${facts(analysis, verdict)}
${verdict.rules.length > 0 && gateResults(verdict)}`;
  const content = anyDelivered(analysis.variants)
    ? html`${unfitItems}
${first}
${sentences(headlineComparisons(comparisons, analysis.run.plan.load), { analysis, stability })}
${whatFailed(analysis)}
${warningsInShort(analysis)}
${tradeOffFigures(analysis, marks)}`
    : html`${first}
<p class="nothing">${analysis.run.requestsSent === 0 ? 'Nothing was sent' : 'No take was delivered'}: there is no latency, no output and nothing to compare.</p>
${whatFailed(analysis)}
${unfitItems}
${warningsInShort(analysis)}`;
  return html`<section id="outcome" aria-labelledby="outcome-title">
<h2 id="outcome-title" class="quiet">What came out</h2>
${content}
</section>
`;
}

const RESULT_CLASSES = {
  pass: 'state good',
  fail: 'state bad',
  inconclusive: 'state warn',
  not_applicable: 'state',
} as const;

/** More lines of results that pass are folded. */
const MOST_PASSING_LINES = 4;

/** What failed first; then those that pass are folded. */
function gateResults(verdict: Verdict): Markup {
  const missing = missingSentences(verdict);
  const lines = verdictLinesOf(verdict.rules);
  const told = lines.filter((line) => line.verdict === 'fail' || line.verdict === 'inconclusive');
  const quiet = lines.filter((line) => !told.includes(line));
  const fold = quiet.length > MOST_PASSING_LINES || (told.length > 0 && quiet.length > 1);
  return html`<h3 id="gate" class="quiet">Gate</h3>
${told.length > 0 && list(told)}
${quiet.length > 0 && (fold ? html`<details class="fold"><summary>${plural(quiet.length, 'line')} of results that pass or are not applied</summary>${list(quiet)}</details>` : list(quiet))}
${missing.length > 0 && html`<p>${missing.map((sentence) => `${sentence}.`).join(' ')}</p>`}`;
}

function list(lines: readonly VerdictLine[]): Markup {
  return html`<ul class="results">${lines.map(
    ({ verdict, word, subject, finding }) =>
      html`<li><span class="${RESULT_CLASSES[verdict]}">${word}</span> <strong>${subject}</strong>: ${unbroken(finding)}</li>`,
  )}</ul>`;
}

/** More sentences are folded. */
const MOST_SENTENCES = 8;

function sentences(
  headlines: readonly Comparison[],
  { analysis, stability }: Pick<ReportSource, 'analysis' | 'stability'>,
): Markup {
  const { run, warnings } = analysis;
  const measured = latencySentences(analysis, headlines).map((clauses) => html`<li>${clauses.join('')}.</li>`);
  const same = samenessSentences(analysis).map((sentence) => html`<li>${sentence}.</li>`);
  const stored = stabilitySentences(stability).map((sentence) => html`<li>${sentence}.</li>`);
  const isVoid = voidVariants(warnings).size > 0;
  const compared = comparisonGroups(inOrder(headlines, MOST_SENTENCES)).map(
    (group) => html`<li>${groupClauses(group).join('')}.</li>`,
  );
  return html`${sentenceList(compared, 'more comparison', false)}
${moreUnits(headlines, run).map((sentence) => html`<p class="note">${sentence}.</p>`)}
${sentenceList(measured, 'more variant', isVoid)}
${sentenceList(same, 'more sentence', false)}
${sentenceList(stored, 'more sentence', false)}
${legend(headlines, analysis)}`;
}

function legend(headlines: readonly Comparison[], analysis: Analysis): Markup | false {
  const cell = 'Cell: all takes of a variant for one prompt and seed';
  const words = headlines.some(isCompared)
    ? `Brackets: two-sided 95 % intervals. ${cell}; cell pair: those of two variants.`
    : samenessSentences(analysis).length > 0 && `${cell}.`;
  return words !== false && html`<p class="note"><small>${words}</small></p>`;
}

function sentenceList(items: readonly Markup[], more: string, isVoid: boolean): Markup | false {
  const folded = items.slice(MOST_SENTENCES);
  return (
    items.length > 0 &&
    html`<ul class="${isVoid ? 'headlines void' : 'headlines'}">${items.slice(0, MOST_SENTENCES)}</ul>${
      folded.length > 0 &&
      html`<details class="fold"><summary>${plural(folded.length, more)}</summary><ul class="headlines">${folded}</ul></details>`
    }`
  );
}

/** More causes are only counted: a later section lists all. */
const MOST_LINES = 5;

function whatFailed(analysis: Pick<Analysis, 'failures' | 'variants'>): Markup | false {
  const causes = failureCauses(analysis);
  if (causes.length === 0) return false;
  // One more line takes no more room than the words that count it.
  const shown = causes.length === MOST_LINES + 1 ? causes : causes.slice(0, MOST_LINES);
  const more = causes.length - shown.length;
  return html`<h3 id="what-failed">What failed</h3>
<ul class="brief">${shown.map(
    ({ who, takes, outcome, code, message }) =>
      html`<li><strong>${who}</strong>: ${takes}: ${outcome} (<code>${code}</code>)${message !== '' && html`, <q>${message}</q>`}</li>`,
  )}</ul>
<p class="brief jump"><a href="#failures">${more > 0 ? `${plural(more, 'more cause')}, and failures of each variant` : 'Failures of each variant'}</a></p>`;
}
