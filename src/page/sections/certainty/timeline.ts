import type { Analysis } from '../../../analysis/analysis.ts';
import {
  type EffectiveOutcome,
  type EffectiveSample,
  headlineMs,
  LATE,
  SLOWED,
} from '../../../analysis/effective-sample.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { epochMs } from '../../../kit/time.ts';
import { count, type DurationUnit, duration } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { isMeasured } from '../../../plan/plan.ts';
import { beganMs } from '../../../record/codes.ts';
import { rateWords } from '../../../report/run-statement.ts';
import { byKind, latencyUnits, measuresOf } from '../../../report/statement.ts';
import { extendedMedian } from '../../../statistics/quantile.ts';
import { type Load, type OpenLoad, sweepSteps } from '../../../suite/load.ts';
import { type Axis, linearAxis } from '../../drawing/axis.ts';
import { type FigureRow, rankedVariants, rowsFigure } from '../../drawing/rows-figure.ts';
import { across, CROSS, circle, curve, dots, path, sign, upright, WRITTEN, words } from '../../drawing/svg.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { ofKind, section } from '../../markup/section.ts';

/** Pixels from the top of a row to its base line, and of the room below for what was lost. */
const BASE = 48;
const BELOW = 14;

/** When each take ran and how long: shows drift, waves of failures and pauses. */
export function timelineSection(analysis: Analysis, samples: readonly EffectiveSample[], marks: VariantMarks): Markup {
  const { load } = analysis.run.plan;
  const measures = measuresOf(analysis);
  const ofVariants = stretchesOf(analysis.variants, samples, load);
  const stretches = analysis.variants.flatMap(({ name }) => ofVariants.get(name) ?? []);
  const unitOf = latencyUnits(analysis);
  const axis = linearAxis(
    stretches.reduce((most, { endMs }) => Math.max(most, endMs), 0),
    8,
  );
  const row = ({ name }: VariantSummary): FigureRow =>
    rowOf(name, ofVariants.get(name) ?? [], { axis, load, marks, unit: unitOf(name) });
  return section({
    anchor: 'timeline',
    title: 'Timeline of the run',
    note: 'Left to right: when each take ran. Height: its latency, from zero; a variant that slows down climbs.',
    more: html`The scale is that of the row. Open circles are warm-ups and probes; those slower than every take are at the upper edge. Crosses on the base line are failures, with their duration where it is known.${
      [...ofVariants.values()].some((ofVariant) => driftLines(ofVariant).length > 0) &&
      ' The line is the median of nine takes in a row.'
    }${stretches.some(({ late }) => late) && ' A ring: this machine may have taken a timestamp late.'}${
      stretches.some(({ again }) => again) &&
      ' A triangle below the base line: sent again after the service refused it.'
    }${
      load.mode === 'open' &&
      html` Each take is drawn from when it was due to its end; strokes below the base line are dropped starts${load.stages.length > 1 && '; vertical lines show where the rate of arrivals changes'}.`
    }${sweepSteps(load) !== null && html` In a sweep, concurrency changes along a row, and latency with it.`}${
      stretches.some(({ slowed }) => slowed) &&
      html` Bars below the base line: the service refused requests (rate limit), so fewer were sent at once than declared.`
    }${analysis.run.shards !== null && html` Takes of each shard are placed by the clock of its machine.`}`,
    content: byKind(analysis.variants).map(([kind, variants]) => {
      const label = labelOf(variants.flatMap(({ name }) => ofVariants.get(name) ?? []));
      const rows = rankedVariants(variants, measures, load).map(row);
      return ofKind(kind, analysis.variants, rowsFigure({ label, axis, rows }));
    }),
  });
}

/** `Timeline of 36 requests, a row for each variant, 4 failed`. */
function labelOf(stretches: readonly Stretch[]): string {
  const failed = stretches.filter(({ state }) => state === 'failed').length;
  const dropped = stretches.filter(({ state }) => state === 'dropped').length;
  const slowed = stretches.filter((stretch) => stretch.slowed).length;
  const lost = `${dropped === 0 ? '' : `, ${count(dropped)} dropped`}${slowed === 0 ? '' : `, ${count(slowed)} with a slowed start`}`;
  return `Timeline of ${count(stretches.length)} requests, a row for each variant, ${count(failed)} failed${lost}`;
}

interface TimelineLook {
  readonly axis: Axis;
  readonly load: Load;
  readonly marks: VariantMarks;
  readonly unit: DurationUnit;
}

const WEDGE = 'M0 -3.9L3.4 1.9H-3.4Z';

/** Share of the width; a shorter line would be hidden by the dot at its end. */
const LEAST_LINE = 0.002;

