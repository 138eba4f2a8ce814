import type { Warning } from '../../../../analysis/analysis.ts';
import type { Verdict } from '../../../../compare/gate/verdict.ts';
import type { Load } from '../../../../suite/format/suite.ts';
import { plural } from '../../../../text/quantity.ts';
import { wallClock } from '../../../../text/wall-clock.ts';
import type { ReportSource } from '../../../reporter.ts';
import { missingSentences } from '../../../statements/baseline-statement.ts';
import { headlineComparisons, latencySentence } from '../../../statements/comparison-statement.ts';
import { spendSentence } from '../../../statements/spend-statement.ts';
import { completeness } from '../../../statements/statement.ts';
import { verdictLinesOf } from '../../../statements/verdict-lines.ts';
import { verdictSentence } from '../../../statements/verdict-statement.ts';
import { loadWords, sweepSteps } from '../../../words/load-words.ts';
import { looksSentence, partsNote } from '../../../words/look-words.ts';
import { shardWords, tookWords } from '../../../words/shard-words.ts';
import { warningWords } from '../../../words/warnings/warning-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** The head of the page: what was run, whether it is whole, the verdict, and what may have bent the numbers. */
export function overview({
  analysis,
  comparisons,
  verdict,
}: Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict'>): Markup {
  const { run, variants, prompts, warnings } = analysis;
  const { load, seeds, repeats } = run.plan;
  const unfit = warnings.filter((warning) => warning.unfit === true);
  const tookMs = run.durationMs;
  const split = shardWords(run);
  const looks = looksSentence(verdict);
  const spent = spendSentence(analysis);
  const headlines = headlineComparisons(comparisons, load);
  return html`<header class="title">
<p class="eyebrow">Retake report</p>
<h1>${run.suite}</h1>
${run.description !== null && html`<p class="lede">${run.description}</p>`}
<p class="meta"><span>${run.id}</span>${split !== null && html`<span>${split}</span>`}<span><time datetime="${run.startedAt}">${wallClock(run.startedAt)}</time></span><span>Retake ${run.machine.retake}</span></p>
</header>
<section id="overview" aria-labelledby="overview-title">
<h2 id="overview-title" class="quiet">Overview</h2>
${unfit.length > 0 && html`<ul class="warnings unfit">${unfit.map(item)}</ul>`}
${headlines.length > 0 && html`<ul class="headlines">${headlines.map((comparison) => html`<li>${latencySentence(comparison)}.</li>`)}</ul>`}
<dl class="facts">
<div><dt>Status</dt><dd><span class="${run.complete ? 'state good' : 'state bad'}">${run.complete ? 'Complete' : 'Incomplete'}</span>
<p>${afterColon(completeness(analysis))}</p></dd></div>
<div><dt>Verdict</dt><dd><span class="${VERDICT_CLASSES[verdict.verdict]}">${VERDICT_NAMES[verdict.verdict]}</span>
<p>${afterColon(verdictSentence(verdict))}${looks !== null && ` ${looks}.`}</p></dd></div>
<div><dt>Plan</dt><dd><span class="figure">${plural(variants.length, 'variant')}</span>
<p>${plural(prompts.length, 'prompt')} × ${plural(seeds.length, 'seed')} × ${plural(repeats, 'take')}${planNote(load)}${partsNote(run.plan.looks)}</p></dd></div>
<div><dt>Sent</dt><dd><span class="figure">${plural(run.requestsSent, 'request')}</span>
<p>${tookMs === null ? 'nothing was sent' : `${tookWords(run, tookMs)}, ${loadWords(load)}`}</p>${spent !== null && html`<p>${spent}.</p>`}</dd></div>
</dl>
${verdict.rules.length > 0 && resultList(verdict)}
${warningList(warnings.filter((warning) => warning.unfit !== true))}
</section>`;
}

const VERDICT_CLASSES = { pass: 'state good', fail: 'state bad', inconclusive: 'state warn', none: 'state' } as const;
const VERDICT_NAMES = { pass: 'Passed', fail: 'Failed', inconclusive: 'Inconclusive', none: 'None' } as const;
const RESULT_CLASSES = {
  pass: 'state good',
  fail: 'state bad',
  inconclusive: 'state warn',
  not_applicable: 'state',
} as const;

/** What the rules of the gate found, those that failed first. */
function resultList(verdict: Verdict): Markup {
  const missing = missingSentences(verdict);
  return html`<h3 id="gate">Gate</h3>
<ul class="results">${verdictLinesOf(verdict.rules).map(
    ({ verdict: found, word, subject, finding }) =>
      html`<li><span class="${RESULT_CLASSES[found]}">${word}</span> <strong>${subject}</strong>: ${finding}</li>`,
  )}</ul>
${missing.length > 0 && html`<p>${missing.map((sentence) => `${sentence}.`).join(' ')}</p>`}`;
}

function warningList(warnings: readonly Warning[]): Markup | false {
  return (
    warnings.length > 0 &&
    html`<h3 id="warnings">${plural(warnings.length, 'warning')}</h3>
<ul class="warnings">${warnings.map(item)}</ul>`
  );
}

function item(warning: Warning): Markup {
  const { what, cause, remedy } = warningWords(warning);
  return html`<li><strong>${what}</strong>
<dl><div><dt>Cause</dt><dd>${cause}</dd></div><div><dt>Remedy</dt><dd>${remedy}</dd></div></dl></li>`;
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
