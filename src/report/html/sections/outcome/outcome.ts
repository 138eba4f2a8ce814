import type { Analysis } from '../../../../analysis/analysis.ts';
import type { Comparison } from '../../../../compare/comparison.ts';
import type { Verdict } from '../../../../compare/gate/verdict.ts';
import type { Load } from '../../../../suite/format/suite.ts';
import { count, plural } from '../../../../text/quantity.ts';
import type { ReportSource } from '../../../reporter.ts';
import { missingSentences } from '../../../statements/baseline-statement.ts';
import { headlineComparisons, latencySentence } from '../../../statements/comparison-statement.ts';
import { spendSentence } from '../../../statements/spend-statement.ts';
import { byKind, completeness } from '../../../statements/statement.ts';
import { type VerdictLine, verdictLinesOf } from '../../../statements/verdict-lines.ts';
import { verdictSentence } from '../../../statements/verdict-statement.ts';
import { loadWords, sweepSteps } from '../../../words/load-words.ts';
import { looksSentence, partsNote } from '../../../words/look-words.ts';
import { tookWords } from '../../../words/shard-words.ts';
import { warningWords } from '../../../words/warnings/warning-words.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { warningItem } from '../details/warnings.ts';
import { scoreboard } from './scoreboard.ts';
import { tradeOffFigures } from './trade-off.ts';
import { whatFailed } from './what-failed.ts';

/** What came out: the verdict with its reasons, a sentence for each comparison, the variants in one table, and what went wrong. */
export function outcomeSection(
  { analysis, comparisons, verdict }: Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict'>,
  marks: VariantMarks,
): Markup {
  const unfit = analysis.warnings.filter((warning) => warning.unfit === true);
  return html`<section id="outcome" aria-labelledby="outcome-title">
<h2 id="outcome-title" class="quiet">What came out</h2>
${unfit.length > 0 && html`<ul class="warnings unfit">${unfit.map(warningItem)}</ul>`}
${facts(analysis, verdict)}
${verdict.rules.length > 0 && gateResults(verdict)}
${sentences(headlineComparisons(comparisons, analysis.run.plan.load))}
${scoreboard(analysis, comparisons, marks)}
${tradeOffFigures(analysis, marks)}
${whatFailed(analysis)}
${firstWarning(analysis)}
</section>
`;
}

function facts(analysis: Analysis, verdict: Verdict): Markup {
  const { run, variants, prompts } = analysis;
  const { load, seeds, repeats } = run.plan;
  const looks = looksSentence(verdict);
  const spent = spendSentence(analysis);
  return html`<dl class="facts">
<div><dt>Verdict</dt><dd><span class="${VERDICT_CLASSES[verdict.verdict]}">${VERDICT_NAMES[verdict.verdict]}</span>
<p>${verdictNote(verdict)}${looks !== null && ` ${looks}.`}</p></dd></div>
<div><dt>Run</dt><dd>${runState(analysis)}
<p>${afterColon(completeness(analysis))}${failedNote(analysis)}${warningsNote(analysis)}</p></dd></div>
<div><dt>Plan</dt><dd><span class="figure">${plural(variants.length, 'variant')}</span>
<p>${plural(
    variants.reduce((sum, { plannedTrials }) => sum + plannedTrials, 0),
    'take',
  )}: ${plural(prompts.length, 'prompt')}${byKind(variants).length > 1 && ' in all kinds'} × ${plural(seeds.length, 'seed')} × ${plural(repeats, 'take')}${planNote(load)}${partsNote(run.plan.looks)}</p></dd></div>
<div><dt>Sent</dt><dd><span class="figure">${plural(run.requestsSent, 'request')}</span>
<p>${run.durationMs === null ? 'nothing was sent' : `${tookWords(run, run.durationMs)}, ${loadWords(load)}`}</p>${spent !== null && html`<p>${spent}.</p>`}</dd></div>
</dl>`;
}

