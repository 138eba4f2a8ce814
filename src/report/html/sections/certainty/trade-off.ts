import type { Analysis, Measure } from '../../../../analysis/analysis.ts';
import type { Unit } from '../../../../analysis/measures/unit.ts';
import { type TradeOff, type TradeOffAxis, tradeOffs } from '../../../../compare/trade-off.ts';
import { type DurationUnit, duration } from '../../../../text/wording.ts';
import { latencyUnits } from '../../../statements/statement.ts';
import { KIND_NAMES } from '../../../words/names.ts';
import { valueWords } from '../../../words/value-words.ts';
import { tradeOffPlot } from '../../drawing/trade-off-plot.ts';
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

/** A figure for each kind where something beside latency differs; variants on the Pareto front are marked. */
export function tradeOffSection(analysis: Analysis, marks: VariantMarks): Markup | null {
  const baselines = new Set(analysis.variants.filter(({ baseline }) => baseline).map(({ name }) => name));
  const unitOf = latencyUnits(analysis);
  const figures = tradeOffs(analysis).flatMap((found) => {
    const plotted = found.axes.length < 2 ? null : plottedAxes(found);
    if (plotted === null) return [];
    const drawn = figure(found, plotted, { marks, baselines, latency: unitOf(found.variants[0]?.variant ?? '') });
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
  readonly latency: DurationUnit;
}

function figure(found: TradeOff, { xAt, y, yAt }: PlottedAxes, { marks, baselines, latency }: TradeOffLook): Markup {
  const name = KIND_NAMES[found.kind];
  const unit = found.variants[0]?.measures[yAt]?.unit ?? '1';
  return html`<h4>${axisName(y)} against latency</h4>
${tradeOffPlot({
  label: `${axisName(y)} against latency of ${name}, a mark for each variant; the numbers are in the table below`,
  axes: `Up: ${axisName(y).toLowerCase()}; right: latency p50`,
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
})}
<details class="fold"><summary>All columns of this trade-off</summary>
<p class="note">In each column less is better. On the front: no other variant is at least as good in every column and better in one, by the values alone.</p>
${table(found, marks, latency)}</details>`;
}

interface PlottedAxes {
  readonly xAt: number;
  readonly y: TradeOffAxis;
  readonly yAt: number;
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

/** Latency against cost where cost differs, else against what spreads most; null where nothing else differs. */
function plottedAxes({ axes, variants }: TradeOff): PlottedAxes | null {
  const xAt = axes.findIndex(({ metric }) => metric.startsWith('latency.'));
  if (xAt < 0) return null;
  const spreadAt = (at: number): number => {
    const values = variants.map(({ measures }) => measures[at]?.value ?? 0);
    const high = values.reduce((a, b) => Math.max(a, b), 0);
    return high === 0 ? 0 : (high - values.reduce((a, b) => Math.min(a, b), high)) / high;
  };
  const others = [...axes.entries()].filter(([at]) => at !== xAt && spreadAt(at) > 0);
  const cost = others.find(([, { metric }]) => metric === 'cost.per_output');
  const [chosen] = cost === undefined ? others.toSorted(([a], [b]) => spreadAt(b) - spreadAt(a)) : [cost];
  return chosen === undefined ? null : { xAt, yAt: chosen[0], y: chosen[1] };
}
