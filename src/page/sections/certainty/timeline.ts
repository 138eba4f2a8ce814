import type { Analysis } from '../../../analysis/analysis.ts';
import type { EffectiveSample } from '../../../analysis/effective-sample.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { count, type DurationUnit, duration } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { sweepSteps } from '../../../report/load-words.ts';
import { byKind, latencyUnits, measuresOf } from '../../../report/statement.ts';
import type { Load } from '../../../suite/load.ts';
import { type Axis, linearAxis } from '../../drawing/axis.ts';
import { type FigureRow, rankedVariants, rowsFigure } from '../../drawing/rows-figure.ts';
import { across, CROSS, circle, curve, dots, path, sign, upright, WRITTEN, words } from '../../drawing/svg.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { ofKind } from '../../markup/scope.ts';
import { section } from '../../markup/section.ts';
import { driftLines, type Stretch, slowedTimes, stagesOf, stretchesOf } from './stretches.ts';

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

/** Share of the width; a shorter line is hidden below the dot at its end, and not drawn. */
const LEAST_LINE = 0.002;

/** Delivered calls at the height of their latency, warm-ups and probes hollow; failures on the base line, dropped starts below it. */
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
  const ends = (own: readonly Stretch[]) => own.map(({ endMs, totalMs }) => [x(endMs), y(totalMs)] as const);
  const rings = (own: readonly Stretch[], r: number, look: Parameters<typeof circle>[3]): readonly Markup[] =>
    ends(own).map(([left, top]) => circle(left, top, r, look));
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
  const own = stretches.filter(({ state }) => state !== 'warmup');
  const failed = own.filter(({ state }) => state === 'failed').length;
  const dropped = own.filter(({ state }) => state === 'dropped').length;
  const slowed = own.filter((each) => each.slowed).length;
  return [
    slowestMs > 0 ? `slowest ${duration(slowestMs, unit)}` : '',
    failed > 0 ? `${count(failed)} failed` : '',
    dropped > 0 ? `${count(dropped)} dropped` : '',
    slowed > 0 ? `${count(slowed)} slowed` : '',
  ]
    .filter((part) => part !== '')
    .join('   ');
}
