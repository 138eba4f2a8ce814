import type { Analysis } from '../../../analysis/analysis.ts';
import { hasNote, noteWords } from '../../../analysis/note.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { KIND_NAMES, variantNames } from '../../../kit/names.ts';
import { count, type DurationUnit, listed, rateUnit, share, shareInterval, trimmed } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { table } from '../../../markup/table.ts';
import { stepsWords, sweepSteps } from '../../../report/run-statement.ts';
import {
  byKind,
  latencyStatement,
  latencyUnits,
  type Measures,
  measuresOf,
  type Statement,
  statementOf,
  throughputStatement,
} from '../../../report/statement.ts';
import type { Kind } from '../../../suite/kind.ts';
import { type Axis, linearAxis } from '../../drawing/axis.ts';
import { type FigureRow, rowsFigure } from '../../drawing/rows-figure.ts';
import { circle, curve, type Point, path, sign, upright, WRITTEN, words } from '../../drawing/svg.ts';
import { markedName, type VariantMark, type VariantMarks } from '../../drawing/variant-mark.ts';
import { ofKind, section } from '../../markup/section.ts';

export function sweepSection(analysis: Analysis, marks: VariantMarks): Markup | null {
  const steps = sweepSteps(analysis.run.plan.load);
  if (steps === null) return null;
  const measures = measuresOf(analysis);
  const unitOf = latencyUnits(analysis);
  return section({
    anchor: 'sweep',
    title: `Latency ${analysis.variants.some((variant) => hasThroughput(pointsOf(variant, steps, measures))) ? 'and throughput ' : ''}by concurrency`,
    note: 'Up to the knee, more concurrency brings more throughput; beyond it, requests mostly wait for each other.',
    more: html`Every variant was measured alone at concurrency ${stepsWords(steps)}. The knee is the concurrency with the highest throughput / median latency (the maximum of
power, Kleinrock 1979); it is shown only where the intervals separate it from both ends of the sweep. Throughput counts only while all slots are full, without the end of a group of takes${isAnyTooShort(analysis) && '; where groups have too few takes for that, there is no throughput: add prompts, seeds or repeats'}.`,
    content: byKind(analysis.variants).map(([kind, variants]) =>
      ofKind(
        kind,
        analysis.variants,
        kindBlock(kind, variants, { steps, measures, marks, unit: unitOf(variants[0]?.name ?? '') }),
      ),
    ),
  });
}

function isAnyTooShort({ measures }: Analysis): boolean {
  return measures.some(({ metric, notes }) => metric === 'throughput' && hasNote(notes, 'slices_too_short'));
}

interface Sweep {
  readonly steps: readonly number[];
  readonly measures: Measures;
  readonly marks: VariantMarks;
  readonly unit: DurationUnit;
}

function kindBlock(kind: Kind, variants: readonly VariantSummary[], { steps, measures, marks, unit }: Sweep): Markup {
  const measured = variants.map((variant) => ({ variant, points: pointsOf(variant, steps, measures) }));
  const everyPoint = measured.flatMap(({ points }) => points);
  const per = rateUnit(everyPoint.map(({ perSecond }) => perSecond));
  const most = (values: readonly (number | null)[]): number =>
    values.reduce<number>((largest, value) => Math.max(largest, value ?? 0), 0) || 1;
  const scale: SweepScale = {
    steps,
    per,
    mostMs: most(everyPoint.flatMap(({ high, p95, p50 }) => [high, p95, p50])),
    mostRate: most(everyPoint.map(({ perSecond, perSecondHigh }) => perSecondHigh ?? perSecond)),
  };
  const drawn = measured.filter(({ points }) => points.some(({ p50 }) => p50 !== null));
  const figures = Array.from({ length: Math.ceil(drawn.length / MOST_CURVES) }, (_, at) =>
    drawn.slice(at * MOST_CURVES, (at + 1) * MOST_CURVES),
  );
  return html`${figures.map((group) => figure(group, scale, { measures, marks }))}
<ul class="statements">${kneeLines(variants, measures)}</ul>
<details class="fold"><summary>Numbers at each concurrency</summary>${numbers(kind, measured, per, { measures, marks, unit })}</details>`;
}

/** Curves in one figure; more go into the next, since marks must not hide each other. */
const MOST_CURVES = 4;

interface Measured {
  readonly variant: VariantSummary;
  readonly points: readonly SweepPoint[];
}

