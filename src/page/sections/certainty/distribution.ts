import type { Analysis } from '../../../analysis/analysis.ts';
import {
  type HeadlineLatency,
  headlineLatency,
  headlineMs,
  type TimedSample,
} from '../../../analysis/effective-sample.ts';
import { hasNote, noteWords } from '../../../analysis/note.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { kindOf } from '../../../gate/bounds.ts';
import type { RuleResult } from '../../../gate/verdict.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { KIND_NAMES } from '../../../kit/names.ts';
import { count, type DurationUnit, duration, durationInterval } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import type { ReportSource } from '../../../report/reporter.ts';
import { byKind, latencyStatement, latencyUnits, type Measures, measuresOf } from '../../../report/statement.ts';
import type { Kind } from '../../../suite/kind.ts';
import type { Load } from '../../../suite/load.ts';
import { type Axis, durationAxis, swarm } from '../../drawing/axis.ts';
import { type FigureRow, limitSign, rankedVariants, rankNote, rowsFigure } from '../../drawing/rows-figure.ts';
import { box, dots, path, upright } from '../../drawing/svg.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import {
  anyDelivered,
  type MarkupScope,
  ofKind,
  scopeKey,
  scopeName,
  scopesOf,
  section,
  stepsOf,
} from '../../markup/section.ts';

/** Pixels: a band of dots, and below it the end of the line of p95. */
const BAND = 46;
const HEIGHT = 52;

export function distributionSection(
  { analysis, samples, verdict }: Pick<ReportSource, 'analysis' | 'samples' | 'verdict'>,
  marks: VariantMarks,
): Markup {
  const { load } = analysis.run.plan;
  const drawing: DistributionDrawing = {
    variants: analysis.variants,
    measures: measuresOf(analysis),
    marks,
    metric: headlineLatency(load),
    unitOf: latencyUnits(analysis),
    load,
    latencies: latenciesByScope(samples, load),
    limits: groupBy(
      verdict.rules.filter(({ rule, effect }) => rule.metric === headlineLatency(load) && effect === 'value'),
      ({ variant }) => variant,
    ),
  };
  const firstTakes = analysis.measures.some(({ notes }) => hasNote(notes, 'first_takes'));
  const dropped = analysis.variants.some(({ outcomes }) => (outcomes.dropped ?? 0) > 0);
  return section({
    anchor: 'latency',
    title: 'Latency of every take',
    note: html`One dot is one delivered take. The long line is the median, shaded its 95 % interval; the short line is p95.${kindsWithoutOutput(analysis)}`,
    more: html`${
      load.mode === 'open' &&
      html`Latency counts from the planned send time (<code>latency.response</code>), so that it
includes stalls of the service. ${dropped && 'Dropped starts are not included; they would have waited longer than most. '}`
    }Time-outs are not drawn; they count as longer than every dot. Warm-ups are left out.${firstTakes && ' Where a variant is served from a cache, only first takes are shown, for every variant of its kind.'}`,
    content: html`${rankNote(analysis.variants, load)}${byKind(analysis.variants).map(([kind, variants]) => figureOf(kind, scopesOf(rankedVariants(variants, drawing.measures, load), load), drawing))}`,
  });
}

function kindsWithoutOutput({ variants }: Analysis): string {
  const without = byKind(variants).flatMap(([kind, members]) => (anyDelivered(members) ? [] : [KIND_NAMES[kind]]));
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
  /** Rules that bound the latency itself, by variant. */
  readonly limits: ReadonlyMap<string, readonly RuleResult[]>;
}

function figureOf(kind: Kind, scopes: readonly MarkupScope[], drawing: DistributionDrawing): Markup {
  const drawn = scopes.reduce((sum, scope) => sum + ofScope(drawing, scope).length, 0);
  if (drawn === 0) return html``;
  const per = scopes.some(({ step }) => step !== null) ? 'variant and concurrency' : 'variant';
  const label = `Latency of ${count(drawn)} takes of ${KIND_NAMES[kind]}, a row for each ${per}; the numbers are under Numbers of each variant`;
  const axis = durationAxis(
    scopes.flatMap((scope) => [...ofScope(drawing, scope), ...shown(drawing, scope), ...limitsOf(scope, drawing)]),
    8,
  );
  const isSmall = drawn > MANY;
  const rows = scopes.map((scope) => rowOf(scope, drawing, axis, isSmall));
  return ofKind(
    kind,
    drawing.variants,
    html`${rowsFigure({ label, axis, rows, together: stepsOf(drawing.load) })}${axis.type === 'log' && html`<p class="note fine">Log scale: equal distances are equal ratios.</p>`}`,
  );
}

