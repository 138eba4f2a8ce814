import type { Analysis, Measure, VariantSummary } from '../../../../analysis/analysis.ts';
import { headlineLatency } from '../../../../analysis/samples/headline.ts';
import type { Kind, Load } from '../../../../suite/format/suite.ts';
import {
  count,
  duration,
  durationInterval,
  durationUnit,
  plural,
  rateUnit,
  share,
  shareInterval,
  usd,
} from '../../../../text/quantity.ts';
import { indistinctVariants } from '../../../statements/noise-floor.ts';
import { sameOutputs } from '../../../statements/sameness.ts';
import { byKind, type Measures, measuresOf, type Statement, statementOf } from '../../../statements/statement.ts';
import { throughputRange, throughputStatement } from '../../../statements/throughput-statement.ts';
import { KIND_NAMES } from '../../../words/kind-name.ts';
import { LEVEL_WORDS } from '../../../words/level-words.ts';
import { sweepSteps } from '../../../words/load-words.ts';
import { noteWords } from '../../../words/note-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** A line of evidence up to this long is not broken: `no CI: n < 59`. */
const MOST_UNBROKEN = 24;

/** The variants side by side, a table for each kind; every number with its interval or the reason why not, and its n. */
export function variantsSection(analysis: Analysis): Markup {
  const measures = measuresOf(analysis);
  const { load } = analysis.run.plan;
  return html`<section id="variants" aria-labelledby="variants-title">
<h2 id="variants-title">Variants side by side</h2>
<p class="note">${LATENCY_NOTES[load.mode]}${sweepSteps(load) !== null && ' It depends on concurrency: see By concurrency below.'} Brackets are 95 % intervals for these prompts
in this run; they assume independent takes and are not adjusted for multiple comparisons.</p>
${byKind(analysis.variants).map(([kind, variants]) => table(kind, variants, analysis, measures))}
</section>`;
}

const LATENCY_NOTES: Readonly<Record<Load['mode'], string>> = {
  closed: 'Latency is how long a caller waits for one asset, over delivered takes.',
  open: 'Latency is how long a caller waits for one asset from when the call was due (latency.response), over delivered takes.',
};

function table(kind: Kind, variants: readonly VariantSummary[], analysis: Analysis, measures: Measures): Markup {
  const of = (metric: string, statistic: string) => variants.map(({ name }) => measures(name, metric, statistic));
  const values = (metric: string, statistic: string) => of(metric, statistic).map((measure) => measure?.value ?? null);
  const { load } = analysis.run.plan;
  const metric = headlineLatency(load);
  const sweep = sweepSteps(load) !== null;
  const unit = durationUnit([...values(metric, 'p50'), ...values(metric, 'p95')]);
  const per = rateUnit(variants.map(({ name }) => highestRate(measures, name)));
  const priced = values('cost.per_output', 'mean').some((value) => value !== null);
  const latency = (name: string, statistic: string): Statement =>
    statementOf(
      measures(name, metric, statistic),
      (ms) => duration(ms, unit),
      (low, high) => durationInterval(low, high, unit),
    );
  const rows = variants.map((variant) => {
    const outputs = sameOutputs(variant, analysis.cells, measures);
    const cells: readonly (readonly [string, Markup])[] = [
      ...(sweep
        ? [['Knee', kneeOf(measures(variant.name, 'knee', 'concurrency'))] as const]
        : [
            [
              'Latency p50',
              stated(
                latency(variant.name, 'p50'),
                generationOf(
                  measures(variant.name, 'latency.generation_low', 'p50'),
                  measures(variant.name, 'latency.generation', 'p50'),
                  unit,
                ),
              ),
            ] as const,
            ['Latency p95', stated(latency(variant.name, 'p95'))] as const,
          ]),
      ['Errors', stated(statementOf(measures(variant.name, 'error_rate', 'rate'), share, shareInterval))],
      [
        'Same output',
        figure(outputs.value, [
          outputs.value !== null && LEVEL_WORDS[outputs.level].same,
          outputs.bound,
          outputs.tooFew > 0 && `${plural(outputs.tooFew, 'more cell')}: too few takes`,
        ]),
      ],
      ...(sweep ? [] : [['Throughput', stated(throughputStatement(measures, variant.name, null, per))] as const]),
    ];
    const cost = statementOf(
      measures(variant.name, 'cost.per_output', 'mean'),
      usd,
      (low, high) => `${usd(low)} – ${usd(high)}`,
    );
    const all = priced ? [...cells, ['Cost per output', stated(cost)] as const] : cells;
    return html`<tr role="row"><th scope="row" role="rowheader">${nameOf(variant)}</th>${all.map(
      ([label, cell]) => html`<td role="cell" data-label="${label}">${cell}</td>`,
    )}</tr>
`;
  });
  const middle = sweep ? ['Knee'] : ['Latency p50', 'Latency p95'];
  const heads = ['Variant', ...middle, 'Errors', 'Same output in all takes', ...(sweep ? [] : ['Throughput'])];
  if (priced) heads.push('Cost per output');
  return html`<h3>${KIND_NAMES[kind]}</h3>
<table class="side-by-side" role="table" aria-label="${`Variants of ${KIND_NAMES[kind]}`}"><thead role="rowgroup"><tr role="row">${heads.map(
    (head) => html`<th scope="col" role="columnheader">${head}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>
${indistinctVariants(analysis, variants).map((sentence) => html`<p class="note">${sentence}</p>`)}`;
}

function highestRate(measures: Measures, name: string): number | null {
  const { value, high } = throughputRange(measures, name, null);
  return value ?? high;
}

function nameOf(variant: VariantSummary): Markup {
  const constants = Object.entries(variant.constants).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const { ok = 0, dropped = 0 } = variant.outcomes;
  return html`<span class="name">${variant.name}</span>${variant.baseline && html` <span class="tag">baseline</span>`}${variant.twinOf !== null && html` <span class="tag">stored baseline</span>`}
<small>${variant.target}${constants.length > 0 && html`<br>${constants.join(', ')}`}<br>${count(ok)} of ${count(variant.plannedTrials)} takes delivered${dropped > 0 && html`<br>${count(dropped)} dropped, never sent`}</small>`;
}

/** The concurrency at which a sweep bends; its reasons are words, so they may break. */
function kneeOf(measure: Measure | null): Markup {
  const steps = measure === null || measure.n === 0 ? '' : `of ${plural(measure.n, 'step')}`;
  if (measure === null || measure.value === null)
    return figure(null, [measure === null ? 'not measured' : noteWords(measure.notes)]);
  return figure(`concurrency ${count(measure.value)}`, [noteWords(measure.notes), steps]);
}

/** What of the median is generation, between the least and the most that polls saw; nothing where none was polled. */
function generationOf(low: Measure | null, high: Measure | null, unit: ReturnType<typeof durationUnit>): string {
  if (low === null || low.value === null || high === null || high.value === null) return '';
  return `generation ${durationInterval(low.value, high.value, unit)} between polls`;
}

function stated({ value, interval, notes, n }: Statement, more = ''): Markup {
  return figure(value, [interval !== null && `[${interval}]`, notes.join('; '), n > 0 && `n = ${count(n)}`, more]);
}

function figure(value: string | null, evidence: readonly (string | false)[]): Markup {
  return html`<span class="${value === null ? 'figure none' : 'figure'}">${value ?? '–'}</span>${evidence
    .filter((line): line is string => line !== false && line !== '')
    .map((line) => html`<small${line.length <= MOST_UNBROKEN && html` class="whole"`}>${line}</small>`)}`;
}
