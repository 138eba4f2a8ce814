import * as Plot from '@observablehq/plot';
import type { Analysis, EffectiveSample, VariantSummary } from '../../../../analysis/analysis.ts';
import { SLOWED } from '../../../../analysis/samples/bent.ts';
import { headlineMs } from '../../../../analysis/samples/headline.ts';
import { isMeasured } from '../../../../plan/trial.ts';
import { beganMs, type Outcome } from '../../../../record/model/sample.ts';
import type { Load, OpenLoad } from '../../../../suite/format/suite.ts';
import { count, duration } from '../../../../text/quantity.ts';
import { clipped } from '../../../../text/text-width.ts';
import { epochMs } from '../../../../text/wall-clock.ts';
import { byKind, measuresOf } from '../../../statements/statement.ts';
import { rateWords, sweepSteps } from '../../../words/load-words.ts';
import { linearAxis } from '../../drawing/axis.ts';
import { foldedRows, rankedVariants } from '../../drawing/folded-rows.ts';
import { LONGEST_NAME, layOutRows, rowLabels, rowsChart, wordsAtSide, wordsBeside } from '../../drawing/rows-chart.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { forEachWidth, isNarrow } from '../../markup/responsive.ts';

const LAYOUT = layOutRows(48, 16);
/** The base line of a row: what its heights are from. */
const base = LAYOUT.bottom;

/** A request on the run's time line. */
interface Stretch {
  readonly row: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly totalMs: number;
  readonly state: 'delivered' | 'warmup' | 'failed' | 'dropped';
  /** Fewer were in flight than declared when it began, since the service refused requests. */
  readonly slowed: boolean;
}

