import * as Plot from '@observablehq/plot';
import type { Analysis, EffectiveSample, VariantSummary } from '../../../../analysis/analysis.ts';
import type { Load } from '../../../../suite/format/suite.ts';
import { count, type DurationUnit, duration } from '../../../../text/quantity.ts';
import { clipped } from '../../../../text/text-width.ts';
import { latencyUnits } from '../../../statements/latency-unit.ts';
import { byKind, measuresOf } from '../../../statements/statement.ts';
import { sweepSteps } from '../../../words/run/load-words.ts';
import { linearAxis } from '../../drawing/axis.ts';
import { dotMarks } from '../../drawing/dots.ts';
import { foldedRows, rankedVariants } from '../../drawing/folded-rows.ts';
import {
  LONGEST_NAME,
  layOutRows,
  rowLabels,
  rowsChart,
  spanOf,
  wordsAtSide,
  wordsBeside,
} from '../../drawing/rows-chart.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { forEachWidth, isNarrow } from '../../markup/responsive.ts';
import { type DriftPoint, driftPoints, type Stretch, slowedTimes, stagesOf, stretchesOf } from './stretches.ts';

const LAYOUT = layOutRows(48, 16);
/** The base line of a row: what its heights are from. */
const base = LAYOUT.bottom;

/** When each take ran and how long, a row for each variant: drift, waves of failures and pauses show here. */
export function timelineSection(analysis: Analysis, samples: readonly EffectiveSample[], marks: VariantMarks): Markup {
  const { load } = analysis.run.plan;
  const measures = measuresOf(analysis);
  const variants = byKind(analysis.variants).flatMap(([, own]) => rankedVariants(own, measures, load));
  const stretches = stretchesOf(variants, samples, load);
  const unitOf = latencyUnits(analysis);
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
    driftPoints(stretches).length > 0 && ' The line is the median of nine takes in a row.'
  }${stretches.some(({ late }) => late) && ' A ring: this machine may have taken a timestamp late.'}${
    stretches.some(({ again }) => again) && ' A triangle below the base line: sent again after the service refused it.'
  }${
    load.mode === 'open' &&
    html` Each take is drawn from when it was due to its end; strokes below the base line are dropped starts${load.stages.length > 1 && '; vertical lines show where the rate of arrivals changes'}.`
  }${sweepSteps(load) !== null && html` In a sweep, concurrency changes along a row, and latency with it.`}${
    slowed > 0 &&
    html` Bars below the base line: the service refused requests (rate limit), so fewer were sent at once than declared.`
  }${analysis.run.shards !== null && html` Takes of each shard are placed by the clock of its machine.`}</p>