function figure(
  group: readonly Measured[],
  scale: SweepScale,
  { measures, marks }: Pick<Sweep, 'measures' | 'marks'>,
): Markup {
  const names = group.map(({ variant: { name } }) => name);
  const label = `${listed(names)}: latency and throughput against concurrency; the numbers are in the table below`;
  const curves = group.map(({ variant: { name }, points }): SweepCurve => {
    const knee = measures(name, 'knee', 'concurrency')?.value ?? null;
    return { mark: marks(name), points, knee };
  });
  return html`<ul class="legend">${names.map((name) => html`<li>${markedName(name, marks)}</li>`)}</ul>${sweepPlot(label, curves, scale)}`;
}

/** Variants with the same knee, or none for the same reason, share a line. */
function kneeLines(variants: readonly VariantSummary[], measures: Measures): readonly Markup[] {
  const groups = groupBy(variants, ({ name }) => kneeWords(name, measures));
  return [...groups].map(([words, group]) => {
    const names = group.map(({ name }) => name);
    return html`<li><b>${variantNames(names, variants.length)}</b> ${names.length > 1 && 'each: '}${words}</li>`;
  });
}

function kneeWords(name: string, measures: Measures): string {
  const knee = measures(name, 'knee', 'concurrency');
  if (knee === null) return 'not measured';
  if (knee.value === null) return noteWords(knee.notes);
  return `best concurrency (the knee) ${count(knee.value)}${knee.notes.length === 0 ? '' : `; ${noteWords(knee.notes)}`}`;
}