/** With more dots, each is smaller and paler. */
const MANY = 1000;

function ofScope({ latencies }: DistributionDrawing, { variant, step }: MarkupScope): readonly number[] {
  return latencies.get(scopeKey(variant.name, step)) ?? [];
}

/** A limit far beyond every take would squeeze them into one dot. */
const FARTHEST_LIMIT = 2;

function limitsOf(scope: MarkupScope, drawing: DistributionDrawing): readonly number[] {
  const longest = ofScope(drawing, scope).reduce((most, ms) => Math.max(most, ms), 0);
  const limits = drawing.limits.get(scope.variant.name) ?? [];
  return limits.map(({ rule }) => kindOf(rule).allows.high).filter((limit) => limit <= FARTHEST_LIMIT * longest);
}

function rowOf(scope: MarkupScope, drawing: DistributionDrawing, axis: Axis, isSmall: boolean): FigureRow {
  const { measures, metric, marks, unitOf } = drawing;
  const { variant, step } = scope;
  const unit = unitOf(variant.name);
  const median = measures(variant.name, metric, 'p50', step);
  const [p50, low, high] = [median?.value ?? null, median?.ciLow ?? null, median?.ciHigh ?? null];
  const p95 = measures(variant.name, metric, 'p95', step)?.value ?? null;
  const between =
    low === null || high === null ? noteWords(median?.notes ?? []) : `[${durationInterval(low, high, unit)}]`;
  const { value: middle } = latencyStatement(median, unit);
  const late = step === null ? (variant.outcomes.timed_out ?? 0) : 0;
  const n = `n = ${count(median?.n ?? 0)}`;
  const mark = marks(variant.name);
  const { place } = axis;
  const limits = limitsOf(scope, drawing);
  const swarmed = swarm(ofScope(drawing, scope), axis, BAND);
  return {
    mark,
    name: scopeName(scope),
    words: [`p50 ${middle ?? '–'} ${between}`.trim(), n, ...(late > 0 ? [`${count(late)} timed out`] : [])].join('   '),
    height: HEIGHT,
    paths: [
      low !== null &&
        high !== null &&
        path([box(place(low), place(high), 0, BAND)], { fill: mark.fill, 'fill-opacity': 0.2 }),
      isSmall ? dots(swarmed, mark.fill, 1.8, 0.45) : dots(swarmed, mark.fill, 2.6, 0.7),
      p50 !== null && path([upright(place(p50), 0, BAND)], { stroke: mark.fill, 'stroke-width': 2.5 }),
      p95 !== null && path([upright(place(p95), BAND - 8, BAND + 4)], { stroke: 'var(--text)', 'stroke-width': 1.5 }),
      path(
        limits.map((limit) => upright(place(limit), 0, BAND)),
        { stroke: 'var(--bad)', 'stroke-width': 1.5 },
      ),
    ],
    signs: limits.map((limit) => limitSign(place(limit), duration(limit))),
  };
}

function shown({ measures, metric }: DistributionDrawing, { variant, step }: MarkupScope): readonly number[] {
  const median = measures(variant.name, metric, 'p50', step);
  return [median?.ciLow, median?.ciHigh].filter((value) => typeof value === 'number');
}

function latenciesByScope(samples: readonly TimedSample[], load: Load): ReadonlyMap<string, readonly number[]> {
  const drawn = samples.filter(({ timed, outcome }) => timed && outcome === 'ok');
  const scopes = groupBy(drawn, ({ sample: { trial } }) => scopeKey(trial.variant, trial.step ?? null));
  return new Map([...scopes].map(([key, timed]) => [key, timed.flatMap((sample) => headlineMs(sample, load) ?? [])]));
}
