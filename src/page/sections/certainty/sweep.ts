import type { Analysis } from '../../../analysis/analysis.ts';
import { headlineLatency } from '../../../analysis/effective-sample.ts';
import { beyondStatistic } from '../../../analysis/held-load.ts';
import { hasNote } from '../../../analysis/note.ts';
import type { Measure, VariantSummary } from '../../../analysis/summaries.ts';
import { KIND_NAMES, shownName } from '../../../kit/names.ts';
import {
  arrivals,
  count,
  type DurationUnit,
  listed,
  rateUnit,
  share,
  shareInterval,
  trimmed,
} from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { table } from '../../../markup/table.ts';
import { holdClauses, holdWords, limitWords, loadShows, undecidedClauses } from '../../../report/hold-statement.ts';
import { loadStepWords, loadsWords } from '../../../report/run-statement.ts';
import {
  byKind,
  latencyStatement,
  latencyUnits,
  type Measures,
  madeWords,
  measuresOf,
  type Statement,
  statementOf,
  throughputStatement,
} from '../../../report/statement.ts';
import type { Kind } from '../../../suite/kind.ts';
import type { Load } from '../../../suite/load.ts';
import { type HeldLimit, heldLimits, sweepSteps } from '../../../suite/sweep.ts';
import { type Axis, linearAxis } from '../../drawing/axis.ts';
import { type FigureRow, rowsFigure } from '../../drawing/rows-figure.ts';
import { across, circle, curve, type Point, path, sign, upright, WRITTEN, words } from '../../drawing/svg.ts';
import { markedName, type VariantMark, type VariantMarks } from '../../drawing/variant-mark.ts';
import { ofKind, section } from '../../markup/section.ts';

export function sweepSection(analysis: Analysis, marks: VariantMarks): Markup | null {
  const { load } = analysis.run.plan;
  const steps = sweepSteps(load);
  if (steps === null) return null;
  const measures = measuresOf(analysis);
  const unitOf = latencyUnits(analysis);
  const hasRates = analysis.variants.some((variant) => hasThroughput(pointsOf(variant, steps, analysis)));
  return section({
    anchor: 'sweep',
    title: `Latency ${hasRates ? 'and throughput ' : ''}by load`,
    note:
      analysis.run.hold === undefined
        ? 'To learn which load keeps a limit, add --set load.hold.p95=2s to the run.'
        : `Asked of each load: ${holdWords(analysis.run.hold)}.`,
    more: html`Every variant was measured alone at ${loadsWords(steps, load)}. ${analysis.run.hold !== undefined && 'A load holds if the upper bound of the share of takes beyond each limit is within it, and fails if a lower bound is above. A take that failed, was refused for its rate, or waited for a refusal is beyond every limit. All these claims together are wrong in at most 1 of 20 runs. '}Throughput counts only while all slots are full, without the end of a group of takes${isAnyTooShort(analysis) && '; where groups have too few takes for that, there is no throughput: add prompts, seeds or repeats'}.`,
    content: byKind(analysis.variants).map(([kind, variants]) =>
      ofKind(
        kind,
        analysis.variants,
        kindBlock(kind, variants, { steps, analysis, measures, marks, unit: unitOf(variants[0]?.name ?? '') }),
      ),
    ),
  });
}

function isAnyTooShort({ measures }: Analysis): boolean {
  return measures.some(({ metric, notes }) => metric === 'throughput' && hasNote(notes, 'slices_too_short'));
}

interface Sweep {
  readonly analysis: Analysis;
  readonly steps: readonly number[];
  readonly measures: Measures;
  readonly marks: VariantMarks;
  readonly unit: DurationUnit;
}

