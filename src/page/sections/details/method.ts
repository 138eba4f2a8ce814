import type { Analysis } from '../../../analysis/analysis.ts';
import { noteWords, UNIT_NOUNS } from '../../../analysis/note.ts';
import type { UnitKind } from '../../../analysis/pair-units.ts';
import type { FlaggedSummary, Measure, MedianLatency, RunSummary, ShardSummary } from '../../../analysis/summaries.ts';
import { flagWords } from '../../../kit/outcome-words.ts';
import type { Unit } from '../../../kit/value-words.ts';
import {
  bytes,
  count,
  type DurationUnit,
  duration,
  durationInterval,
  elapsed,
  plural,
  significant,
} from '../../../kit/wording.ts';
import { clockTime } from '../../../markup/document.ts';
import { html, type Markup } from '../../../markup/markup.ts';
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
import { latencyUnits } from '../../../report/statement.ts';
import { type Load, sweepSteps } from '../../../suite/load.ts';
import { definedIn, scrollingTable, section } from '../../markup/section.ts';

export function methodSection(analysis: Analysis): Markup {
  const { run, measures, variants } = analysis;
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
<details class="fold"><summary>${plural(run.targets.length, 'target')}</summary>${scrollingTable(
      'Targets',
      ['Target', 'Variants', 'Base URL', 'Seed claim', 'File, SHA-256'],
      run.targets.map((target) => {
        const ofTarget = variants.filter((variant) => variant.target === target.id);
        const distinct = (pick: (variant: (typeof ofTarget)[number]) => string): string =>
          [...new Set(ofTarget.map(pick))].join(', ');
        return html`<tr><th scope="row">${target.id}</th><td>${distinct(({ name }) => name)}</td><td>${distinct(({ baseUrl }) => baseUrl)}</td>
<td>${distinct(({ seedClaim }) => seedClaim)}</td><td>${target.file}<small><code>${target.digest.slice(0, 16)}</code></small></td></tr>`;
      }),
    )}</details>
${flaggedTable(analysis)}
${everyMeasure(measures)}`,
  });
}

function everyMeasure(measures: readonly Measure[]): Markup | false {
  const overall = measures.filter(({ prompt }) => prompt === null);
  const stepped = overall.some(({ step }) => step !== null);
  return (
    overall.length > 0 &&
    html`<details class="every fold"><summary>Every measure over all prompts (${count(overall.length)})</summary>
<p class="note">measures.csv has these measures, and those of each prompt.</p>
${scrollingTable(
  'Every measure',
  [
    'Variant',
    stepped && { number: 'Concurrency' },
    'Metric',
    'Statistic',
    { number: 'Value' },
    { number: '95 % interval' },
    'Unit',
    { number: 'n' },
    'Note',
  ],
  overall.map(
    (
      measure,
    ) => html`<tr><th scope="row">${measure.variant}</th>${stepped && html`<td class="number">${measure.step === null ? 'all' : count(measure.step)}</td>`}<td><code>${measure.metric}</code></td><td>${measure.statistic}</td>
<td class="number">${number(measure.value)}</td><td class="number">${interval(measure)}</td><td>${UNIT_WORDS[measure.unit]}</td>
<td class="number">${count(measure.n)}</td><td>${noteWords(measure.notes)}</td></tr>
`,
  ),
)}</details>`
  );
}

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

function number(value: number | null): string {
  return value === null ? '–' : significant(value);
}

function interval({ ciLow, ciHigh }: Measure): string {
  return ciLow === null && ciHigh === null ? '–' : `${number(ciLow)} – ${number(ciHigh)}`;
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

function flaggedTable(analysis: Analysis): Markup | false {
  const { flagged } = analysis;
  const unitOf = latencyUnits(analysis);
  const stepped = flagged.some(({ step }) => step !== null);
  return (
    flagged.length > 0 &&
    html`<details class="fold"><summary id="flagged">Flagged takes</summary>
<p class="note">Flagged takes, which something may have distorted, count in every other number here. Where the intervals of p50 with and without them do not overlap, use neither.</p>
${scrollingTable(
  'Flagged takes',
  [
    'Variant',
    stepped && { number: 'Concurrency' },
    'Flags',
    ...['Takes', 'Blocks', 'p50 with them', 'p50 without them'].map((number) => ({ number })),
    'Agreement',
  ],
  flagged.map((summary) => flaggedRow(summary, stepped, unitOf(summary.variant))),
  'plain steps',
)}</details>`
  );
}

function flaggedRow(summary: FlaggedSummary, stepped: boolean, unit: DurationUnit): Markup {
  const flags = Object.entries(summary.flags).map(([flag, takes]) => `${flagWords(flag)}: ${count(takes)}`);
  return html`<tr><th scope="row">${summary.variant}</th>${stepped && html`<td class="number">${summary.step === null ? '–' : count(summary.step)}</td>`}
<td>${flags.join(', ')}</td><td class="number">${count(summary.samples)} of ${count(summary.ofSamples)}</td>
<td class="number">${count(summary.blocks)} of ${count(summary.ofBlocks)}</td>${median(summary.withFlagged, unit)}${median(summary.withoutFlagged, unit)}
<td>${agreement(summary.agree)}</td></tr>
`;
}

function median({ valueMs, lowMs, highMs, n }: MedianLatency, unit: DurationUnit): Markup {
  const interval = lowMs === null ? 'no interval' : `[${rangeWords(lowMs, highMs, unit)}]`;
  return html`<td class="number">${valueMs === null ? '–' : duration(valueMs, unit)}<small>${interval}</small><small>${`n = ${count(n)}`}</small></td>`;
}

function rangeWords(lowMs: number, highMs: number | null, unit: DurationUnit): string {
  return highMs === null ? `above ${duration(lowMs, unit)}` : durationInterval(lowMs, highMs, unit);
}

function agreement(agree: boolean | null): Markup {
  if (agree === null) return html`too few takes`;
  return agree ? html`they agree` : html`<span class="state bad">they disagree</span>`;
}

function shardsTable({ shards }: RunSummary): Markup | false {
  return (
    shards !== null &&
    html`<details class="fold"><summary>Shards</summary>
<p class="note">Each shard was measured by its own process, usually on its own machine. Start times are from that machine's clock; no
duration mixes two clocks.</p>
${scrollingTable(
  'Shards',
  [
    'Shard',
    'Started',
    { number: 'Took' },
    { number: 'In flight at most' },
    'Processor',
    'System',
    'Versions',
    { number: 'Noise floor' },
  ],
  shards.merged.map(shardRow),
)}</details>`
  );
}

function shardRow({ index, startedAt, durationMs, concurrency, machine, floorMs }: ShardSummary): Markup {
  return html`<tr><th scope="row">${count(index)}</th><td>${clockTime(startedAt)}</td><td class="number">${
    durationMs === null ? '–' : elapsed(durationMs)
  }</td><td class="number">${count(concurrency)}</td><td>${machine.cpu}, ${plural(machine.cores, 'core')}</td><td>${machine.os}, ${machine.arch}</td>
<td>Node ${machine.node}, undici ${machine.undici}, sharp ${machine.sharp}</td><td class="number">${floorMs === null ? '–' : duration(floorMs)}</td></tr>
`;
}

const UNIT_WORDS: Readonly<Record<Unit, string>> = {
  ms: 'ms',
  '1': '1',
  '1/s': '1/s',
  usd: 'usd',
  outputs: 'outputs',
  in_flight: 'in flight',
  levels: 'levels',
  levels2: 'levels²',
  mb: 'MB',
  score: 'score',
};

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