function verdictNote(verdict: Verdict): string {
  const applied = verdict.rules.filter((rule) => rule.verdict !== 'not_applicable');
  if (verdict.verdict !== 'pass') return afterColon(verdictSentence(verdict));
  const rules = new Set(applied.map(({ index }) => index)).size;
  return `${plural(applied.length, 'result')} of ${plural(rules, 'rule')}.`;
}

/** A run whose takes all failed is complete, and nothing to be glad of. */
function runState({ run, variants }: Analysis): Markup {
  if (!run.complete) return html`<span class="state bad">Incomplete</span>`;
  const delivered = variants.some(({ outcomes }) => (outcomes.ok ?? 0) > 0);
  return delivered
    ? html`<span class="state good">Complete</span>`
    : html`<span class="state bad">Nothing delivered</span>`;
}

function failedNote({ failures, variants }: Analysis): Markup | false {
  const failed = failures.reduce((sum, group) => sum + group.count, 0);
  if (failed > 0) return html` <a href="#failures">${plural(failed, 'take')} failed</a>.`;
  return variants.some(({ outcomes }) => (outcomes.ok ?? 0) > 0) && html` No take failed.`;
}

function warningsNote({ warnings }: Analysis): Markup | false {
  const others = warnings.filter((warning) => warning.unfit !== true).length;
  return others > 0 && html` <a href="#bent">${plural(others, 'warning')}</a>.`;
}

/** The first warning in words, so that none hides behind a number. */
function firstWarning({ warnings }: Analysis): Markup | false {
  const others = warnings.filter((warning) => warning.unfit !== true);
  const [first] = others;
  return (
    first !== undefined &&
    html`<p class="brief warned"><b>${others.length === 1 ? 'Warning' : 'Warnings'}:</b> ${warningWords(first).what}${others.length > 1 && html`; <a href="#bent">${count(others.length - 1)} more</a>`}.</p>`
  );
}

const VERDICT_CLASSES = { pass: 'state good', fail: 'state bad', inconclusive: 'state warn', none: 'state' } as const;
const VERDICT_NAMES = { pass: 'Passed', fail: 'Failed', inconclusive: 'Inconclusive', none: 'No gate' } as const;
const RESULT_CLASSES = {
  pass: 'state good',
  fail: 'state bad',
  inconclusive: 'state warn',
  not_applicable: 'state',
} as const;

/** Lines of results that pass are folded beyond this many. */
const MOST_PASSING_LINES = 4;

/** What the rules of the gate found, those that failed first; where some did, those that pass are folded. */
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
      html`<li><span class="${RESULT_CLASSES[verdict]}">${word}</span> <strong>${subject}</strong>: ${finding}</li>`,
  )}</ul>`;
}

/** Sentences beyond this many are folded. */
const MOST_SENTENCES = 8;

function sentences(headlines: readonly Comparison[]): Markup | false {
  // In the order of the suite; of many those first that are fastest.
  const ordered =
    headlines.length > MOST_SENTENCES
      ? headlines.toSorted((a, b) => (a.value ?? Number.MAX_VALUE) - (b.value ?? Number.MAX_VALUE))
      : headlines;
  const items = ordered.map((comparison) => html`<li>${latencySentence(comparison)}.</li>`);
  const folded = items.slice(MOST_SENTENCES);
  return (
    items.length > 0 &&
    html`<ul class="headlines">${items.slice(0, MOST_SENTENCES)}</ul>${
      folded.length > 0 &&
      html`<details class="fold"><summary>${plural(folded.length, 'more comparison')}</summary><ul class="headlines">${folded}</ul></details>`
    }`
  );
}

/** What the numbers of the plan do not say by themselves. */
function planNote(load: Load): string {
  const steps = sweepSteps(load);
  if (steps !== null) return ` × ${plural(steps.length, 'step')}`;
  return load.mode === 'open' && load.stages.at(-1)?.forMs !== null
    ? ', repeated with fresh seeds while calls arrive'
    : '';
}

function afterColon(sentence: string): string {
  const rest = sentence.slice(sentence.indexOf(':') + 2);
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}.`;
}