function kindBlock(
  kind: Kind,
  variants: readonly VariantSummary[],
  { steps, analysis, measures, marks, unit }: Sweep,
): Markup {
  const measured = variants.map((variant) => ({ variant, points: pointsOf(variant, steps, analysis) }));
  const everyPoint = measured.flatMap(({ points }) => points);
  const per = rateUnit(everyPoint.map(({ perSecond }) => perSecond.value));
  const most = (values: readonly (number | null)[]): number =>
    values.reduce<number>((largest, value) => Math.max(largest, value ?? 0), 0) || 1;
  const { hold, plan } = analysis.run;
  const limits = heldLimits(hold ?? {});
  const scale: SweepScale = {
    steps,
    load: plan.load,
    limits,
    per,
    mostMs: most([
      ...everyPoint.flatMap(({ p50, p95 }) => [p50.high, p95, p50.value]),
      ...limits.map(({ limitMs }) => limitMs),
    ]),
    mostRate: most(everyPoint.map(({ perSecond }) => perSecond.high ?? perSecond.value)),
  };
  const drawn = measured.filter(({ points }) => points.some(({ p50 }) => p50.value !== null));
  const figures = Array.from({ length: Math.ceil(drawn.length / MOST_CURVES) }, (_, at) =>
    drawn.slice(at * MOST_CURVES, (at + 1) * MOST_CURVES),
  );
  return html`${figures.map((group) => figure(group, scale, { marks }))}
${hold !== undefined && html`<ul class="statements">${variants.map(({ name }) => html`<li>${shownName([...holdClauses(name, analysis), ...undecidedClauses(name, analysis)].join('; '))}.</li>`)}</ul>`}
<details class="fold"${hold !== undefined && ' open'}><summary>Numbers at each load</summary>${numbers(kind, measured, per, { analysis, measures, marks, unit })}</details>`;
}

/** Curves in one figure; more go into the next, since marks must not hide each other. */
const MOST_CURVES = 4;

interface Measured {
  readonly variant: VariantSummary;
  readonly points: readonly SweepPoint[];
}

function figure(group: readonly Measured[], scale: SweepScale, { marks }: Pick<Sweep, 'marks'>): Markup {
  const names = group.map(({ variant: { name } }) => name);
  const label = `${listed(names)}: latency and throughput against load; the numbers are in the table below`;
  const curves = group.map(({ variant: { name }, points }): SweepCurve => ({ mark: marks(name), points }));
  return html`<ul class="legend">${names.map((name) => html`<li>${markedName(name, marks)}</li>`)}</ul>${sweepPlot(label, curves, scale)}`;
}

function numbers(
  kind: Kind,
  measured: readonly Measured[],
  per: 's' | 'min',
  { analysis, measures, marks, unit }: Pick<Sweep, 'analysis' | 'measures' | 'marks' | 'unit'>,
): Markup {
  const { hold, plan } = analysis.run;
  const rows = measured.flatMap(({ variant: { name }, points }) => points.map(({ step }) => ({ name, step })));
  type Row = (typeof rows)[number];
  const latency = ({ name, step }: Row, statistic: string): Statement =>
    latencyStatement(measures(name, headlineLatency(plan.load), statistic, step), unit);
  const column = (head: string, of: (row: Row) => Statement) => ({
    head,
    number: true,
    cell: (row: Row) => cell(of(row)),
  });
  const shareOf = ({ name, step }: Row, metric: string, statistic: string) =>
    statementOf(measures(name, metric, statistic, step), share, shareInterval);
  const held = heldLimits(hold ?? {}).map((limit) =>
    column(`Beyond ${limit.name}`, (row) => shareOf(row, 'capacity', beyondStatistic(limit))),
  );
  const makes = ({ name, step }: Row): Statement => {
    const [value = null, ...notes] = madeWords(name, step, measures);
    return { value, interval: null, notes, n: 0 };
  };
  const shown = { head: 'Shown', cell: ({ name, step }: Row) => loadShows(analysis, name, step) ?? 'not decided' };
  return table({
    label: `Steps of ${KIND_NAMES[kind]}`,
    as: 'scroll',
    classes: 'plain steps',
    columns: [
      { head: 'Variant', cell: ({ name }) => markedName(name, marks) },
      { head: 'Load', number: true, cell: ({ step }) => loadStepWords(step, plan.load) },
      column('Latency p50', (row) => latency(row, 'p50')),
      column('Latency p95', (row) => latency(row, 'p95')),
      column('Throughput', ({ name, step }) => throughputStatement(measures(name, 'throughput', 'rate', step), per)),
      ...(rows.some((row) => makes(row).value !== null) ? [column('Makes', makes)] : []),
      column('Errors', (row) => shareOf(row, 'error_rate', 'rate')),
      ...(hold === undefined ? [] : [...held, shown]),
      { head: 'n', number: true, cell: (row) => count(latency(row, 'p50').n) },
    ],
    rows,
    group: ({ name }) => name,
  });
}

