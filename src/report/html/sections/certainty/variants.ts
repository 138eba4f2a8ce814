import type { Analysis, Measure, VariantSummary } from '../../../../analysis/analysis.ts';
import { headlineLatency } from '../../../../analysis/samples/headline.ts';
import type { Kind, Load } from '../../../../suite/format/suite.ts';
import {
  count,
  type DurationUnit,
  duration,
  durationInterval,
  plural,
  rateUnit,
  share,
  shareInterval,
  usd,
} from '../../../../text/quantity.ts';
import { latencyUnits } from '../../../statements/latency-unit.ts';
import { indistinctVariants } from '../../../statements/noise-floor.ts';
import { sameOutputs } from '../../../statements/sameness.ts';
import { byKind, type Measures, measuresOf, type Statement, statementOf } from '../../../statements/statement.ts';
import { throughputRange, throughputStatement } from '../../../statements/throughput-statement.ts';
import { noteWords } from '../../../words/measures/note-words.ts';
import { LEVEL_WORDS } from '../../../words/outputs/level-words.ts';
import { KIND_NAMES } from '../../../words/run/kind-name.ts';
import { sweepSteps } from '../../../words/run/load-words.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { kindHead } from '../../markup/kind-head.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { partFacts } from './variant-facts.ts';

/** A line of evidence up to this long is not broken: `no interval: n < 59`. */
const MOST_UNBROKEN = 28;

/** A table of more variants scrolls within its frame. */
const MOST_ROWS = 12;

/** The variants side by side, a table for each kind; every number with its interval or the reason why not, and its n. */
export function variantsSection(analysis: Analysis, marks: VariantMarks): Markup {
  const measures = measuresOf(analysis);
  const { load } = analysis.run.plan;
  return html`<section id="numbers" aria-labelledby="numbers-title">
<h3 id="numbers-title">Numbers of each variant</h3>
<p class="note">${LATENCY_NOTES[load.mode]}${sweepSteps(load) !== null && ' It depends on concurrency: see By concurrency above.'} Brackets are 95 % intervals for these prompts
in this run; they assume independent takes and are not adjusted for multiple comparisons. n is the delivered takes of the variant where no other n stands.${analysis.measures.some(({ metric }) => metric === 'latency.generation_low') && ' Generation is latency without the download; it ended between two polls.'}</p>
${byKind(analysis.variants).map(([kind, variants]) => table(kind, variants, analysis, { measures, marks }))}
</section>`;
}

const LATENCY_NOTES: Readonly<Record<Load['mode'], string>> = {
  closed: 'Latency is how long a caller waits for one asset, over delivered takes.',
  open: 'Latency is how long a caller waits for one asset from when the call was due (latency.response), over delivered takes.',
};

function table(
  kind: Kind,
  variants: readonly VariantSummary[],
  analysis: Analysis,
  { measures, marks }: { readonly measures: Measures; readonly marks: VariantMarks },
): Markup {
  const of = (metric: string, statistic: string) => variants.map(({ name }) => measures(name, metric, statistic));
  const values = (metric: string, statistic: string) => of(metric, statistic).map((measure) => measure?.value ?? null);
  const { load } = analysis.run.plan;
  const metric = headlineLatency(load);
  const sweep = sweepSteps(load) !== null;
  const unitOf = latencyUnits(analysis);
  const per = rateUnit(variants.map(({ name }) => highestRate(measures, name)));
  const priced = values('cost.per_output', 'mean').some((value) => value !== null);
  const latency = (name: string, statistic: string): Statement =>
    statementOf(
      measures(name, metric, statistic),
      (ms) => duration(ms, unitOf(name)),
      (low, high) => durationInterval(low, high, unitOf(name)),
    );
  const facts = partFacts(variants);
  const notes: string[] = [];
  const rows = variants.map((variant) => {
    const outputs = sameOutputs(variant, analysis.cells, measures);
    const cells: readonly (readonly [string, NumberCell])[] = [
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
                  unitOf(variant.name),
                ),
              ),
            ] as const,
            ['Latency p95', stated(latency(variant.name, 'p95'))] as const,
          ]),
      ['Errors', stated(statementOf(measures(variant.name, 'error_rate', 'rate'), share, shareInterval))],
      [
        'Equal repeats',
        {
          value: outputs.value,
          evidence: outputs.value === null ? outputs.bound : LEVEL_WORDS[outputs.level].same,
          third: outputs.tooFew > 0 ? `${plural(outputs.tooFew, 'more cell')}: too few takes` : outputs.shortBound,
          n: null,
          notes: outputs.value === null ? [] : [outputs.bound],
        },
      ],
      ...(sweep ? [] : [['Throughput', stated(throughputStatement(measures, variant.name, null, per))] as const]),
    ];
    const cost = statementOf(
      measures(variant.name, 'cost.per_output', 'mean'),
      usd,
      (low, high) => `${usd(low)} – ${usd(high)}`,
    );
    const all: readonly (readonly [string, NumberCell])[] = priced
      ? [...cells, ['Cost per output', stated(cost)]]
      : cells;
    notes.push(...notesOf(variant.name, all));
    const numberOf = (of: string, statistic: string) => measures(variant.name, of, statistic)?.value ?? null;
    const values = new Map([
      ['Knee', numberOf('knee', 'concurrency')],
      ['Latency p50', numberOf(metric, 'p50')],
      ['Latency p95', numberOf(metric, 'p95')],
      ['Errors', numberOf('error_rate', 'rate')],
      ['Throughput', highestRate(measures, variant.name)],
      ['Cost per output', numberOf('cost.per_output', 'mean')],
    ]);
    /** What the script sorts the column by. */
    const sortedBy = (label: string): Markup | false => {
      const value = values.get(label) ?? null;
      return value !== null && html` data-value="${value}"`;
    };
    return html`<tr role="row"><th scope="row" role="rowheader">${nameOf(variant, marks, facts.own(variant))}</th>${all.map(
      ([label, cell]) =>
        html`<td role="cell" data-label="${label}"${sortedBy(label)}>${figure(cell, okOf(variant))}</td>`,
    )}</tr>
`;
  });
  const middle = sweep ? ['Knee'] : ['Latency p50', 'Latency p95'];
  const heads = ['Variant', ...middle, 'Errors', 'Equal repeats', ...(sweep ? [] : ['Throughput'])];
  if (priced) heads.push('Cost per output');
  const label = `Variants of ${KIND_NAMES[kind]}`;
  const content = html`<table class="side-by-side numbers sortable" role="table" aria-label="${label}"><thead role="rowgroup"><tr role="row">${heads.map(
    (head) => html`<th scope="col" role="columnheader">${head}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>`;
  return html`${kindHead(kind, analysis.variants)}