function rowOf(name: string, stretches: readonly Stretch[], { axis, load, marks, unit }: TimelineLook): FigureRow {
  const mark = marks(name);
  const delivered = stretches.filter(({ state }) => state === 'delivered');
  const warmups = stretches.filter(({ state }) => state === 'warmup');
  const failures = stretches.filter(({ state }) => state === 'failed');
  const dropped = stretches.filter(({ state }) => state === 'dropped');
  const slowestMs = delivered.reduce((most, { totalMs }) => Math.max(most, totalMs), 0);
  const scale = linearAxis(slowestMs, 2);
  const x = axis.place;
  const y = (ms: number): number => BASE * (1 - scale.place(ms));
  const during = ({ startMs, endMs, totalMs }: Stretch): string => across(x(startMs), x(endMs), y(totalMs));
  const isLong = ({ startMs, endMs }: Stretch): boolean => x(endMs) - x(startMs) >= LEAST_LINE;
  const ends = (drawn: readonly Stretch[]) => drawn.map(({ endMs, totalMs }) => [x(endMs), y(totalMs)] as const);
  const rings = (drawn: readonly Stretch[], r: number, look: Parameters<typeof circle>[3]): readonly Markup[] =>
    ends(drawn).map(([left, top]) => circle(left, top, r, look));
  const stages = load.mode === 'open' ? stagesOf(load, stretches) : [];
  return {
    mark,
    name,
    words: tallyOf(stretches, slowestMs, unit),
    height: BASE + BELOW,
    levels: scale.ticks.slice(1).map((tick) => ({ y: y(tick), words: scale.format(tick) })),
    paths: [
      path([across(0, 1, BASE)], { stroke: 'var(--rule)' }),
      path(
        driftLines(stretches).map((points) => curve(points.map(({ atMs, totalMs }) => [x(atMs), y(totalMs)]))),
        { stroke: mark.fill, 'stroke-width': 1.5, 'stroke-opacity': 0.5, 'stroke-linejoin': 'round' },
      ),
      path(delivered.filter(isLong).map(during), { stroke: mark.fill, 'stroke-width': 1.5, 'stroke-opacity': 0.55 }),
      dots(ends(delivered), mark.fill, 2.2, 0.8),
      path(warmups.map(during), { stroke: 'var(--muted)', 'stroke-dasharray': '2 2' }),
      path(
        failures.map(({ startMs, endMs }) => across(x(startMs), x(endMs), BASE)),
        { stroke: 'var(--bad)', 'stroke-width': 2 },
      ),
      path(
        slowedTimes(stretches).map(({ startMs, endMs }) => across(x(startMs), x(endMs), BASE + 6)),
        { stroke: 'var(--warn)', 'stroke-width': 4 },
      ),
      path(
        dropped.map(({ startMs }) => upright(x(startMs), BASE + 3, BASE + 11)),
        { stroke: 'var(--warn)', 'stroke-width': 1.5 },
      ),
      path(
        stages.map(({ atMs }) => upright(x(atMs), 0, BASE)),
        { stroke: 'var(--rule)', 'stroke-dasharray': '3 2' },
      ),
    ],
    signs: [
      ...rings(warmups, 3, { fill: 'var(--page)', stroke: 'var(--muted)', 'stroke-width': 1.5 }),
      ...rings(
        delivered.filter(({ late }) => late),
        4.5,
        { fill: 'none', stroke: 'var(--warn)', 'stroke-width': 1.25 },
      ),
      ...stretches
        .filter(({ again }) => again)
        .map(({ startMs }) => sign(WEDGE, x(startMs), BASE + 10, { fill: 'var(--warn)' })),
      ...failures.map(({ startMs }) => sign(CROSS, x(startMs), BASE, { stroke: 'var(--bad)', 'stroke-width': 2 })),
      ...stages.map(({ atMs, words: rate }) => words(x(atMs), 4, rate, { dx: 3, 'text-anchor': 'start', ...WRITTEN })),
    ],
  };
}

/** `slowest 4.2 s   1 failed`, without warm-ups. */
function tallyOf(stretches: readonly Stretch[], slowestMs: number, unit: DurationUnit): string {
  const takes = stretches.filter(({ state }) => state !== 'warmup');
  const failed = takes.filter(({ state }) => state === 'failed').length;
  const dropped = takes.filter(({ state }) => state === 'dropped').length;
  const slowed = takes.filter((stretch) => stretch.slowed).length;
  return [
    slowestMs > 0 ? `slowest ${duration(slowestMs, unit)}` : '',
    failed > 0 ? `${count(failed)} failed` : '',
    dropped > 0 ? `${count(dropped)} dropped` : '',
    slowed > 0 ? `${count(slowed)} slowed` : '',
  ]
    .filter((part) => part !== '')
    .join('   ');
}

export interface Stretch {
  readonly step: number | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly totalMs: number;
  readonly state: 'delivered' | 'warmup' | 'failed' | 'dropped';
  /** The service refused requests, so fewer than declared were in flight when it began. */
  readonly slowed: boolean;
  /** This machine may have taken a timestamp late. */
  readonly late: boolean;
  /** Sent again after refusals: only the last attempt is drawn. */
  readonly again: boolean;
}

