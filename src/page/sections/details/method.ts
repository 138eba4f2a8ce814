import type { Analysis } from '../../../analysis/analysis.ts';
import { noteWords } from '../../../analysis/note.ts';
import type { Measure, RunSummary } from '../../../analysis/summaries.ts';
import { bytes, count, duration, plural, significant } from '../../../kit/wording.ts';
import { clockTime } from '../../../markup/clock-time.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import type { Calibration } from '../../../record/calibration.ts';
import type { LoopDelay } from '../../../record/journal.ts';
import type { RunTogether } from '../../../record/run.ts';
import {
  arrivalsWords,
  orderWords,
  partsNote,
  sentWords,
  stagesWords,
  stepsWords,
  sweepSteps,
} from '../../../report/load-words.ts';
import { UNIT_WORDS } from '../../../report/method-words.ts';
import type { Load } from '../../../suite/load.ts';
import { definedIn, section } from '../../markup/section.ts';
import { scrollingTable } from '../../markup/tables.ts';
import { flaggedTable, otherPrompts, shardsTable } from './method-tables.ts';

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
        const own = variants.filter((variant) => variant.target === target.id);
        const each = (pick: (variant: (typeof own)[number]) => string): string =>
          [...new Set(own.map(pick))].join(', ');
        return html`<tr><th scope="row">${target.id}</th><td>${each(({ name }) => name)}</td><td>${each(({ baseUrl }) => baseUrl)}</td>
<td>${each(({ seedClaim }) => seedClaim)}</td><td>${target.file}<small><code>${target.digest.slice(0, 16)}</code></small></td></tr>`;
      }),
    )}</details>
${otherPrompts(analysis)}
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

/** Empty of a merged run: the table of shards has it. */
function machine({ machine: { retake, node, undici, sharp, nodeAv, ...own }, shards }: RunSummary): Pairs {
  if (shards !== null)
    return [
      ['Measured by', `Retake ${retake}, in ${plural(shards.merged.length, 'shard')}: see below`],
      ...inStep(shards.together),
    ];
  const video = nodeAv === null ? '' : `, node-av ${nodeAv}`;
  return [
    ['Processor', `${own.cpu}, ${plural(own.cores, 'core')}, ${bytes(own.memoryBytes)}`],
    ['System', `${own.os}, ${own.arch}`],
    ['Versions', `Retake ${retake}, Node ${node}, undici ${undici}, sharp ${sharp}${video}`],
  ];
}

function inStep(together: RunTogether | undefined): Pairs {
  if (together === undefined) return [];
  const { p50, most } = together.spreadMs;
  const within = p50 === null || most === null ? '' : `, within ${duration(p50)} (p50; at most ${duration(most)})`;
  return [['In step', `the workers of a fleet began ${plural(together.slices, 'slice')} together${within}`]];
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
      steps === null ? `closed load, at most ${count(load.concurrency)}` : `a sweep over ${stepsWords(steps)}`,
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
  const each = trips.map(
    ([name, { p50, p95, max }]) =>
      `${name} p50 ${duration(p50)}, ${p95 === null ? `at most ${duration(max)}` : `p95 ${duration(p95)}`}`,
  );
  const { p50, p99, max } = measures.eventLoopDelay;
  const wake = `an idle thread wakes ${duration(p50)} late, ${p99 === null ? `at most ${duration(max)}` : `p99 ${duration(p99)}`}`;
  return `${duration(floorMs)}: two calls that differ by less may differ because of this machine. Loopback ${each.join('; ')}; ${wake}. Measured in ${duration(tookMs)} before the first request`;
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
