import type { Analysis, Measure, VariantSummary } from '../../../../analysis/analysis.ts';
import { hasNote } from '../../../../analysis/note.ts';
import { headlineLatency } from '../../../../analysis/samples/headline.ts';
import type { Comparison } from '../../../../compare/comparison.ts';
import {
  count,
  duration,
  durationInterval,
  durationUnit,
  share,
  shareInterval,
  usd,
} from '../../../../text/quantity.ts';
import { headlineComparisons, tellsApart } from '../../../statements/comparison-statement.ts';
import { sameOutputs } from '../../../statements/sameness.ts';
import { speedEvidence, speedWords } from '../../../statements/speed-statement.ts';
import { byKind, type Measures, measuresOf, statementOf } from '../../../statements/statement.ts';
import { KIND_NAMES } from '../../../words/kind-name.ts';
import { LEVEL_WORDS } from '../../../words/level-words.ts';
import { sweepSteps } from '../../../words/load-words.ts';
import { noteWords } from '../../../words/note-words.ts';
import { type RatioLine, ratioLines } from '../../drawing/ratio-line.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** What one cell of the table says: a value, and in small letters its interval, or why it has none. */
interface Score {
  readonly value: Markup | string;
  readonly small: string;
  /** What the column is sorted by; null sorts last. */
  readonly by: number | null;
}

interface Column {
  readonly head: string;
  /** Where it needs more room than a number and its interval: a class of the style sheet. */
  readonly room?: 'speed' | 'same';
  readonly score: (variant: VariantSummary) => Score;
}

/** A table of more variants than this scrolls within its frame. */
const MOST_ROWS = 30;

/** All variants in one table, kind by kind: each against the baseline variant, its latency, sameness, errors and cost, two lines a variant. */
export function scoreboard(analysis: Analysis, comparisons: readonly Comparison[], marks: VariantMarks): Markup {
  const measures = measuresOf(analysis);
  const { load } = analysis.run.plan;
  const sweep = sweepSteps(load) !== null;
  const headlines = headlineComparisons(comparisons, load).filter(({ step }) => step === null);
  const rates = rateColumns(analysis.variants, measures);
  const speed = headlines.length === 0 ? null : speedColumn(headlines, marks);
  const columnsOf = (variants: readonly VariantSummary[]): readonly Column[] => [
    ...(speed === null ? [] : [speed]),
    sweep ? kneeColumn(measures) : latencyColumn(variants, headlineLatency(load), measures),
    sameColumn(analysis, measures),
    ...rates,
  ];
  const groups = byKind(analysis.variants).map(([kind, variants]) => ({
    kind,
    variants,
    columns: columnsOf(variants),
  }));
  const heads = groups[0]?.columns ?? [];
  const content = html`<table class="side-by-side board sortable" role="table" aria-label="Results of all variants"><thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader" class="name-head">Variant</th>${heads.map(
    ({ head, room }) =>
      html`<th scope="col" role="columnheader"${room !== undefined && html` class="${`${room}-head`}"`}>${head}</th>`,
  )}</tr></thead>
${groups.map(
  ({
    kind,
    variants,
    columns,
  }) => html`<tbody role="rowgroup" class="kind"><tr role="row"><th scope="rowgroup" role="rowheader" colspan="${heads.length + 1}">${KIND_NAMES[kind]}</th></tr></tbody>
<tbody role="rowgroup">${variants.map((variant) => row(variant, columns, marks))}</tbody>
`,
)}</table>`;
  return html`<p class="note fine">${
    headlines.length > 0 &&
    'Speed: the median ratio of latencies to the baseline variant, over cell pairs (the same prompt and seed); in the drawing, left is faster and the dashed line is as fast as the baseline variant. '
  }${sweep ? '' : `Latency: the median${load.mode === 'open' ? ' from when a call was due' : ''}. `}Brackets: 95 % intervals for these prompts in this run. Same output: prompt and seed pairs whose takes are all equal; the bound is the share of further takes that would differ at most (one-sided 95 %). <a href="#numbers">More numbers</a></p>
${
  analysis.variants.length > MOST_ROWS
    ? html`<div class="tall" tabindex="0" role="group" aria-label="Results of all variants: scrolls">${content}</div>`
    : content
}`;
}

function row(variant: VariantSummary, columns: readonly Column[], marks: VariantMarks): Markup {
  return html`<tr role="row"><th scope="row" role="rowheader">${markedName(variant.name, marks)}${variant.twinOf !== null && html` <span class="tag">stored baseline</span>`}</th>${columns.map(
    ({ head, score }) => {
      const { value, small, by } = score(variant);
      return html`<td role="cell" data-label="${head}"${by !== null && html` data-value="${by}"`}><span class="${value === '–' ? 'figure none' : 'figure'}">${value}</span>${small !== '' && html`<small>${small}</small>`}</td>`;
    },
  )}</tr>
`;
}

