import type { Analysis } from '../../../analysis/analysis.ts';
import { noteWords } from '../../../analysis/note.ts';
import type { FlaggedSummary, Measure, MedianLatency, RunSummary, ShardSummary } from '../../../analysis/summaries.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { variantNames } from '../../../kit/names.ts';
import { flagWords } from '../../../kit/outcome-words.ts';
import {
  count,
  type DurationUnit,
  duration,
  durationInterval,
  elapsed,
  plural,
  shareInterval,
} from '../../../kit/wording.ts';
import { clockTime } from '../../../markup/clock-time.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { latencyUnits } from '../../../report/statement.ts';
import { scrollingTable } from '../../markup/tables.ts';

export function flaggedTable(analysis: Analysis): Markup | false {
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
  flagged.map((each) => flaggedRow(each, stepped, unitOf(each.variant))),
  'plain steps',
)}</details>`
  );
}

function flaggedRow(each: FlaggedSummary, stepped: boolean, unit: DurationUnit): Markup {
  const flags = Object.entries(each.flags).map(([flag, takes]) => `${flagWords(flag)}: ${count(takes)}`);
  return html`<tr><th scope="row">${each.variant}</th>${stepped && html`<td class="number">${each.step === null ? '–' : count(each.step)}</td>`}
<td>${flags.join(', ')}</td><td class="number">${count(each.samples)} of ${count(each.ofSamples)}</td>
<td class="number">${count(each.blocks)} of ${count(each.ofBlocks)}</td>${median(each.withFlagged, unit)}${median(each.withoutFlagged, unit)}
<td>${agreement(each.agree)}</td></tr>
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

const NAMES: Readonly<Record<string, string>> = { error_rate: 'errors', block_rate: 'blocked' };

/** Rates for other prompts: their intervals are wider than those of the tables. */
export function otherPrompts({ measures, variants: all }: Analysis): Markup | false {
  const found = measures.filter(({ statistic, n }) => statistic === 'rate_other_prompts' && n > 0);
  return (
    found.length > 0 &&
    html`<details class="fold"><summary>Rates for other prompts</summary>
<p class="note">The intervals in the tables are for these prompts only. The 95 % intervals below are for other prompts like these.</p>
<dl class="pairs rates">${alike(found).map(([rates, variants]) => html`<div><dt>${rates}</dt><dd>${variantNames(variants, all.length)}</dd></div>`)}</dl></details>`
  );
}

function alike(found: readonly Measure[]): readonly (readonly [rates: string, variants: readonly string[]])[] {
  const said = [...groupBy(found, ({ variant }) => variant)].map(([variant, own]) => ({
    variant,
    rates: own.map((measure) => `${NAMES[measure.metric] ?? measure.metric} ${intervalWords(measure)}`).join(', '),
  }));
  return [...groupBy(said, ({ rates }) => rates)].map(
    ([rates, group]) => [rates, group.map(({ variant }) => variant)] as const,
  );
}

function intervalWords({ ciLow, ciHigh, notes }: Measure): string {
  return ciLow === null || ciHigh === null ? noteWords(notes) : shareInterval(ciLow, ciHigh);
}

export function shardsTable({ shards }: RunSummary): Markup | false {
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
