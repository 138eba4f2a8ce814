import type { Analysis } from '../../../analysis/analysis.ts';
import { UNIT_NOUNS } from '../../../analysis/note.ts';
import type { UnitKind } from '../../../analysis/pair-units.ts';
import type { RunSummary, ShardSummary } from '../../../analysis/summaries.ts';
import { bytes, count, duration, elapsed, plural, significant } from '../../../kit/wording.ts';
import { clockTime } from '../../../markup/document.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { table } from '../../../markup/table.ts';
import type { Calibration } from '../../../record/calibration.ts';
import type { LoopDelay } from '../../../record/journal.ts';
import type { RunTogether } from '../../../record/run.ts';
import {
  arrivalsWords,
  loadsWords,
  orderWords,
  partsNote,
  sentWords,
  stagesWords,
} from '../../../report/run-statement.ts';
import type { Load } from '../../../suite/load.ts';
import { sweepSteps } from '../../../suite/sweep.ts';
import { definedIn, section } from '../../markup/section.ts';

export function methodSection(analysis: Analysis): Markup {
  const { run } = analysis;
  const { load, seeds, repeats } = run.plan;
  return section({
    anchor: 'method',
    title: 'What was measured, and how',
    content: html`<p class="note">Every interval is for these prompts in this run and assumes independent takes; it is wider where takes depend on each other. ${definedIn('measures.csv', 'comparisons.csv', 'How far to trust a number')}</p>
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
      ['Timestamp thread', loopDelay(run.loopDelay)],
      ['Noise floor', `${run.shards === null ? '' : 'the largest of all shards: '}${noiseFloor(run.calibration)}`],
      [
        'Commit',
        run.git === null
          ? 'not in a git checkout'
          : `${run.git.commit.slice(0, 12)}${run.git.dirty ? ', with uncommitted changes' : ''}`,
      ],
      ['Started', clockTime(run.startedAt)],
    ])}</dl></div></div></details>
${shardsTable(run)}
<p class="note">${ELSEWHERE}</p>`,
  });
}

const ELSEWHERE =
  'Not in this page: every measure, overall and by prompt (measures.csv), speed by prompt and tag (comparisons.csv), every take with its flags (samples.csv), the targets and the latencies without flagged takes (analysis.json).';

/** A merged run refers to the table of shards, which has the machines. */
function machine({ machine: { retake, node, undici, sharp, nodeAv, ...host }, shards }: RunSummary): Pairs {
  if (shards !== null)
    return [
      ['Measured by', `Retake ${retake}, in ${plural(shards.merged.length, 'shard')}: see below`],
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

function loopDelay(delay: LoopDelay | null): string {
  if (delay === null) return 'event-loop delay not measured';
  const ms = (value: number): string => `${significant(value)} ms`;
  return `event-loop delay: p50 ${ms(delay.p50Ms)}, p99 ${ms(delay.p99Ms)}, at most ${ms(delay.maxMs)}`;
}

type Pairs = readonly (readonly [name: string, value: string | Markup])[];

function pairs(entries: Pairs): Markup {
  return html`${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}`;
}

function noiseFloor(calibration: Calibration | null): string {
  if (calibration === null) return 'not measured';
  const { floorMs, tookMs, measures } = calibration;
  const trips = [
    ['round trip', measures.roundTrip],
    ['with 1.5 MB', measures.mediaRoundTrip],
  ] as const;
  const tripWords = trips.map(
    ([name, { p50, p95, max }]) =>
      `${name} p50 ${duration(p50)}, ${p95 === null ? `at most ${duration(max)}` : `p95 ${duration(p95)}`}`,
  );
  const { p50, p99, max } = measures.eventLoopDelay;
  const wake = `an idle thread wakes ${duration(p50)} late, ${p99 === null ? `at most ${duration(max)}` : `p99 ${duration(p99)}`}`;
  return `${duration(floorMs)}: two takes that differ by less may differ because of this machine. Loopback ${tripWords.join('; ')}; ${wake}. Measured in ${duration(tookMs)} before the first request`;
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

function shardsTable({ shards }: RunSummary): Markup | false {
  return (
    shards !== null &&
    html`<details class="fold"><summary>Shards</summary>
<p class="note">Each shard was measured by its own process, usually on its own machine. Start times are from that machine's clock; no
duration mixes two clocks.</p>
${table<ShardSummary>({
  label: 'Shards',
  as: 'scroll',
  columns: [
    { head: 'Shard', cell: ({ index }) => count(index) },
    { head: 'Started', cell: ({ startedAt }) => clockTime(startedAt) },
    { head: 'Took', number: true, cell: ({ durationMs }) => (durationMs === null ? '–' : elapsed(durationMs)) },
    { head: 'In flight at most', number: true, cell: ({ concurrency }) => count(concurrency) },
    { head: 'Processor', cell: ({ machine: { cpu, cores } }) => `${cpu}, ${plural(cores, 'core')}` },
    { head: 'System', cell: ({ machine: { os, arch } }) => `${os}, ${arch}` },
    {
      head: 'Versions',
      cell: ({ machine: { node, undici, sharp } }) => `Node ${node}, undici ${undici}, sharp ${sharp}`,
    },
    { head: 'Noise floor', number: true, cell: ({ floorMs }) => (floorMs === null ? '–' : duration(floorMs)) },
  ],
  rows: shards.merged,
})}</details>`
  );
}

const RATIO_OF: Readonly<Record<UnitKind, string>> = {
  blocks: 'a pair of takes (the same prompt, seed and repeat)',
  rounds: 'a group of pairs (a few prompts and seeds that all variants take in turn), the median over its pairs',
  cells: 'a pair (the same prompt and seed), the median over its takes',
  prompts: 'a prompt, the mean over its pairs',
};

/** In plain words; the number is not the median of the ratios. */
export function estimatorWords(units: UnitKind): string {
  return `the typical ratio of latencies in ${RATIO_OF[units]}. It is the Hodges-Lehmann estimate: each ${plural(2, UNIT_NOUNS[units])} have a mean ratio, and the estimate is the median of these means`;
}