${foldedRows(variants, 1, (rows) => {
  const own = rows.length === variants.length ? stretches : stretchesOf(rows, samples, load);
  return forEachWidth({ marks: stretches.length, isSweep: false, scrollLabel: label }, (width) =>
    plot(label, rows, { stretches: own, endMs, load, marks, unitOf }, width),
  );
})}
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
    unitOf,
  }: {
    readonly stretches: readonly Stretch[];
    readonly endMs: number;
    readonly load: Load;
    readonly marks: VariantMarks;
    readonly unitOf: (variant: string) => DurationUnit;
  },
  width: number,
): Markup {
  const slowest = variants.map(() => 0);
  for (const { row, totalMs, state } of stretches) {
    if (state === 'delivered') slowest[row] = Math.max(slowest[row] ?? 0, totalMs);
  }
  const axis = linearAxis(end, isNarrow(width) ? 4 : 8);
  const scales = slowest.map((most) => linearAxis(most, 2));
  const y = ({ row, totalMs }: Pick<Stretch, 'row' | 'totalMs'>): number =>
    base(row) - Math.min(1, scales[row]?.place(totalMs) ?? 0) * LAYOUT.bandHeight;
  const stages = load.mode === 'open' ? stagesOf(load, variants.length, stretches) : [];
  const rows = variants.map(({ name }, row) => ({
    row,
    mark: marks(name),
    name: clipped(name, isNarrow(width) ? LONGEST_NAME.narrow : LONGEST_NAME.wide),
    words: tallyOf(row, stretches, unitOf(name)),
  }));
  const levels = scales.flatMap((scale, row) =>
    scale.ticks
      .slice(1)
      .map((tick) => ({ y: base(row) - scale.place(tick) * LAYOUT.bandHeight, words: scale.format(tick) })),
  );
  return rowsChart(label, axis, { width, rowsHeight: variants.length * LAYOUT.rowHeight }, [
    Plot.ruleY(levels, { y: 'y', stroke: 'var(--line)', strokeDasharray: '2 3' }),
    Plot.ruleY(rows, { y: (d) => base(d.row), stroke: 'var(--rule)' }),
    ...driftMarks(stretches, y, (row) => rows[row]?.mark.fill ?? 'var(--dot)'),
    ...callMarks(stretches, y, (row) => rows[row]?.mark.fill ?? 'var(--dot)', (LEAST_LINE * end) / spanOf(width)),
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

/** A line for each row through the median of takes that follow each other. */
function driftMarks(
  stretches: readonly Stretch[],
  y: (point: DriftPoint) => number,
  fillOf: (row: number) => string,
): readonly Plot.Markish[] {
  return [
    Plot.line(driftPoints(stretches), {
      x: 'atMs',
      y,
      z: 'line',
      stroke: ({ row }: DriftPoint) => fillOf(row),
      strokeWidth: 1.5,
      strokeOpacity: 0.5,
    }),
  ];
}

/** In pixels: a shorter line lies below the dot at its end, and is not drawn. */
const LEAST_LINE = 1.5;

/** Calls that were delivered, at the height of their latency; hollow those of warm-ups and probes. */
function callMarks(
  stretches: readonly Stretch[],
  y: (stretch: Stretch) => number,
  fillOf: (row: number) => string,
  leastMs: number,
): readonly Plot.Markish[] {
  const fill = ({ row }: Stretch): string => fillOf(row);
  const delivered = stretches.filter(({ state }) => state === 'delivered');
  const warmups = stretches.filter(({ state }) => state === 'warmup');
  return [
    Plot.link(
      delivered.filter(({ startMs, endMs }) => endMs - startMs >= leastMs),
      {
        x1: 'startMs',
        x2: 'endMs',
        y1: y,
        y2: y,
        stroke: fill,
        strokeWidth: 1.5,
        strokeOpacity: 0.55,
      },
    ),
    ...dotMarks(
      delivered.map((stretch) => ({ x: stretch.endMs, y: y(stretch), fill: fill(stretch) })),
      { r: 2.2, opacity: 0.8 },
    ),
    Plot.dot(
      delivered.filter(({ late }) => late),
      { x: 'endMs', y, r: 4.5, fill: 'none', stroke: 'var(--warn)', strokeWidth: 1.25 },
    ),
    Plot.dot(
      stretches.filter(({ again }) => again),
      { x: 'startMs', y: (d) => base(d.row) + 10, r: 2.5, symbol: 'triangle', fill: 'var(--warn)' },
    ),
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

function tallyOf(row: number, stretches: readonly Stretch[], unit: DurationUnit): string {
  const own = stretches.filter((stretch) => stretch.row === row && stretch.state !== 'warmup');
  const failed = own.filter(({ state }) => state === 'failed').length;
  const dropped = own.filter(({ state }) => state === 'dropped').length;
  const slowed = own.filter((each) => each.slowed).length;
  const slowest = own.reduce((most, { state, totalMs }) => (state === 'delivered' ? Math.max(most, totalMs) : most), 0);
  const words = [
    slowest > 0 ? `slowest ${duration(slowest, unit)}` : '',
    failed > 0 ? `${count(failed)} failed` : '',
    dropped > 0 ? `${count(dropped)} dropped` : '',
    slowed > 0 ? `${count(slowed)} slowed` : '',
  ];
  return words.filter((word) => word !== '').join('   ');
}
