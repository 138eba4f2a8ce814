import type { Analysis } from '../../../analysis/analysis.ts';
import type { TimedSample } from '../../../analysis/effective-sample.ts';
import { groupBy } from '../../../analysis/grouping.ts';
import { type HeadlineLatency, headlineLatency, headlineMs } from '../../../analysis/headline.ts';
import { hasNote, noteWords } from '../../../analysis/note.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { KIND_NAMES } from '../../../kit/names.ts';
import { clipped } from '../../../kit/text-width.ts';
import { count, type DurationUnit, durationInterval } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { byKind, latencyStatement, latencyUnits, type Measures, measuresOf } from '../../../report/statement.ts';
import type { Kind } from '../../../suite/kind.ts';
import type { Load } from '../../../suite/load.ts';
import { durationAxis } from '../../drawing/axis.ts';
import { dotMarks, swarm } from '../../drawing/dots.ts';
import {
  foldedRows,
  LONGEST_NAME,
  layOutRows,
  type RowWords,
  rankedVariants,
  rankNote,
  rowLabels,
  rowsChart,
  spanOf,
} from '../../drawing/rows-chart.ts';
import { box, forEachWidth, group, isNarrow, upright } from '../../drawing/svg.ts';
import type { VariantMark, VariantMarks } from '../../drawing/variant-mark.ts';
import {
  anyDelivered,
  type MarkupScope,
  ofKind,
  scopeKey,
  scopeName,
  scopesOf,
  shortScopeName,
  stepsOf,
} from '../../markup/scope.ts';
import { section } from '../../markup/section.ts';

const LAYOUT = layOutRows(46, 14);
const { top, middle, bottom } = LAYOUT;

/** Every take's latency as a dot, with the median, its interval and p95; one axis for each kind. */
export function distributionSection(analysis: Analysis, samples: readonly TimedSample[], marks: VariantMarks): Markup {
  const { load } = analysis.run.plan;
  const drawing: DistributionDrawing = {
    variants: analysis.variants,
    measures: measuresOf(analysis),
    marks,
    metric: headlineLatency(load),
    unitOf: latencyUnits(analysis),
    load,
    latencies: latenciesByScope(samples, load),
  };
  const firstTakes = analysis.measures.some(({ notes }) => hasNote(notes, 'first_takes'));
  const dropped = analysis.variants.some(({ outcomes }) => (outcomes.dropped ?? 0) > 0);
  return section({
    anchor: 'latency',
    title: 'Latency of every take',
    note: html`One dot is one delivered take. The long line is the median, shaded its 95 % interval; the short line is p95.${kindsWithoutOutput(analysis)}`,
    more: html`${
      load.mode === 'open' &&
      html`Latency counts from when a call was due (<code>latency.response</code>), so that it
includes stalls of the service. ${dropped && 'Dropped starts are not included; they would have waited longer than most. '}`
    }Time-outs are not drawn; they count as longer than every dot. Warm-ups are left out.${firstTakes && ' Where a variant is served from a cache, only first takes are shown, for every variant of its kind.'}`,
    content: html`${rankNote(analysis.variants, load)}${byKind(analysis.variants).map(([kind, variants]) => figureOf(kind, scopesOf(rankedVariants(variants, drawing.measures, load), load), drawing))}`,
  });
}

/** Names kinds that the charts leave out. */
function kindsWithoutOutput({ variants }: Analysis): string {
  const without = byKind(variants).flatMap(([kind, own]) => (anyDelivered(own) ? [] : [KIND_NAMES[kind]]));
  return without.length === 0 ? '' : ` No take was delivered of: ${without.join(', ').toLowerCase()}.`;
}

interface DistributionDrawing {
  readonly variants: readonly VariantSummary[];
  readonly measures: Measures;
  readonly marks: VariantMarks;
  readonly metric: HeadlineLatency;
  readonly unitOf: (variant: string) => DurationUnit;
  readonly load: Load;
  readonly latencies: ReadonlyMap<string, readonly number[]>;
}

function figureOf(kind: Kind, scopes: readonly MarkupScope[], drawing: DistributionDrawing): Markup {
  const drawn = scopes.reduce((sum, scope) => sum + ofScope(drawing, scope).length, 0);
  if (drawn === 0) return html``;
  const each = scopes.some(({ step }) => step !== null) ? 'variant and concurrency' : 'variant';
  const label = `Latency of ${count(drawn)} takes of ${KIND_NAMES[kind]}, a row for each ${each}; the numbers are under Numbers of each variant`;
  const everything = scopes.flatMap((scope) => [...ofScope(drawing, scope), ...shown(drawing, scope)]);
  // The same at every width: a scale follows from the values alone.
  const logarithmic = durationAxis(everything).type === 'log';
  return ofKind(
    kind,
    drawing.variants,
    html`${foldedRows(scopes, stepsOf(drawing.load), (rows) =>
      forEachWidth({ marks: drawn, isSweep: false, scrollLabel: label }, (width) =>
        plot(label, rows, { ...drawing, everything }, width),
      ),
    )}${logarithmic && html`<p class="note fine">Log scale: equal distances are equal ratios.</p>`}`,
  );
}