/** A time in which all starts of a row were slowed. */
interface SlowedTime {
  readonly row: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** When each take ran and how long, a row for each variant: drift, waves of failures and pauses show here. */
export function timelineSection(analysis: Analysis, samples: readonly EffectiveSample[], marks: VariantMarks): Markup {
  const { load } = analysis.run.plan;
  const measures = measuresOf(analysis);
  const variants = byKind(analysis.variants).flatMap(([, own]) => rankedVariants(own, measures, load));
  const stretches = stretchesOf(variants, samples, load);
  const endMs = stretches.reduce((most, stretch) => Math.max(most, stretch.endMs), 0);
  const failed = stretches.filter(({ state }) => state === 'failed').length;
  const dropped = stretches.filter(({ state }) => state === 'dropped').length;
  const slowed = stretches.filter((each) => each.slowed).length;
  const lost = `${dropped === 0 ? '' : `, ${count(dropped)} dropped`}${slowed === 0 ? '' : `, ${count(slowed)} with a slowed start`}`;
  const label = `Timeline of ${count(stretches.length)} requests, a row for each variant, ${count(failed)} failed${lost}`;
  return html`<section id="timeline" aria-labelledby="timeline-title">
<h3 id="timeline-title">Timeline of the run</h3>
<p class="note">Left to right: when each take ran. Height: its latency, on the scale of its row, from zero; a variant that
slows down climbs. Open circles are warm-ups and probes; those slower than every take are at the upper edge. Crosses on the base line are failures, with their duration where it is known.${
    load.mode === 'open' &&
    html` Each take is drawn from when it was due to its end; strokes below the base line are dropped starts${load.stages.length > 1 && '; vertical lines show where the rate of arrivals changes'}.`
  }${sweepSteps(load) !== null && html` In a sweep, concurrency changes along a row, and latency with it.`}${
    slowed > 0 &&
    html` Bars below the base line: the service refused requests (rate limit), so fewer were sent at once than declared.`
  }${analysis.run.shards !== null && html` Takes of each shard are placed by the clock of its machine.`}</p>
${
  stretches.length === 0
    ? html`<p class="empty">Nothing was sent.</p>`
    : foldedRows(variants, 1, (rows) => {
        const own = rows.length === variants.length ? stretches : stretchesOf(rows, samples, load);
        return forEachWidth({ marks: stretches.length, isSweep: false, scrollLabel: label }, (width) =>
          plot(label, rows, { stretches: own, endMs, load, marks }, width),
        );
      })
}
</section>`;
}

function plot(
  label: string,
  variants: readonly VariantSummary[],
  {
    stretches,
    endMs: end,
    load,
    marks,
  }: {
    readonly stretches: readonly Stretch[];
    readonly endMs: number;
    readonly load: Load;
    readonly marks: VariantMarks;
  },
  width: number,
): Markup {
  const slowest = variants.map(() => 0);
  for (const { row, totalMs, state } of stretches) {
    if (state === 'delivered') slowest[row] = Math.max(slowest[row] ?? 0, totalMs);
  }
  const axis = linearAxis(end, isNarrow(width) ? 4 : 8);
  const scales = slowest.map((most) => linearAxis(most, 2));
  const y = ({ row, totalMs }: Stretch): number =>
    base(row) - Math.min(1, scales[row]?.place(totalMs) ?? 0) * LAYOUT.bandHeight;
  const stages = load.mode === 'open' ? stagesOf(load, variants.length, stretches) : [];
  const rows = variants.map(({ name }, row) => ({
    row,
    mark: marks(name),
    name: clipped(name, isNarrow(width) ? LONGEST_NAME.narrow : LONGEST_NAME.wide),
    words: tallyOf(row, stretches),
  }));
  const levels = scales.flatMap((scale, row) =>
    scale.ticks
      .slice(1)
      .map((tick) => ({ y: base(row) - scale.place(tick) * LAYOUT.bandHeight, words: scale.format(tick) })),
  );
  return rowsChart(label, axis, { width, rowsHeight: variants.length * LAYOUT.rowHeight }, [
    Plot.ruleY(levels, { y: 'y', stroke: 'var(--line)', strokeDasharray: '2 3' }),
    Plot.ruleY(rows, { y: (d) => base(d.row), stroke: 'var(--rule)' }),
    ...callMarks(stretches, y, (row) => rows[row]?.mark.fill ?? 'var(--dot)'),
    ...lossMarks(stretches),
    Plot.link(slowedTimes(stretches), {
      x1: 'startMs',
      x2: 'endMs',
      y1: (d) => base(d.row) + 6,
      y2: (d) => base(d.row) + 6,
      stroke: 'var(--warn)',
      strokeWidth: 4,
    }),
    Plot.link(stages, {
      x1: 'atMs',
      x2: 'atMs',
      y1: (d) => LAYOUT.top(d.row),
      y2: (d) => base(d.row),
      stroke: 'var(--rule)',
      strokeDasharray: '3 2',
    }),
    wordsBeside(stages, { x: 'atMs', y: (d) => LAYOUT.top(d.row) + 4, text: 'words' }),
    wordsAtSide('left', levels, { y: 'y', text: 'words', fontSize: 10 }),
    ...rowLabels(rows, LAYOUT.rowHeight),
  ]);
}

/** Calls that were delivered, at the height of their latency; hollow those of warm-ups and probes. */
function callMarks(
  stretches: readonly Stretch[],
  y: (stretch: Stretch) => number,
  fillOf: (row: number) => string,
): readonly Plot.Markish[] {
  const fill = ({ row }: Stretch): string => fillOf(row);
  const delivered = stretches.filter(({ state }) => state === 'delivered');
  const warmups = stretches.filter(({ state }) => state === 'warmup');
  return [
    Plot.link(delivered, {
      x1: 'startMs',
      x2: 'endMs',
      y1: y,
      y2: y,
      stroke: fill,
      strokeWidth: 1.5,
      strokeOpacity: 0.55,
    }),
    Plot.dot(delivered, { x: 'endMs', y, r: 2.2, fill, fillOpacity: 0.8 }),
    Plot.link(warmups, { x1: 'startMs', x2: 'endMs', y1: y, y2: y, stroke: 'var(--muted)', strokeDasharray: '2 2' }),
    Plot.dot(warmups, { x: 'endMs', y, r: 3, fill: 'var(--page)', stroke: 'var(--muted)' }),
  ];
}

/** On the base line what failed, below it what was dropped. */
function lossMarks(stretches: readonly Stretch[]): readonly Plot.Markish[] {
  const failures = stretches.filter(({ state }) => state === 'failed');
  const dropped = stretches.filter(({ state }) => state === 'dropped');
  return [
    Plot.link(failures, {
      x1: 'startMs',
      x2: 'endMs',
      y1: (d) => base(d.row),
      y2: (d) => base(d.row),
      stroke: 'var(--bad)',
      strokeWidth: 2,
    }),
    Plot.dot(failures, {
      x: 'startMs',
      y: (d) => base(d.row),
      r: 4,
      symbol: 'times',
      stroke: 'var(--bad)',
      strokeWidth: 2,
    }),
    Plot.link(dropped, {
      x1: 'startMs',
      x2: 'startMs',
      y1: (d) => base(d.row) + 3,
      y2: (d) => base(d.row) + 11,
      stroke: 'var(--warn)',
      strokeWidth: 1.5,
    }),
  ];
}

/** From the first start that was slowed to the end of the last, before one that was not; in the order of their starts. */
function slowedTimes(stretches: readonly Stretch[]): readonly SlowedTime[] {
  const times: SlowedTime[] = [];
  const open = new Map<number, SlowedTime>();
  for (const { row, startMs, endMs, slowed } of [...stretches].sort((a, b) => a.startMs - b.startMs)) {
    const before = open.get(row);
    if (slowed) open.set(row, { row, startMs: before?.startMs ?? startMs, endMs: Math.max(before?.endMs ?? 0, endMs) });
    else if (before !== undefined) {
      times.push({ ...before, endMs: Math.min(before.endMs, startMs) });
      open.delete(row);
    }
  }
  return [...times, ...open.values()];
}

function tallyOf(row: number, stretches: readonly Stretch[]): string {
  const own = stretches.filter((stretch) => stretch.row === row && stretch.state !== 'warmup');
  const failed = own.filter(({ state }) => state === 'failed').length;
  const dropped = own.filter(({ state }) => state === 'dropped').length;
  const slowed = own.filter((each) => each.slowed).length;
  const slowest = own.reduce((most, { state, totalMs }) => (state === 'delivered' ? Math.max(most, totalMs) : most), 0);
  const words = [
    slowest > 0 ? `slowest ${duration(slowest)}` : '',
    failed > 0 ? `${count(failed)} failed` : '',
    dropped > 0 ? `${count(dropped)} dropped` : '',
    slowed > 0 ? `${count(slowed)} slowed` : '',
  ];
  return words.filter((word) => word !== '').join('   ');
}

/**
 * Each process of a run has a clock of its own, so requests are placed by the wall-clock time of their start; how long
 * they took is from the monotonic clock.
 */
function stretchesOf(
  variants: readonly VariantSummary[],
  samples: readonly EffectiveSample[],
  load: Load,
): readonly Stretch[] {
  const rows = new Map(variants.map((variant, row) => [variant.name, { row, timeoutMs: variant.timeoutMs }]));
  const starts = samples.map(({ sample }) => epochMs(sample.scheduledAt));
  let origin = Number.POSITIVE_INFINITY;
  for (const start of starts) if (start !== null && start < origin) origin = start;
  return samples.flatMap((effective, index): readonly Stretch[] => {
    const variant = rows.get(effective.sample.trial.variant);
    const start = starts[index] ?? null;
    if (variant === undefined || start === null) return [];
    const warmup = !isMeasured(effective.sample.trial);
    const known = warmup ? effective.timings.totalMs : headlineMs(effective, load);
    const totalMs = known ?? tookMs(effective, variant.timeoutMs);
    const state = stateOf(effective.outcome, warmup);
    const slowed = effective.flags.includes(SLOWED);
    return [{ row: variant.row, startMs: start - origin, endMs: start - origin + totalMs, totalMs, state, slowed }];
  });
}

function stateOf(outcome: Outcome, warmup: boolean): Stretch['state'] {
  if (outcome === 'dropped') return 'dropped';
  if (outcome !== 'ok') return 'failed';
  return warmup ? 'warmup' : 'delivered';
}

/** Where each row's rate of arrivals changes, and what it is from there on; nothing where it never does. */
function stagesOf(
  { stages }: OpenLoad,
  rows: number,
  stretches: readonly Stretch[],
): readonly { readonly row: number; readonly atMs: number; readonly words: string }[] {
  if (stages.length < 2) return [];
  return Array.from({ length: rows }, (_, row) => row).flatMap((row) => {
    let atMs = Number.POSITIVE_INFINITY;
    for (const { row: own, state, startMs } of stretches) {
      if (own === row && state !== 'warmup') atMs = Math.min(atMs, startMs);
    }
    if (atMs === Number.POSITIVE_INFINITY) return [];
    return stages.map((stage) => {
      const placed = { row, atMs, words: rateWords(stage) };
      atMs += stage.forMs ?? 0;
      return placed;
    });
  });
}

/** How long a failure took: to its time-out, else to the last mark it reached. */
function tookMs({ sample, outcome }: EffectiveSample, timeoutMs: number): number {
  if (outcome === 'timed_out') return timeoutMs;
  const began = beganMs(sample);
  return Math.max(began, ...Object.values(sample.marks)) - began;
}
