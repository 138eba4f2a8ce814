import type { Analysis } from '../../../analysis/analysis.ts';
import { stateWords, verdictSentence } from '../../../gate/run-state.ts';
import type { Verdict } from '../../../gate/verdict.ts';
import { KIND_NAMES, proxyWords } from '../../../kit/names.ts';
import { capital, count, listed, plural } from '../../../kit/wording.ts';
import { toned } from '../../../markup/document.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import {
  completeness,
  isWhole,
  loadsWords,
  loadWords,
  looksSentence,
  partsNote,
  spendSentence,
  tookWords,
} from '../../../report/run-statement.ts';
import { byKind } from '../../../report/statement.ts';
import type { Load } from '../../../suite/load.ts';
import { sweepSteps } from '../../../suite/sweep.ts';
import { section } from '../../markup/section.ts';

export function runSection(analysis: Analysis, verdict: Verdict): Markup {
  const { run } = analysis;
  const looks = looksSentence(verdict);
  const spent = spendSentence(analysis);
  const [state = '', went = ''] = completeness(analysis).split(/: (.*)/);
  const leftOut = analysis.warnings.filter(({ code }) => code === 'variants_left_out');
  return section({
    anchor: 'run',
    title: 'The run',
    note: run.description,
    content: html`<p class="meta"><span>${run.id}</span>${run.label !== null && html`<span>${run.label}</span>`}${run.vantage !== undefined && html`<span>sent from ${run.vantage}</span>`}${proxyWords(analysis.variants).map((words) => html`<span>${words}</span>`)}<span>Retake ${run.machine.retake}</span></p>
<dl class="facts">
<div><dt>Verdict</dt><dd>${toned(stateWords(verdict))}
<p>${verdictSentence(verdict, analysis)}.${looks !== null && ` ${looks}.`}</p></dd></div>
<div><dt>Run</dt><dd>${toned({ words: state, tone: state === 'Incomplete' ? 'bad' : isWhole(analysis) && leftOut.length === 0 ? 'good' : 'warn' })}
<p>${[went, ...leftOut.map(({ what }) => what)].map((words) => `${capital(words)}. `)}</p></dd></div>
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
