import type { Analysis } from '../../../analysis/analysis.ts';
import type { EffectiveSample } from '../../../analysis/effective-sample.ts';
import { groupBy } from '../../../analysis/grouping.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { clipped } from '../../../kit/text-width.ts';
import { count, type DurationUnit, duration } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { sweepSteps } from '../../../report/load-words.ts';
import { byKind, latencyUnits, measuresOf } from '../../../report/statement.ts';
import type { Load } from '../../../suite/load.ts';
import { linearAxis } from '../../drawing/axis.ts';
import { dotMarks } from '../../drawing/dots.ts';
import {
  type Across,
  foldedRows,
  LONGEST_NAME,
  layOutRows,
  rankedVariants,
  rowLabels,
  rowsChart,
  SIDE,
  wordsAtLeft,
} from '../../drawing/rows-chart.ts';
import {
  CROSS,
  circle,
  curve,
  forEachWidth,
  group,
  isNarrow,
  level,
  sign,
  upright,
  WRITTEN,
  words,
} from '../../drawing/svg.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { ofKind } from '../../markup/scope.ts';
import { section } from '../../markup/section.ts';
import { driftPoints, type Stretch, slowedTimes, stagesOf, stretchesOf } from './stretches.ts';

const LAYOUT = layOutRows(48, 16);
const base = LAYOUT.bottom;

/** Shows drift, waves of failures and pauses: when each take ran and how long, a row for each variant. */
export function timelineSection(analysis: Analysis, samples: readonly EffectiveSample[], marks: VariantMarks): Markup {
  const { load } = analysis.run.plan;
  const measures = measuresOf(analysis);
  const kinds = byKind(analysis.variants).map(([kind, own]) => [kind, rankedVariants(own, measures, load)] as const);
  const stretches = stretchesOf(
    kinds.flatMap(([, own]) => own),
    samples,
    load,
  );
  const unitOf = latencyUnits(analysis);
  const endMs = stretches.reduce((most, stretch) => Math.max(most, stretch.endMs), 0);
  const slowed = stretches.some((each) => each.slowed);
  return section({
    anchor: 'timeline',
    title: 'Timeline of the run',
    note: 'Left to right: when each take ran. Height: its latency, from zero; a variant that slows down climbs.',
    more: html`The scale is that of the row. Open circles are warm-ups and probes; those slower than every take are at the upper edge. Crosses on the base line are failures, with their duration where it is known.${
      driftPoints(stretches).length > 0 && ' The line is the median of nine takes in a row.'
    }${stretches.some(({ late }) => late) && ' A ring: this machine may have taken a timestamp late.'}${
      stretches.some(({ again }) => again) &&
      ' A triangle below the base line: sent again after the service refused it.'
    }${
      load.mode === 'open' &&
      html` Each take is drawn from when it was due to its end; strokes below the base line are dropped starts${load.stages.length > 1 && '; vertical lines show where the rate of arrivals changes'}.`
    }${sweepSteps(load) !== null && html` In a sweep, concurrency changes along a row, and latency with it.`}${
      slowed &&
      html` Bars below the base line: the service refused requests (rate limit), so fewer were sent at once than declared.`
    }${analysis.run.shards !== null && html` Takes of each shard are placed by the clock of its machine.`}`,
    content: kinds.map(([kind, variants]) => {
      const drawn = kinds.length === 1 ? stretches : stretchesOf(variants, samples, load);
      const label = labelOf(drawn);
      return ofKind(
        kind,
        analysis.variants,
        foldedRows(variants, 1, (rows) => {
          const own = rows.length === variants.length ? drawn : stretchesOf(rows, samples, load);
          return forEachWidth({ marks: drawn.length, isSweep: false, scrollLabel: label }, (width) =>
            plot(label, rows, { stretches: own, endMs, load, marks, unitOf }, width),
          );
        }),
      );
    }),
  });
}

