import type { Analysis } from '../../../analysis/analysis.ts';
import { UNIT_NOUNS } from '../../../analysis/note.ts';
import type { UnitKind } from '../../../analysis/pair-units.ts';
import type { RunSummary } from '../../../analysis/summaries.ts';
import { proxyWords } from '../../../kit/names.ts';
import { bytes, count, duration, plural } from '../../../kit/wording.ts';
import { clockTime } from '../../../markup/document.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import type { Calibration } from '../../../record/calibration.ts';
import type { RunTogether } from '../../../record/run.ts';
import {
  arrivalsWords,
  loadsWords,
  orderWords,
  partsNote,
  sentWords,
  spendSentence,
  stagesWords,
} from '../../../report/run-statement.ts';
import type { Load } from '../../../suite/load.ts';
import { sweepSteps } from '../../../suite/sweep.ts';
import { definedIn, section } from '../../markup/section.ts';

export function methodSection(analysis: Analysis): Markup {
  const { run } = analysis;
  const { load, seeds, repeats } = run.plan;
  const spent = spendSentence(analysis);
  return section({
    anchor: 'method',
    title: 'What was measured, and how',
    note: run.description,
    content: html`<p class="meta"><span>${run.id}</span>${run.label !== null && html`<span>${run.label}</span>`}${run.vantage !== undefined && html`<span>sent from ${run.vantage}</span>`}${proxyWords(analysis.variants).map((words) => html`<span>${words}</span>`)}${spent !== null && html`<span>${spent}</span>`}<span>Retake ${run.machine.retake}</span></p>
<p class="note">Every interval is for these prompts in this run and assumes independent takes; it is wider where takes depend on each other. ${definedIn('measures.csv', 'comparisons.csv', 'How far to trust a number')}</p>
<details class="fold"><summary>Load and machine</summary><div class="columns"><div><h4>Load</h4>
<dl class="pairs">${pairs([
      [
        'Takes',
        `${plural(seeds.length, 'seed')} × ${plural(repeats, 'take')} of each prompt and variant${partsNote(run.plan.looks)}`,
      ],
      ...inFlight(load),
      ['Order', `${orderWords(load)}; shuffle: ${load.shuffle}`],
      ['Warm-ups', `${count(load.warmup)} per variant, recorded, used for latency.cold only`],
      ...probes(run),
      ['When rate-limited', load.onThrottle],
      ...storedBaseline(run),
      ['Requests', `${count(run.plan.requests)} planned, ${sentWords(run)}`],
      ['Abandoned requests', abandoned(run.orphans)],
      ['Plan', `${run.plan.digest.slice(0, 16)} (SHA-256)`],
    ])}</dl></div>
<div><h4>Machine</h4>
<dl class="pairs">${pairs([
      ...machine(run),
      ['Noise floor', `${run.shards === null ? '' : 'the largest of all shards: '}${noiseFloor(run.calibration)}`],
      [
        'Commit',
        run.git === null
          ? 'not in a git checkout'
          : `${run.git.commit.slice(0, 12)}${run.git.dirty ? ', with uncommitted changes' : ''}`,
      ],
      ['Started', clockTime(run.startedAt)],
    ])}</dl></div></div></details>
<p class="note">${ELSEWHERE}</p>`,
  });
}

const ELSEWHERE =
  'Not in this page: every measure, overall and by prompt (measures.csv), speed by prompt and tag (comparisons.csv), every take with its flags (samples.csv), the targets, the machines of shards and the latencies without flagged takes (analysis.json), what calibration measured (run.json).';

function machine({ machine: { retake, node, undici, sharp, nodeAv, ...host }, shards }: RunSummary): Pairs {
  if (shards !== null)
    return [
      [
        'Measured by',
        `Retake ${retake}, in ${plural(shards.merged.length, 'shard')}, whose machines are in analysis.json`,
      ],
      ...inStep(shards.together),
    ];
  const video = nodeAv === null ? '' : `, node-av ${nodeAv}`;
  return [
    ['Processor', `${host.cpu}, ${plural(host.cores, 'core')}, ${bytes(host.memoryBytes)}`],
    ['System', `${host.os}, ${host.arch}`],
    ['Versions', `Retake ${retake}, Node ${node}, undici ${undici}, sharp ${sharp}${video}`],
  ];
}

function inStep(together: RunTogether | undefined): Pairs {
  if (together === undefined) return [];
  const { p50, most } = together.spreadMs;
  const within = p50 === null || most === null ? '' : `, within ${duration(p50)} (p50; at most ${duration(most)})`;
  return [['In step', `the workers of a fleet began ${plural(together.slices, 'group of takes')} together${within}`]];
}

function inFlight(load: Load): Pairs {
  if (load.mode === 'open') {
    return [
      ['Arrivals', `open load, ${arrivalsWords(load)}: ${stagesWords(load)}; replies do not delay them`],
      ['Ceiling', `${count(load.concurrency)} in flight; a start above it is dropped and counted`],
    ];
  }
  const steps = sweepSteps(load);
  return [
    [
      'Concurrency',
      steps === null ? `closed load, at most ${count(load.concurrency)}` : `a sweep over ${loadsWords(steps, load)}`,
    ],
  ];
}

function abandoned(orphans: number | null): string {
  if (orphans === null) return 'not counted';
  return orphans === 0 ? 'none' : `${count(orphans)}, which may still have run at the service`;
}

type Pairs = readonly (readonly [name: string, value: string | Markup])[];

function pairs(entries: Pairs): Markup {
  return html`${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}`;
}

function noiseFloor(calibration: Calibration | null): string {
  if (calibration === null) return 'not measured';
  return `${duration(calibration.floorMs)}: two takes that differ by less may differ because of this machine`;
}

function storedBaseline({ against }: RunSummary): Pairs {
  if (against === null) return [];
  return [['Stored baseline', `run ${against.run} of ${against.createdAt}: its variants, sent again in this run`]];
}

function probes({ plan }: RunSummary): Pairs {
  if (plan.probes === null) return [];
  const { kinds, trials, nonce } = plan.probes;
  const drawn = kinds.includes('cache') ? `; seeds of the cache probe drawn from ${nonce}` : '';
  return [['Probes', `${kinds.join(', ')}: ${plural(trials, 'request')}, in no other number${drawn}`]];
}

const RATIO_OF: Readonly<Record<UnitKind, string>> = {
  blocks: 'a pair of takes (the same prompt, seed and repeat)',
  rounds: 'a group of pairs (a few prompts and seeds that all variants take in turn), the median over its pairs',
  cells: 'a pair (the same prompt and seed), the median over its takes',
};

/** In plain words; the number is not the median of the ratios. */
export function estimatorWords(units: UnitKind): string {
  return `the typical ratio of latencies in ${RATIO_OF[units]}. It is the Hodges-Lehmann estimate: each ${plural(2, UNIT_NOUNS[units])} have a mean ratio, and the estimate is the median of these means`;
}
