import type { Analysis } from '../../../analysis/analysis.ts';
import { hasNote, noteWords } from '../../../analysis/note.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { KIND_NAMES, variantNames } from '../../../kit/names.ts';
import { count, type DurationUnit, listed, rateUnit, share, shareInterval } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { stepsWords, sweepSteps } from '../../../report/load-words.ts';
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
import { pointsOf, type SweepCurve, type SweepPoint, type SweepScale, sweepPlot } from '../../drawing/sweep-plot.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { ofKind } from '../../markup/scope.ts';
import { section } from '../../markup/section.ts';

export function sweepSection(analysis: Analysis, marks: VariantMarks): Markup | null {
  const steps = sweepSteps(analysis.run.plan.load);
  if (steps === null) return null;
  const measures = measuresOf(analysis);
  const unitOf = latencyUnits(analysis);
  return section({
    anchor: 'sweep',
    title: 'Latency and throughput by concurrency',
    note: 'Up to the knee, more concurrency brings more throughput; beyond it, requests mostly wait for each other.',
    more: html`Every variant was measured alone at concurrency ${stepsWords(steps)}. The knee is the concurrency with the highest throughput / median latency (the maximum of
power, Kleinrock 1979); it is shown only where the intervals separate it from both ends of the sweep. Throughput counts only while all slots are full, without the drain of a slice${isAnyTooShort(analysis) && '; where slices have too few takes for that, there is no throughput or only a range: add prompts, seeds or repeats'}.`,
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
  const per = rateUnit(everyPoint.map(({ perSecond, perSecondHigh }) => perSecond ?? perSecondHigh));
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
<details class="fold"><summary>Numbers at each concurrency</summary>${table(kind, measured, per, { measures, marks, unit })}</details>`;
}

/** More are drawn below: their marks must not hide each other. */
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
  return `knee at concurrency ${count(knee.value)}${knee.notes.length === 0 ? '' : `; ${noteWords(knee.notes)}`}`;
}

function table(
  kind: Kind,
  measured: readonly Measured[],
  per: 's' | 'min',
  { measures, marks, unit }: Pick<Sweep, 'measures' | 'marks' | 'unit'>,
): Markup {
  const row = ({ name }: VariantSummary, { step }: SweepPoint, head: Markup | false): Markup => {
    const latency = (statistic: string): Statement =>
      latencyStatement(measures(name, 'latency.total', statistic, step), unit);
    const median = latency('p50');
    const isKnee = measures(name, 'knee', 'concurrency')?.value === step;
    const throughput = throughputStatement(measures, name, step, per);
    const errors = statementOf(measures(name, 'error_rate', 'rate', step), share, shareInterval);
    return html`<tr>${head}<td class="number">${count(step)}${isKnee && html` <span class="tag">knee</span>`}</td>
${[median, latency('p95'), throughput, errors].map(cell)}<td class="number">${count(median.n)}</td></tr>
`;
  };
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${`Steps of ${KIND_NAMES[kind]}: scrolls sideways`}"><table class="plain steps">
<thead><tr><th scope="col">Variant</th><th scope="col" class="number">Concurrency</th><th scope="col" class="number">Latency p50</th><th scope="col" class="number">Latency p95</th><th scope="col" class="number">Throughput</th><th scope="col" class="number">Errors</th><th scope="col" class="number">n</th></tr></thead>
${measured.map(
  ({ variant, points }) =>
    html`<tbody>${points.map((point, at) =>
      row(
        variant,
        point,
        at === 0 && html`<th scope="rowgroup" rowspan="${points.length}">${markedName(variant.name, marks)}</th>`,
      ),
    )}</tbody>`,
)}</table></div>`;
}

function cell({ value, interval, notes }: Statement): Markup {
  const [first = ''] = notes;
  return html`<td class="number">${value ?? '–'}${interval === null ? html`<small class="why">${first}</small>` : html`<small>[${interval}]</small>`}</td>`;
}