function cell({ value, interval, notes: [first = ''] }: Statement): Markup {
  return html`${value ?? '–'}${interval === null ? html`<small class="why">${first}</small>` : html`<small>[${interval}]</small>`}`;
}

const HEIGHT = 150;

interface Ends {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

function endsOf(measure: Measure | null): Ends {
  return { value: measure?.value ?? null, low: measure?.ciLow ?? null, high: measure?.ciHigh ?? null };
}

interface SweepPoint {
  readonly step: number;
  readonly p50: Ends;
  readonly p95: number | null;
  readonly perSecond: Ends;
  /** The share of takes beyond each limit. */
  readonly beyond: readonly Ends[];
}

interface SweepCurve {
  readonly mark: VariantMark;
  readonly points: readonly SweepPoint[];
}

/** The largest values of the kind make figures comparable. */
interface SweepScale {
  readonly steps: readonly number[];
  readonly load: Load;
  readonly limits: readonly HeldLimit[];
  readonly mostMs: number;
  readonly mostRate: number;
  readonly per: 's' | 'min';
}

function pointsOf({ name }: VariantSummary, steps: readonly number[], analysis: Analysis): readonly SweepPoint[] {
  const { hold, plan } = analysis.run;
  const measures = measuresOf(analysis);
  const metric = headlineLatency(plan.load);
  return steps.map((step) => ({
    step,
    p50: endsOf(measures(name, metric, 'p50', step)),
    p95: measures(name, metric, 'p95', step)?.value ?? null,
    perSecond: endsOf(measures(name, 'throughput', 'rate', step)),
    beyond: heldLimits(hold ?? {}).map((limit) => endsOf(measures(name, 'capacity', beyondStatistic(limit), step))),
  }));
}

/** Of a lone step, or two: one of several is no curve. */
function hasThroughput(points: readonly SweepPoint[]): boolean {
  const known = points.filter(({ perSecond }) => perSecond.value !== null);
  return known.length >= Math.min(2, points.length);
}

/** Draws p95 only for a lone curve: rings of several would hide the curves. */
function sweepPlot(label: string, curves: readonly SweepCurve[], scale: SweepScale): Markup {
  const { per, mostMs, mostRate, steps, load, limits } = scale;
  const inUnit = per === 's' ? 1 : 60;
  const axis = stepsAxis(steps, load);
  const times = linearAxis(mostMs, 4);
  const isLone = curves.length === 1;
  const latency: Panel = {
    name: 'Latency',
    words: `mark p50, bar interval${isLone ? ', ring p95' : ''}; across: ${load.mode === 'open' ? 'arrivals' : 'in flight'}`,
    scale: times,
    print: times.format,
    valuesOf: ({ p50, p95 }) => ({ ...p50, tail: isLone ? p95 : null }),
    limits: limits.flatMap((limit) =>
      limit.limitMs === null ? [] : [{ at: limit.limitMs, words: `${limit.name} ${limitWords(limit)}` }],
    ),
  };
  const beyond = limits.map(
    ({ name, share: most }, at): Panel => ({
      name: name === 'errors' ? 'Takes that failed or were refused' : `Takes beyond ${name}`,
      words: 'bar: bounds',
      scale: linearAxis(1, 4),
      print: (value) => share(value),
      valuesOf: ({ beyond: shares }) => ({ ...(shares[at] ?? endsOf(null)), tail: null }),
      limits: [{ at: most, words: `limit ${share(most)}` }],
    }),
  );
  const throughput: Panel = {
    name: `Throughput, takes / ${per}`,
    words: 'bar interval',
    scale: linearAxis(mostRate * inUnit, 4),
    print: trimmed,
    valuesOf: ({ perSecond: { value, low, high } }) => {
      return { value: value && value * inUnit, low: low && low * inUnit, high: high && high * inUnit, tail: null };
    },
    limits: [],
  };
  const hasRates = curves.some(({ points }) => hasThroughput(points));
  const panels = [latency, ...beyond, ...(hasRates ? [throughput] : [])];
  return rowsFigure({ label, axis, rows: panels.map((panel) => rowOf(panel, curves, axis)) });
}

interface Panel {
  readonly name: string;
  readonly words: string;
  readonly scale: Axis;
  readonly print: (value: number) => string;
  readonly valuesOf: (point: SweepPoint) => Ends & { readonly tail: number | null };
  /** What the suite asks of a load, drawn across. */
  readonly limits: readonly { readonly at: number; readonly words: string }[];
}

function rowOf(panel: Panel, curves: readonly SweepCurve[], { place }: Axis): FigureRow {
  const { name, words: text, scale, print, valuesOf, limits } = panel;
  const y = (value: number): number => HEIGHT * (1 - scale.place(value));
  const lines = curves.map(({ mark, points }) => {
    const values = points.map((point) => ({ x: place(point.step), ...valuesOf(point) }));
    const pointsOf = (key: 'value' | 'tail'): readonly Point[] =>
      values.flatMap(({ x, [key]: value }) => (value === null ? [] : [[x, y(value)] as const]));
    const ranges = values.flatMap(({ x, low, high }) =>
      low === null || high === null ? [] : [upright(x, y(low), y(high))],
    );
    return { mark, values: pointsOf('value'), tails: pointsOf('tail'), ranges };
  });
  return {
    mark: null,
    name,
    words: text,
    height: HEIGHT,
    levels: scale.ticks.map((tick) => ({ y: y(tick), words: print(tick) })),
    paths: [
      path(
        limits.map(({ at }) => across(0, 1, y(at))),
        { stroke: 'var(--bad)', 'stroke-width': 1.5 },
      ),
      ...lines.flatMap(({ mark: { fill }, values, tails, ranges }) => [
        path([curve(tails)], { stroke: 'var(--muted)', 'stroke-width': 1.5, 'stroke-dasharray': '2 3' }),
        path(ranges, { stroke: fill, 'stroke-width': 7, 'stroke-opacity': 0.3 }),
        path([curve(values)], { stroke: fill, 'stroke-width': 1.5, 'stroke-linejoin': 'round' }),
      ]),
    ],
    signs: [
      ...lines.flatMap(({ mark: { outline, fill }, values, tails }) => [
        ...tails.map(([x, top]) =>
          circle(x, top, 3.5, { stroke: 'var(--muted)', 'stroke-width': 1.5, fill: 'var(--page)' }),
        ),
        ...values.map(([x, top]) => sign(outline, x, top, { fill })),
      ]),
      ...limits.map(({ at, words: limit }) =>
        words(1, y(at) - 5, limit, { dx: -4, 'text-anchor': 'end', ...WRITTEN, fill: 'var(--bad)' }),
      ),
    ],
  };
}

/** Shares of the width: the words of levels stand left of the first step. */
const FIRST = 0.08;
const LAST = 0.96;

/** Spaced by ratio, since steps mostly double; a single step is in the middle. */
function stepsAxis(steps: readonly number[], { mode }: Load): Axis {
  const low = Math.log(steps[0] ?? 1);
  const span = Math.log(steps.at(-1) ?? 1) - low;
  const place = (step: number): number => (span === 0 ? 0.5 : FIRST + ((Math.log(step) - low) / span) * (LAST - FIRST));
  return { type: 'log', ticks: steps, format: mode === 'open' ? arrivals : count, place };
}