function numbers(
  kind: Kind,
  measured: readonly Measured[],
  per: 's' | 'min',
  { measures, marks, unit }: Pick<Sweep, 'measures' | 'marks' | 'unit'>,
): Markup {
  const rows = measured.flatMap(({ variant: { name }, points }) => points.map(({ step }) => ({ name, step })));
  type Row = (typeof rows)[number];
  const latency = ({ name, step }: Row, statistic: string): Statement =>
    latencyStatement(measures(name, 'latency.total', statistic, step), unit);
  const isKnee = ({ name, step }: Row) => measures(name, 'knee', 'concurrency')?.value === step;
  const column = (head: string, of: (row: Row) => Statement) => ({
    head,
    number: true,
    cell: (row: Row) => cell(of(row)),
  });
  return table({
    label: `Steps of ${KIND_NAMES[kind]}`,
    as: 'scroll',
    classes: 'plain steps',
    columns: [
      { head: 'Variant', cell: ({ name }) => markedName(name, marks) },
      {
        head: 'Concurrency',
        number: true,
        cell: (row) => [count(row.step), isKnee(row) && html` <span class="tag">knee</span>`],
      },
      column('Latency p50', (row) => latency(row, 'p50')),
      column('Latency p95', (row) => latency(row, 'p95')),
      column('Throughput', ({ name, step }) => throughputStatement(measures(name, 'throughput', 'rate', step), per)),
      column('Errors', ({ name, step }) =>
        statementOf(measures(name, 'error_rate', 'rate', step), share, shareInterval),
      ),
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

interface SweepPoint {
  readonly step: number;
  readonly p50: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly p95: number | null;
  readonly perSecond: number | null;
  readonly perSecondLow: number | null;
  readonly perSecondHigh: number | null;
}

interface SweepCurve {
  readonly mark: VariantMark;
  readonly points: readonly SweepPoint[];
  readonly knee: number | null;
}

/** The largest values of the kind make figures comparable. */
interface SweepScale {
  readonly steps: readonly number[];
  readonly mostMs: number;
  readonly mostRate: number;
  readonly per: 's' | 'min';
}

function pointsOf({ name }: VariantSummary, steps: readonly number[], measures: Measures): readonly SweepPoint[] {
  return steps.map((step) => {
    const median = measures(name, 'latency.total', 'p50', step);
    const throughput = measures(name, 'throughput', 'rate', step);
    return {
      step,
      p50: median?.value ?? null,
      low: median?.ciLow ?? null,
      high: median?.ciHigh ?? null,
      p95: measures(name, 'latency.total', 'p95', step)?.value ?? null,
      perSecond: throughput?.value ?? null,
      perSecondLow: throughput?.ciLow ?? null,
      perSecondHigh: throughput?.ciHigh ?? null,
    };
  });
}

/** Of a lone step, or two: one of several is no curve. */
function hasThroughput(points: readonly SweepPoint[]): boolean {
  const known = points.filter(({ perSecond }) => perSecond !== null);
  return known.length >= Math.min(2, points.length);
}

/** Draws p95 only for a lone curve: rings of several would hide the curves. */
function sweepPlot(label: string, curves: readonly SweepCurve[], scale: SweepScale): Markup {
  const { per, mostMs, mostRate, steps } = scale;
  const inUnit = per === 's' ? 1 : 60;
  const axis = stepsAxis(steps);
  const times = linearAxis(mostMs, 4);
  const isLone = curves.length === 1;
  const latency: Panel = {
    name: 'Latency',
    words: `mark p50, bar interval${isLone ? ', ring p95' : ''}`,
    scale: times,
    print: times.format,
    valuesOf: ({ p50, low, high, p95 }) => ({ value: p50, low, high, tail: isLone ? p95 : null }),
    kneeAt: 8,
  };
  const throughput: Panel = {
    name: `Throughput, assets / ${per}`,
    words: 'bar interval',
    scale: linearAxis(mostRate * inUnit, 4),
    print: trimmed,
    valuesOf: ({ perSecond, perSecondLow, perSecondHigh }) => {
      const [value, low, high] = [perSecond, perSecondLow, perSecondHigh].map((rate) => rate && rate * inUnit);
      return { value: value ?? null, low: low ?? null, high: high ?? null, tail: null };
    },
    kneeAt: HEIGHT - 9,
  };
  const panels = curves.some(({ points }) => hasThroughput(points)) ? [latency, throughput] : [latency];
  return rowsFigure({ label, axis, rows: panels.map((panel) => rowOf(panel, curves, axis)) });
}

interface Panel {
  readonly name: string;
  readonly words: string;
  readonly scale: Axis;
  readonly print: (value: number) => string;
  readonly valuesOf: (point: SweepPoint) => Readonly<Record<'value' | 'low' | 'high' | 'tail', number | null>>;
  /** Pixels from the top, where the word "knee" is clear of the curves. */
  readonly kneeAt: number;
}

function rowOf(panel: Panel, curves: readonly SweepCurve[], { place }: Axis): FigureRow {
  const { name, words: text, scale, print, valuesOf, kneeAt } = panel;
  const y = (value: number): number => HEIGHT * (1 - scale.place(value));
  const lines = curves.map(({ mark, points, knee }) => {
    const values = points.map((point) => ({ x: place(point.step), ...valuesOf(point) }));
    const pointsOf = (key: 'value' | 'tail'): readonly Point[] =>
      values.flatMap(({ x, [key]: value }) => (value === null ? [] : [[x, y(value)] as const]));
    const ranges = values.flatMap(({ x, low, high }) =>
      low === null || high === null ? [] : [upright(x, y(low), y(high))],
    );
    return { mark, knee, values: pointsOf('value'), tails: pointsOf('tail'), ranges };
  });
  const knees = [...new Set(curves.flatMap(({ knee }) => knee ?? []))];
  return {
    mark: null,
    name,
    words: text,
    height: HEIGHT,
    levels: scale.ticks.map((tick) => ({ y: y(tick), words: print(tick) })),
    paths: [
      ...lines.map(
        ({ knee, mark }) =>
          knee !== null && path([upright(place(knee), 0, HEIGHT)], { stroke: mark.fill, 'stroke-dasharray': '4 3' }),
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
      ...knees.map((knee) =>
        words(place(knee), kneeAt, 'knee', {
          dx: 6,
          fill: 'var(--text)',
          'font-weight': 600,
          'text-anchor': 'start',
          ...WRITTEN,
        }),
      ),
    ],
  };
}

/** Shares of the width: the words of levels stand left of the first step. */
const FIRST = 0.08;
const LAST = 0.96;

/** Spaced by ratio, since steps mostly double; a single step is in the middle. */
function stepsAxis(steps: readonly number[]): Axis {
  const low = Math.log(steps[0] ?? 1);
  const span = Math.log(steps.at(-1) ?? 1) - low;
  const place = (step: number): number => (span === 0 ? 0.5 : FIRST + ((Math.log(step) - low) / span) * (LAST - FIRST));
  return { type: 'log', ticks: steps, format: count, place };
}
