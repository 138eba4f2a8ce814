import type { Analysis, Measure } from '../../../../analysis/analysis.ts';
import type { Unit } from '../../../../analysis/measures/unit.ts';
import { type TradeOff, type TradeOffAxis, tradeOffs } from '../../../../compare/trade-off.ts';
import { type DurationUnit, duration, listed } from '../../../../text/wording.ts';
import { scoreMetrics } from '../../../statements/score-statement.ts';
import { latencyUnits } from '../../../statements/statement.ts';
import { KIND_NAMES } from '../../../words/names.ts';
import { valueWords } from '../../../words/value-words.ts';
import { tradeOffNote, tradeOffPlot } from '../../drawing/trade-off-plot.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { ofKind } from '../../markup/scope.ts';
import { section } from '../../markup/section.ts';
import { stackedTable } from '../../markup/tables.ts';

const AXIS_NAMES: ReadonlyMap<string, string> = new Map([
  ['latency.total', 'Latency p50'],
  ['latency.response', 'Latency p50'],
  ['cost.per_output', 'Cost per output'],
  ['error_rate', 'Errors'],
  ['block_rate', 'Blocked'],
  ['determinism.byte', 'Takes that differ'],
]);

/** More scores are left to the table. */
const MOST_SCORES = 2;

/** Figures for each kind where something beside latency differs; variants on the Pareto front are marked. */
export function tradeOffSection(analysis: Analysis, marks: VariantMarks): Markup | null {
  const baselines = new Set(analysis.variants.filter(({ baseline }) => baseline).map(({ name }) => name));
  const scores = new Set(scoreMetrics(analysis).map(({ name }) => name));
  const unitOf = latencyUnits(analysis);
  const figures = tradeOffs(analysis).flatMap((found) => {
    const xAt = found.axes.findIndex(({ metric }) => metric.startsWith('latency.'));
    const plotted = xAt < 0 ? [] : plottedAxes(found, xAt, scores);
    if (plotted.length === 0) return [];
    const look = { marks, baselines, scores, latency: unitOf(found.variants[0]?.variant ?? '') };
    const drawn = html`${plotted.map((yAt) => figure(found, { xAt, yAt }, look))}
${tradeOffNote(found.variants.length)}
${allColumns(found, look)}`;
    return [ofKind(found.kind, analysis.variants, drawn)];
  });
  if (figures.length === 0) return null;
  return section({
    anchor: 'trade-off',
    title: 'What the speed goes with',
    note: 'Down and left is better. The line joins the variants that no other one beats in every column.',
    content: figures,
  });
}

interface TradeOffLook {
  readonly marks: VariantMarks;
  readonly baselines: ReadonlySet<string>;
  readonly scores: ReadonlySet<string>;
  readonly latency: DurationUnit;
}

function figure(
  found: TradeOff,
  { xAt, yAt }: { readonly xAt: number; readonly yAt: number },
  { marks, baselines, scores, latency }: TradeOffLook,
): Markup {
  const y = found.axes[yAt];
  if (y === undefined) return html``;
  const isScore = scores.has(y.metric);
  const name = KIND_NAMES[found.kind];
  const unit = found.variants[0]?.measures[yAt]?.unit ?? '1';
  return html`<h4>${axisName(y)} against latency</h4>
${tradeOffPlot({
  label: `${axisName(y)} against latency of ${name}, a mark for each variant; the numbers are in the table below`,
  axes: `${isScore && y.better === 'higher' ? 'Down: higher' : 'Up:'} ${axisName(y).toLowerCase()}; right: latency p50`,
  upwards: isScore ? `${y.better}_score` : 'from_zero',
  dots: found.variants.map(({ variant, measures, isOnFront }) => {
    const values = [measures[xAt], measures[yAt]].map((measure) =>
      axisWords(measure?.value ?? 0, measure?.unit ?? '1', latency),
    );
    return {
      name: variant,
      mark: marks(variant),
      x: measures[xAt]?.value ?? 0,
      y: measures[yAt]?.value ?? 0,
      isOnFront,
      isBaseline: baselines.has(variant),
      title: `${variant}: latency p50 ${values[0]}, ${axisName(y).toLowerCase()} ${values[1]}`,
    };
  }),
  print: (value) => valueWords(value, unit),
})}`;
}

/** In the order of the axes; a figure leaves out all but two. */
function allColumns(found: TradeOff, { marks, latency }: TradeOffLook): Markup {
  const more = found.axes.filter(({ better }) => better === 'higher').map(axisName);
  return html`<details class="fold"><summary>All columns of this trade-off</summary>
<p class="note">In each column less is better${more.length > 0 && `; in ${listed(more)} more is better`}. On the front: no other variant is at least as good in every column and better in one, by the values alone.</p>
${table(found, marks, latency)}</details>`;
}

function table({ kind, axes, variants }: TradeOff, marks: VariantMarks, latency: DurationUnit): Markup {
  const heads = ['Variant', ...axes.map(axisName), 'Pareto front'];
  const rows = variants.map(
    ({ variant, measures, isOnFront }) =>
      html`<tr role="row"><th scope="row" role="rowheader">${markedName(variant, marks)}</th>${measures.map(
        (measure, at) =>
          html`<td role="cell" data-label="${axisName(axes[at] ?? measure)}">${axisWords(measure.value ?? 0, measure.unit, latency)}</td>`,
      )}<td role="cell" data-label="Pareto front">${isOnFront ? html`<span class="tag">on the front</span>` : 'no'}</td></tr>
`,
  );
  return stackedTable(`Trade-off of ${KIND_NAMES[kind]}`, heads, rows);
}

function axisWords(value: number, unit: Unit, latency: DurationUnit): string {
  return unit === 'ms' ? duration(value, latency) : valueWords(value, unit);
}

function axisName({ metric }: Pick<Measure, 'metric'> | TradeOffAxis): string {
  return AXIS_NAMES.get(metric) ?? metric;
}

/**
 * What latency is drawn against: scores that differ, then cost where that differs, else what spreads most; empty where
 * nothing differs.
 */
function plottedAxes({ axes, variants }: TradeOff, xAt: number, scores: ReadonlySet<string>): readonly number[] {
  const spreadAt = (at: number): number => {
    const values = variants.map(({ measures }) => measures[at]?.value ?? 0);
    const high = values.reduce((a, b) => Math.max(a, b), 0);
    return high === 0 ? 0 : (high - values.reduce((a, b) => Math.min(a, b), high)) / high;
  };
  const differsAt = (at: number): boolean =>
    variants.some(({ measures }) => measures[at]?.value !== variants[0]?.measures[at]?.value);
  const isScore = (at: number): boolean => scores.has(axes[at]?.metric ?? '');
  const others = [...axes.keys()].filter((at) => at !== xAt);
  const facts = others.filter((at) => !isScore(at) && spreadAt(at) > 0);
  const cost = facts.find((at) => axes[at]?.metric === 'cost.per_output');
  return [
    ...others.filter((at) => isScore(at) && differsAt(at)).slice(0, MOST_SCORES),
    ...(cost === undefined ? facts.toSorted((a, b) => spreadAt(b) - spreadAt(a)) : [cost]).slice(0, 1),
  ];
}
