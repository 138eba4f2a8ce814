import type { Analysis } from '../../../analysis/analysis.ts';
import { type EffectiveSample, headlineMs } from '../../../analysis/effective-sample.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { epochMs } from '../../../kit/time.ts';
import { count, type DurationUnit, duration, plural } from '../../../kit/wording.ts';
import type { Markup } from '../../../markup/markup.ts';
import { isMeasured } from '../../../plan/plan.ts';
import { beganMs } from '../../../record/codes.ts';
import { byKind, latencyUnits, measuresOf } from '../../../report/statement.ts';
import type { Load } from '../../../suite/load.ts';
import { sweepSteps } from '../../../suite/sweep.ts';
import { type Axis, linearAxis } from '../../drawing/axis.ts';
import { type FigureRow, rankedVariants, rowsFigure } from '../../drawing/rows-figure.ts';
import { across, CROSS, dots, path, sign, upright } from '../../drawing/svg.ts';
import type { VariantMark, VariantMarks } from '../../drawing/variant-mark.ts';
import { ofKind, section } from '../../markup/section.ts';

/** Pixels from the top of a row to its base line, and of the room below for what was lost. */
const BASE = 48;
const BELOW = 14;

/** When each take ran and how long: shows drift, waves of failures and pauses. */
export function timelineSection(analysis: Analysis, samples: readonly EffectiveSample[], marks: VariantMarks): Markup {
  const { load } = analysis.run.plan;
  const measures = measuresOf(analysis);
  const ofVariants = stretchesOf(analysis.variants, samples, load);
  const unitOf = latencyUnits(analysis);
  const lastMs = [...ofVariants.values()].flat().reduce((most, { endMs }) => Math.max(most, endMs), 0);
  const axis = linearAxis(lastMs, 8);
  const row = ({ name }: VariantSummary): FigureRow =>
    rowOf(name, ofVariants.get(name) ?? [], { axis, mark: marks(name), unit: unitOf(name) });
  const notes = [
    'The scale is that of the row. Crosses on the base line are failures, with their duration where it is known.',
    load.mode === 'open' &&
      'Each take is drawn from when it was due to its end; strokes below the base line are dropped starts.',
    sweepSteps(load) !== null && 'In a sweep, concurrency changes along a row, and latency with it.',
    analysis.run.shards !== null && 'Takes of each shard are placed by the clock of its machine.',
  ];
  return section({
    anchor: 'timeline',
    title: 'Timeline of the run',
    note: 'Left to right: when each take ran. Height: its latency, from zero; a variant that slows down climbs.',
    more: notes.filter((note) => note !== false).join(' '),
    content: byKind(analysis.variants).map(([kind, variants]) => {
      const label = labelOf(variants.flatMap(({ name }) => ofVariants.get(name) ?? []));
      const rows = rankedVariants(variants, measures, load).map(row);
      return ofKind(kind, analysis.variants, rowsFigure({ label, axis, rows }));
    }),
  });
}

/** `Timeline of 36 takes, a row for each variant, 4 failed`. */
function labelOf(stretches: readonly Stretch[]): string {
  const failed = stretches.filter(({ state }) => state === 'failed').length;
  const dropped = stretches.filter(({ state }) => state === 'dropped').length;
  const lost = dropped === 0 ? '' : `, ${count(dropped)} dropped`;
  return `Timeline of ${plural(stretches.length, 'take')}, a row for each variant, ${count(failed)} failed${lost}`;
}

interface TimelineLook {
  readonly axis: Axis;
  readonly mark: VariantMark;
  readonly unit: DurationUnit;
}

/** Share of the width; a shorter line would be hidden by the dot at its end. */
const LEAST_LINE = 0.002;