const BASELINE = html`<span class="tag">baseline</span>`;

function speedColumn(headlines: readonly Comparison[], marks: VariantMarks): Column {
  const lineOf = ({ value, ciLow, ciHigh, ciLevel }: Comparison): RatioLine | null =>
    value === null ? null : { value, low: ciLow, high: ciHigh, hasInterval: ciLevel !== null };
  const draw = ratioLines(headlines.flatMap((each) => lineOf(each) ?? []));
  return {
    head: 'Speed against baseline',
    room: 'speed',
    score: ({ name, baseline }) => {
      // Against the stored baseline only where there is none against the baseline variant.
      const own = headlines.filter(({ variant }) => variant === name);
      const comparison = own.find(({ baselineRun }) => baselineRun === null) ?? own[0];
      if (comparison === undefined) return { value: baseline ? BASELINE : '–', small: '', by: baseline ? 1 : null };
      const line = lineOf(comparison);
      if (line === null) return { value: '–', small: 'not compared', by: null };
      const told = comparison.finding !== 'too_few' && tellsApart(comparison);
      return {
        value: html`<span class="${told ? 'speed' : 'speed undecided'}">${speedWords(line.value)}</span>${draw(line, marks(name))}`,
        small: speedEvidence(comparison),
        by: line.value,
      };
    },
  };
}

function latencyColumn(variants: readonly VariantSummary[], metric: string, measures: Measures): Column {
  const unit = durationUnit(variants.map(({ name }) => measures(name, metric, 'p50')?.value ?? null));
  return {
    head: 'Latency',
    score: ({ name }) => {
      const measure = measures(name, metric, 'p50');
      const { value, interval, notes } = statementOf(
        measure,
        (ms) => duration(ms, unit),
        (low, high) => durationInterval(low, high, unit),
      );
      return {
        value: value ?? '–',
        small: interval === null ? whyNoInterval(measure, notes) : `[${interval}]`,
        by: measure?.value ?? null,
      };
    },
  };
}

function whyNoInterval(measure: Measure | null, notes: readonly string[]): string {
  return hasNote(measure?.notes ?? [], 'needs_n') ? 'no interval' : (notes[0] ?? '');
}

function kneeColumn(measures: Measures): Column {
  return {
    head: 'Knee',
    score: ({ name }) => {
      const measure = measures(name, 'knee', 'concurrency');
      const value = measure?.value ?? null;
      return {
        value: value === null ? '–' : `concurrency ${count(value)}`,
        small: measure === null ? 'not measured' : noteWords(measure.notes),
        by: value,
      };
    },
  };
}

function sameColumn({ cells }: Analysis, measures: Measures): Column {
  return {
    head: 'Same output',
    room: 'same',
    score: (variant) => {
      const { value, level, same, testable, shortBound, bound } = sameOutputs(variant, cells, measures);
      if (value === null) return { value: '–', small: bound, by: null };
      const words = LEVEL_WORDS[level].same;
      return {
        value: `${count(same)} of ${count(testable)}`,
        small: shortBound.startsWith('≤')
          ? `${words}, bound ${shortBound.slice(2)}`
          : `${words}; ${shortBound} of takes differ`,
        by: same / testable,
      };
    },
  };
}

/** Errors always; what is blocked and what it costs only where there is any. */
function rateColumns(variants: readonly VariantSummary[], measures: Measures): readonly Column[] {
  const blocked = variants.some(({ name }) => (measures(name, 'block_rate', 'rate')?.value ?? 0) > 0);
  const priced = variants.some(({ name }) => measures(name, 'cost.per_output', 'mean')?.value != null);
  return [
    rateColumn('Errors', 'error_rate', measures),
    ...(blocked ? [rateColumn('Blocked', 'block_rate', measures)] : []),
    ...(priced ? [costColumn(measures)] : []),
  ];
}

function rateColumn(head: string, metric: string, measures: Measures): Column {
  return {
    head,
    score: ({ name }) => {
      const measure = measures(name, metric, 'rate');
      const { value, interval, notes, n } = statementOf(measure, share, shareInterval);
      const failed = measure === null || measure.value === null ? null : Math.round(measure.value * n);
      return {
        value: failed === null ? (value ?? '–') : `${count(failed)} of ${count(n)}`,
        small: interval === null ? (notes[0] ?? '') : `[${interval}]`,
        by: measure?.value ?? null,
      };
    },
  };
}

function costColumn(measures: Measures): Column {
  return {
    head: 'Cost per output',
    score: ({ name }) => {
      const measure = measures(name, 'cost.per_output', 'mean');
      const { value, notes } = statementOf(measure, usd, (low, high) => `${usd(low)} – ${usd(high)}`);
      return { value: value ?? '–', small: value === null ? (notes[0] ?? '') : '', by: measure?.value ?? null };
    },
  };
}