interface SlowedTime {
  readonly startMs: number;
  readonly endMs: number;
}

/** By variant. Clocks of processes differ: wall-clock time gives starts, monotonic time durations. */
function stretchesOf(
  variants: readonly VariantSummary[],
  samples: readonly EffectiveSample[],
  load: Load,
): ReadonlyMap<string, readonly Stretch[]> {
  const timeouts = new Map(variants.map(({ name, timeoutMs }) => [name, timeoutMs]));
  const started = samples.flatMap((effective) => {
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
  const { sample, outcome, flags, timings } = effective;
  const warmup = !isMeasured(sample.trial);
  const totalMs = (warmup ? timings.totalMs : headlineMs(effective, load)) ?? tookMs(effective, timeoutMs);
  return {
    step: sample.trial.step ?? null,
    startMs,
    endMs: startMs + totalMs,
    totalMs,
    state: stateOf(outcome, warmup),
    slowed: flags.includes(SLOWED),
    late: flags.includes(LATE),
    again: sample.attempts > 1,
  };
}

function stateOf(outcome: EffectiveOutcome, warmup: boolean): Stretch['state'] {
  if (outcome === 'dropped') return 'dropped';
  if (outcome !== 'ok') return 'failed';
  return warmup ? 'warmup' : 'delivered';
}

function stagesOf(
  { stages }: OpenLoad,
  stretches: readonly Stretch[],
): readonly { readonly atMs: number; readonly words: string }[] {
  const starts = stretches.filter(({ state }) => state !== 'warmup');
  if (stages.length < 2 || starts.length === 0) return [];
  let atMs = starts.reduce((least, { startMs }) => Math.min(least, startMs), Number.POSITIVE_INFINITY);
  return stages.map((stage) => {
    const placed = { atMs, words: rateWords(stage) };
    atMs += stage.forMs ?? 0;
    return placed;
  });
}

/** Time until the time-out, else until the last mark. */
function tookMs({ sample, outcome }: EffectiveSample, timeoutMs: number): number {
  if (outcome === 'timed_out') return timeoutMs;
  const began = beganMs(sample);
  return Math.max(began, ...Object.values(sample.marks)) - began;
}

/** From the first slowed start to the last before one that was not, in the order of starts. */
function slowedTimes(stretches: readonly Stretch[]): readonly SlowedTime[] {
  const times: SlowedTime[] = [];
  let wasSlowed = false;
  for (const { startMs, endMs, slowed } of stretches.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = times.at(-1);
    if (slowed && !wasSlowed) times.push({ startMs, endMs });
    else if (wasSlowed && last !== undefined) {
      times[times.length - 1] = {
        ...last,
        endMs: slowed ? Math.max(last.endMs, endMs) : Math.min(last.endMs, startMs),
      };
    }
    wasSlowed = slowed;
  }
  return times;
}

/** A median of consecutive delivered takes, in milliseconds, at the end of the middle one. */
interface RollingMedian {
  readonly atMs: number;
  readonly totalMs: number;
}

/** One slow take in a window of this size does not move the median. */
const WINDOW = 9;

/** A gap of this many times the usual one ends a line. */
const BREAK = 5;

/** Rolling medians, which show a slowdown: a line for each step of a sweep, and none across long gaps. */
export function driftLines(stretches: readonly Stretch[]): readonly (readonly RollingMedian[])[] {
  const delivered = stretches.filter(({ state }) => state === 'delivered');
  return [...groupBy(delivered, ({ step }) => step).values()]
    .filter((takes) => takes.length >= WINDOW + 3)
    .flatMap((takes) => uninterrupted(takes.toSorted((a, b) => a.startMs - b.startMs)).map(rollingMedians))
    .filter((medians) => medians.length > 0);
}

function rollingMedians(takes: readonly Stretch[]): readonly RollingMedian[] {
  return takes.slice(WINDOW - 1).flatMap((_, from) => {
    const window = takes.slice(from, from + WINDOW);
    const middle = window[(WINDOW - 1) / 2];
    const totalMs = extendedMedian(window.map((take) => take.totalMs));
    return middle === undefined || totalMs === null ? [] : [{ atMs: middle.endMs, totalMs }];
  });
}

function uninterrupted(ordered: readonly Stretch[]): readonly (readonly Stretch[])[] {
  const gaps = ordered.slice(1).map(({ startMs }, at) => startMs - (ordered[at]?.startMs ?? 0));
  const usual = extendedMedian(gaps) ?? 0;
  const starts = gaps.flatMap((gap, at) => {
    return gap > BREAK * usual && gap > (ordered[at]?.totalMs ?? 0) * BREAK ? [at + 1] : [];
  });
  return [0, ...starts].map((from, at) => ordered.slice(from, starts[at]));
}
