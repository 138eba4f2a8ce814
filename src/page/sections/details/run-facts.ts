import type { Analysis } from '../../../analysis/analysis.ts';
import { stateWords, verdictSentence } from '../../../gate/run-state.ts';
import type { Verdict } from '../../../gate/verdict.ts';
import { KIND_NAMES, proxyWords } from '../../../kit/names.ts';
import { capital, count, listed, plural } from '../../../kit/wording.ts';
import { toned } from '../../../markup/document.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import {
  droppedStarts,
  loadsWords,
  loadWords,
  looksSentence,
  partsNote,
  spendSentence,
  tookWords,
  undelivered,
  whatIsComplete,
} from '../../../report/run-statement.ts';
import { byKind } from '../../../report/statement.ts';
import type { Load } from '../../../suite/load.ts';
import { sweepSteps } from '../../../suite/sweep.ts';
import { anyDelivered, section } from '../../markup/section.ts';

export function runSection(analysis: Analysis, verdict: Verdict): Markup {
  const { run } = analysis;
  const looks = looksSentence(verdict);
  const spent = spendSentence(analysis);
  return section({
    anchor: 'run',
    title: 'The run',
    note: run.description,
    content: html`<p class="meta"><span>${run.id}</span>${run.label !== null && html`<span>${run.label}</span>`}${run.vantage !== undefined && html`<span>sent from ${run.vantage}</span>`}${proxyWords(analysis.variants).map((words) => html`<span>${words}</span>`)}<span>Retake ${run.machine.retake}</span></p>
<dl class="facts">
<div><dt>Verdict</dt><dd>${toned(stateWords(verdict))}
<p>${verdictSentence(verdict, analysis)}.${looks !== null && ` ${looks}.`}</p></dd></div>
<div><dt>Run</dt><dd>${runState(analysis)}
<p>${capital(whatIsComplete(analysis))}.${failedNote(analysis)}${leftOutNote(analysis)}${warningsNote(analysis)}</p></dd></div>
<div><dt>Plan</dt><dd><span class="figure">${plural(analysis.variants.length, 'variant')}</span>
<p>${planWords(analysis)}</p></dd></div>
<div><dt>Sent</dt><dd><span class="figure">${plural(run.requestsSent, 'request')}</span>
<p>${run.durationMs === null ? 'Nothing was sent' : `${capital(tookWords(run, run.durationMs))}, ${loadWords(run.plan.load)}`}.${othersNote(analysis)}</p>${spent !== null && html`<p>${spent}.</p>`}</dd></div>
</dl>`,
  });
}

/** ` Includes warm-ups and probes.` */
function othersNote({ run, variants, probes, warnings }: Analysis): string {
  const takes = variants.reduce(
    (sum, { plannedTrials, missing, outcomes }) => sum + plannedTrials - missing - (outcomes.dropped ?? 0),
    0,
  );
  if (run.requestsSent <= takes) return '';
  const others = [
    ...(run.plan.load.warmup > 0 ? ['warm-ups'] : []),
    ...(probes.length > 0 ? ['probes'] : []),
    ...(warnings.some(({ code }) => code === 'rate_limited') ? ['requests sent again'] : []),
  ];
  return others.length === 0 ? '' : ` Includes ${listed(others)}.`;
}

/** Good only with every variant measured and all takes delivered. */
function runState(analysis: Analysis): Markup {
  const { run, variants, failures } = analysis;
  if (!run.complete) return html`<span class="state bad">Incomplete</span>`;
  if (!anyDelivered(variants)) return html`<span class="state bad">Nothing delivered</span>`;
  if (failures.length > 0) return html`<span class="state warn">Complete, with failures</span>`;
  if (droppedStarts(variants) > 0) return html`<span class="state warn">Complete, with drops</span>`;
  return html`<span class="${leftOut(analysis) === 0 ? 'state good' : 'state'}">Complete</span>`;
}

function leftOut({ warnings }: Analysis): number {
  return warnings.flatMap(({ code, variants }) => (code === 'variants_left_out' ? variants : [])).length;
}

function leftOutNote(analysis: Analysis): Markup | false {
  const variants = leftOut(analysis);
  return variants > 0 && html` <a class="bad" href="#warnings">${plural(variants, 'variant')} left out</a>.`;
}

function failedNote({ failures, variants }: Analysis): Markup | false {
  const { failed, blocked } = undelivered(failures);
  const dropped = droppedStarts(variants);
  const failedWords = failed > 0 && html` <a class="bad" href="#what-failed">${plural(failed, 'take')} failed</a>.`;
  const blockedWords =
    blocked > 0 &&
    html` <a class="bad" href="#what-failed">${plural(blocked, 'take')} ${blocked === 1 ? 'was' : 'were'} blocked</a>: moderated, or blank.`;
  const droppedWords =
    dropped > 0 &&
    html` <a class="bad" href="#timeline">${plural(dropped, 'start')} ${dropped === 1 ? 'was' : 'were'} dropped</a>.`;
  if (failedWords === false && blockedWords === false && droppedWords === false)
    return anyDelivered(variants) && html` No take failed.`;
  return html`${failedWords}${blockedWords}${droppedWords}`;
}

function warningsNote({ warnings }: Analysis): Markup | false {
  return warnings.length > 0 && html` <a href="#warnings">${plural(warnings.length, 'warning')}</a>.`;
}

/** `Text to image, 36 takes: 3 prompts × 4 seeds × 3 takes.` */
function planWords({ run, variants, prompts }: Analysis): string {
  const { load, seeds, repeats, looks } = run.plan;
  const takes = plural(
    variants.reduce((sum, { plannedTrials }) => sum + plannedTrials, 0),
    'take',
  );
  const kinds = byKind(variants);
  const [first] = kinds;
  const isOne = kinds.length === 1 && first !== undefined;
  const notes = `${planNote(load)}${partsNote(looks)}`;
  const [ofPrompts, ofSeeds] = [plural(prompts.length, 'prompt'), plural(seeds.length, 'seed')];
  // A kind may leave prompts out, so the numbers of several kinds do not multiply.
  return isOne
    ? `${KIND_NAMES[first[0]]}, ${takes}: ${plural(variants.length, 'variant')} × ${ofPrompts} × ${ofSeeds} × ${plural(repeats, 'take')}${notes}.`
    : `${plural(kinds.length, 'kind')}, ${ofPrompts}, ${ofSeeds}; ${takes}: ${count(repeats)} of each variant, prompt and seed${notes}.`;
}

function planNote(load: Load): string {
  const steps = sweepSteps(load);
  if (steps !== null) return ` × ${loadsWords(steps, load)}`;
  return load.mode === 'open' && load.stages.at(-1)?.forMs !== null
    ? ', repeated with fresh seeds while takes arrive'
    : '';
}