function ofScope({ latencies }: DistributionDrawing, { variant, step }: MarkupScope): readonly number[] {
  return latencies.get(scopeKey(variant.name, step)) ?? [];
}

/** @param drawing `everything`: what the axis spans, folded rows included */
function plot(
  label: string,
  scopes: readonly MarkupScope[],
  drawing: DistributionDrawing & { readonly everything: readonly number[] },
  width: number,
): Markup {
  const { everything } = drawing;
  const narrow = isNarrow(width);
  const axis = durationAxis(everything, narrow ? 4 : 8);
  const rows = scopes.map((scope, row) => rowOf(scope, row, drawing, narrow));
  return rowsChart(label, axis, { width, rowsHeight: scopes.length * LAYOUT.rowHeight }, (x) => {
    const dots = scopes.flatMap((scope, row) =>
      swarm(ofScope(drawing, scope), axis.place, { width: spanOf(width), bandHeight: LAYOUT.bandHeight }).map(
        ({ value, offset }) => ({ x: x(value), y: middle(row) + offset, fill: drawing.marks(scope.variant.name).fill }),
      ),
    );
    return [
      ...rows.map(
        ({ row, low, high, mark: { fill } }) =>
          low !== null && high !== null && box(x(low), x(high), top(row), bottom(row), { fill, 'fill-opacity': 0.2 }),
      ),
      ...dotMarks(dots, dots.length > MANY ? { r: 1.8, opacity: 0.45 } : { r: 2.6, opacity: 0.7 }),
      group(
        { 'stroke-width': 2.5 },
        rows.flatMap(({ row, p50, mark: { fill } }) =>
          p50 === null ? [] : [upright(x(p50), top(row), bottom(row), { stroke: fill })],
        ),
      ),
      group(
        { stroke: 'var(--text)', 'stroke-width': 1.5 },
        rows.flatMap(({ row, p95 }) => (p95 === null ? [] : [upright(x(p95), bottom(row) - 8, bottom(row) + 4)])),
      ),
      ...rowLabels(rows, LAYOUT.rowHeight, width),
    ];
  });
}

interface DistributionRow extends RowWords {
  readonly mark: VariantMark;
  readonly p50: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly p95: number | null;
}

function rowOf(
  scope: MarkupScope,
  row: number,
  { measures, metric, marks, unitOf }: DistributionDrawing,
  narrow: boolean,
): DistributionRow {
  const { variant, step } = scope;
  const unit = unitOf(variant.name);
  const median = measures(variant.name, metric, 'p50', step);
  const tail = measures(variant.name, metric, 'p95', step);
  const [p50, low, high] = [median?.value ?? null, median?.ciLow ?? null, median?.ciHigh ?? null];
  const between =
    low === null || high === null ? noteWords(median?.notes ?? []) : `[${durationInterval(low, high, unit)}]`;
  const { value: middle } = latencyStatement(median, unit);
  const value = `p50 ${middle ?? '–'}`;
  const late = step === null ? (variant.outcomes.timed_out ?? 0) : 0;
  const n = `n = ${count(median?.n ?? 0)}`;
  const words = [`${value} ${between}`.trim(), n, ...(late > 0 ? [`${count(late)} timed out`] : [])].join('   ');
  return {
    row,
    mark: marks(variant.name),
    name: narrow ? clipped(shortScopeName(scope), LONGEST_NAME.narrow) : clipped(scopeName(scope), LONGEST_NAME.wide),
    words: narrow ? `${value}  ${n}` : words,
    p50,
    low,
    high,
    p95: tail?.value ?? null,
  };
}

/** With more dots, each is smaller and paler. */
const MANY = 1000;

function shown({ measures, metric }: DistributionDrawing, { variant, step }: MarkupScope): readonly number[] {
  const median = measures(variant.name, metric, 'p50', step);
  return [median?.ciLow, median?.ciHigh].filter((value) => typeof value === 'number');
}

function latenciesByScope(samples: readonly TimedSample[], load: Load): ReadonlyMap<string, readonly number[]> {
  const drawn = samples.filter(({ timed, outcome }) => timed && outcome === 'ok');
  const scopes = groupBy(drawn, ({ sample: { trial } }) => scopeKey(trial.variant, trial.step ?? null));
  return new Map([...scopes].map(([key, own]) => [key, own.flatMap((sample) => headlineMs(sample, load) ?? [])]));
}