${facts.common !== null && html`<p class="note">${facts.common}</p>`}
${variants.length > MOST_ROWS ? html`<div class="tall" tabindex="0" role="group" aria-label="${`${label}: scrolls`}">${content}</div>` : content}
${notes.length > 0 && html`<details class="fold"><summary>Notes on these numbers</summary><ul class="statements">${notes.map((note) => html`<li>${note}</li>`)}</ul></details>`}
${indistinctVariants(analysis, variants).map((sentence) => html`<p class="note">${sentence}</p>`)}`;
}

function highestRate(measures: Measures, name: string): number | null {
  const { value, high } = throughputRange(measures, name, null);
  return value ?? high;
}

function nameOf(variant: VariantSummary, marks: VariantMarks, lines: readonly string[]): Markup {
  return html`${markedName(variant.name, marks)}${variant.baseline && html` <span class="tag">baseline</span>`}${variant.twinOf !== null && html` <span class="tag">stored baseline, sent again</span>`}
${lines.map((line) => html`<small>${line}</small>`)}`;
}

/** A number of the table in three lines: the value, its interval or why it has none, and what else matters most; the rest are notes below. */
interface NumberCell {
  readonly value: string | null;
  readonly evidence: string;
  readonly third: string;
  /** Null where it counts no takes. */
  readonly n: number | null;
  readonly notes: readonly string[];
}

/** The concurrency at which a sweep bends; its reasons are words, so they may break. */
function kneeOf(measure: Measure | null): NumberCell {
  if (measure === null) return { value: null, evidence: 'not measured', third: '', n: null, notes: [] };
  const third = measure.n === 0 || measure.value === null ? '' : `of ${plural(measure.n, 'step')}`;
  const value = measure.value === null ? null : `concurrency ${count(measure.value)}`;
  return { value, evidence: noteWords(measure.notes), third, n: null, notes: [] };
}

/** What of the median is generation, from the least to the most that polls allow; nothing where none was polled. */
function generationOf(low: Measure | null, high: Measure | null, unit: DurationUnit): string {
  if (low === null || low.value === null || high === null || high.value === null) return '';
  return `generation ${durationInterval(low.value, high.value, unit)}`;
}

function stated({ value, interval, notes, n }: Statement, third = ''): NumberCell {
  const [first = '', ...rest] = notes;
  return interval === null
    ? { value, evidence: first, third, n, notes: rest }
    : { value, evidence: `[${interval}]`, third, n, notes };
}

function figure({ value, evidence, third, n }: NumberCell, delivered: number): Markup {
  const lines = [evidence, third === '' && n !== null && n > 0 && n !== delivered ? `n = ${count(n)}` : third];
  return html`<span class="${value === null ? 'figure none' : 'figure'}">${value ?? '–'}</span>${lines
    .filter((line) => line !== '')
    .map((line) => html`<small${line.length <= MOST_UNBROKEN && html` class="whole"`}>${line}</small>`)}`;
}

/** What did not fit into three lines: `anime-fast, latency p50: interval as for 21.7 independent takes; r = 0.25`. */
function notesOf(variant: string, cells: readonly (readonly [string, NumberCell])[]): readonly string[] {
  return cells.flatMap(([head, { notes, third, n }]) => {
    const words = [...notes, ...(third !== '' && n !== null && n > 0 ? [`n = ${count(n)}`] : [])];
    return words.length === 0 ? [] : [`${variant}, ${head.toLowerCase()}: ${words.join('; ')}`];
  });
}

function okOf({ outcomes }: VariantSummary): number {
  return outcomes.ok ?? 0;
}