function rowOf(name: string, stretches: readonly Stretch[], { axis, mark, unit }: TimelineLook): FigureRow {
  const delivered = stretches.filter(({ state }) => state === 'delivered');
  const failures = stretches.filter(({ state }) => state === 'failed');
  const dropped = stretches.filter(({ state }) => state === 'dropped');
  const slowestMs = delivered.reduce((most, { totalMs }) => Math.max(most, totalMs), 0);
  const scale = linearAxis(slowestMs, 2);
  const x = axis.place;
  const y = (ms: number): number => BASE * (1 - scale.place(ms));
  const long = delivered.filter(({ startMs, endMs }) => x(endMs) - x(startMs) >= LEAST_LINE);
  const tally = [
    slowestMs > 0 ? `slowest ${duration(slowestMs, unit)}` : '',
    failures.length > 0 ? `${count(failures.length)} failed` : '',
    dropped.length > 0 ? `${count(dropped.length)} dropped` : '',
  ];
  return {
    mark,
    name,
    words: tally.filter((part) => part !== '').join('   '),
    height: BASE + BELOW,
    levels: scale.ticks.slice(1).map((tick) => ({ y: y(tick), words: scale.format(tick) })),
    paths: [
      path([across(0, 1, BASE)], { stroke: 'var(--rule)' }),
      path(
        long.map(({ startMs, endMs, totalMs }) => across(x(startMs), x(endMs), y(totalMs))),
        { stroke: mark.fill, 'stroke-width': 1.5, 'stroke-opacity': 0.55 },
      ),
      dots(
        delivered.map(({ endMs, totalMs }) => [x(endMs), y(totalMs)] as const),
        mark.fill,
        2.2,
        0.8,
      ),
      path(
        failures.map(({ startMs, endMs }) => across(x(startMs), x(endMs), BASE)),
        { stroke: 'var(--bad)', 'stroke-width': 2 },
      ),
      path(
        dropped.map(({ startMs }) => upright(x(startMs), BASE + 3, BASE + 11)),
        { stroke: 'var(--warn)', 'stroke-width': 1.5 },
      ),
    ],
    signs: failures.map(({ startMs }) => sign(CROSS, x(startMs), BASE, { stroke: 'var(--bad)', 'stroke-width': 2 })),
  };
}

interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
  readonly totalMs: number;
  readonly state: 'delivered' | 'failed' | 'dropped';
}

/** By variant. Clocks of processes differ: wall-clock time gives starts, monotonic time durations. */
function stretchesOf(
  variants: readonly VariantSummary[],
  samples: readonly EffectiveSample[],
  load: Load,
): ReadonlyMap<string, readonly Stretch[]> {
  const timeouts = new Map(variants.map(({ name, timeoutMs }) => [name, timeoutMs]));
  const started = samples.flatMap((effective) => {
    if (!isMeasured(effective.sample.trial)) return [];
    const startMs = epochMs(effective.sample.scheduledAt);
    return startMs === null ? [] : [{ effective, startMs }];
  });
  const originMs = started.reduce((least, { startMs }) => Math.min(least, startMs), Number.POSITIVE_INFINITY);
  const ofVariants = groupBy(started, ({ effective }) => effective.sample.trial.variant);
  return new Map(
    [...ofVariants].map(([name, begun]) => [
      name,
      begun.map(({ effective, startMs }) => stretchOf(effective, startMs - originMs, timeouts.get(name) ?? 0, load)),
    ]),
  );
}

function stretchOf(effective: EffectiveSample, startMs: number, timeoutMs: number, load: Load): Stretch {
  const { outcome } = effective;
  const totalMs = headlineMs(effective, load) ?? tookMs(effective, timeoutMs);
  const state = outcome === 'ok' ? 'delivered' : outcome === 'dropped' ? 'dropped' : 'failed';
  return { startMs, endMs: startMs + totalMs, totalMs, state };
}

/** Time until the time-out, else until the last mark. */
function tookMs({ sample, outcome }: EffectiveSample, timeoutMs: number): number {
  if (outcome === 'timed_out') return timeoutMs;
  const began = beganMs(sample);
  return Math.max(began, ...Object.values(sample.marks)) - began;
}