/** `Timeline of 36 requests, a row for each variant, 4 failed`. */
function labelOf(stretches: readonly Stretch[]): string {
  const failed = stretches.filter(({ state }) => state === 'failed').length;
  const dropped = stretches.filter(({ state }) => state === 'dropped').length;
  const slowed = stretches.filter((each) => each.slowed).length;
  const lost = `${dropped === 0 ? '' : `, ${count(dropped)} dropped`}${slowed === 0 ? '' : `, ${count(slowed)} with a slowed start`}`;
  return `Timeline of ${count(stretches.length)} requests, a row for each variant, ${count(failed)} failed${lost}`;
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
  const drawing: TimelineDrawing = { stretches, fillOf: (row) => rows[row]?.mark.fill ?? 'var(--dot)', y };
  return rowsChart(label, axis, { width, rowsHeight: variants.length * LAYOUT.rowHeight }, (x) => [
    group(
      { stroke: 'var(--line)', 'stroke-dasharray': '2 3' },
      levels.map((each) => level(SIDE, width - SIDE, each.y)),
    ),
    group(
      { stroke: 'var(--rule)' },
      rows.map(({ row }) => level(SIDE, width - SIDE, base(row))),
    ),
    driftLines(drawing, x),
    ...callMarks(drawing, x),
    ...lossMarks(stretches, x),
    group(
      { stroke: 'var(--warn)', 'stroke-width': 4 },
      slowedTimes(stretches).map(({ row, startMs, endMs }) => level(x(startMs), x(endMs), base(row) + 6)),
    ),
    group(
      { stroke: 'var(--rule)', 'stroke-dasharray': '3 2' },
      stages.map(({ row, atMs }) => upright(x(atMs), LAYOUT.top(row), base(row))),
    ),
    group(
      { 'text-anchor': 'start', fill: 'var(--muted)', ...WRITTEN },
      stages.map(({ row, atMs, words: text }) => words(x(atMs) + 3, LAYOUT.top(row) + 4, text)),
    ),
    wordsAtLeft(levels),
    ...rowLabels(rows, LAYOUT.rowHeight, width),
  ]);
}

interface TimelineDrawing {
  readonly stretches: readonly Stretch[];
  readonly fillOf: (row: number) => string;
  readonly y: (latency: Pick<Stretch, 'row' | 'totalMs'>) => number;
}

function driftLines({ stretches, fillOf, y }: TimelineDrawing, x: Across): Markup | false {
  const lines = [...groupBy(driftPoints(stretches), ({ line }) => line).values()];
  return group(
    { 'stroke-width': 1.5, 'stroke-opacity': 0.5, 'stroke-linejoin': 'round', 'stroke-linecap': 'round' },
    lines.map((points) =>
      curve(
        points.map((point) => [x(point.atMs), y(point)]),
        { stroke: fillOf(points[0]?.row ?? 0) },
      ),
    ),
  );
}

/** A triangle about (0, 0). */
const WEDGE = 'M0 -3.9L3.4 1.9H-3.4Z';

/** Pixels; a shorter line is hidden below the dot at its end, and not drawn. */
const LEAST_LINE = 1.5;

/** Delivered calls at the height of their latency; warm-ups and probes are hollow. */
function callMarks({ stretches, fillOf, y }: TimelineDrawing, x: Across): readonly (Markup | false)[] {
  const delivered = stretches.filter(({ state }) => state === 'delivered');
  const warmups = stretches.filter(({ state }) => state === 'warmup');
  const long = delivered.filter(({ startMs, endMs }) => x(endMs) - x(startMs) >= LEAST_LINE);
  const during = (call: Stretch) => level(x(call.startMs), x(call.endMs), y(call));
  return [
    ...[...groupBy(long, ({ row }) => fillOf(row))].map(([stroke, own]) =>
      group({ stroke, 'stroke-width': 1.5, 'stroke-opacity': 0.55 }, own.map(during)),
    ),
    ...dotMarks(
      delivered.map((call) => ({ x: x(call.endMs), y: y(call), fill: fillOf(call.row) })),
      { r: 2.2, opacity: 0.8 },
    ),
    group(
      { fill: 'none', stroke: 'var(--warn)', 'stroke-width': 1.25 },
      delivered.filter(({ late }) => late).map((call) => circle(x(call.endMs), y(call), 4.5)),
    ),
    group(
      { fill: 'var(--warn)' },
      stretches.filter(({ again }) => again).map(({ row, startMs }) => sign(WEDGE, x(startMs), base(row) + 10)),
    ),
    group({ stroke: 'var(--muted)', 'stroke-dasharray': '2 2' }, warmups.map(during)),
    group(
      { fill: 'var(--page)', stroke: 'var(--muted)', 'stroke-width': 1.5 },
      warmups.map((call) => circle(x(call.endMs), y(call), 3)),
    ),
  ];
}

/** Failures on the base line, dropped starts below it. */
function lossMarks(stretches: readonly Stretch[], x: Across): readonly (Markup | false)[] {
  const failures = stretches.filter(({ state }) => state === 'failed');
  const dropped = stretches.filter(({ state }) => state === 'dropped');
  return [
    group({ stroke: 'var(--bad)', 'stroke-width': 2 }, [
      ...failures.map(({ row, startMs, endMs }) => level(x(startMs), x(endMs), base(row))),
      ...failures.map(({ row, startMs }) => sign(CROSS, x(startMs), base(row))),
    ]),
    group(
      { stroke: 'var(--warn)', 'stroke-width': 1.5 },
      dropped.map(({ row, startMs }) => upright(x(startMs), base(row) + 3, base(row) + 11)),
    ),
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
