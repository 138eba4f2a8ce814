import type { Analysis, Measure, VariantSummary } from '../../../../analysis/analysis.ts';
import { hasNote } from '../../../../analysis/note.ts';
import { headlineLatency } from '../../../../analysis/samples/headline.ts';
import type { Comparison } from '../../../../compare/comparison.ts';
import type { Kind, Load } from '../../../../suite/format/suite.ts';
import {
  count,
  type DurationUnit,
  duration,
  durationInterval,
  share,
  shareInterval,
  usd,
} from '../../../../text/quantity.ts';
import { unbroken } from '../../../../text/unbroken.ts';
import { headlineComparisons } from '../../../statements/comparison-statement.ts';
import { latencyUnits } from '../../../statements/latency-unit.ts';
import { type Departures, sameOutputs } from '../../../statements/sameness.ts';
import { droppedStarts, type Measures, measuresOf, statementOf } from '../../../statements/statement.ts';
import { noteWords } from '../../../words/measures/note-words.ts';
import { LEVEL_WORDS } from '../../../words/outputs/level-words.ts';
import { KIND_NAMES } from '../../../words/run/kind-name.ts';
import { sweepSteps } from '../../../words/run/load-words.ts';
import { voidVariants } from '../../../words/warnings/harness-warning-words.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';
import type { Column } from './board-column.ts';
import { speedColumns, speedNote } from './speed-columns.ts';

/** With more columns of rates than these, drawings have no room. */
const MOST_RATES_BESIDE_DRAWINGS = 3;

/** Beside the names of variants; a table with more columns is drawn closer. */
const MOST_WIDE_COLUMNS = 4;

/** A table of more variants than this scrolls within its frame. */
const MOST_ROWS = 30;

/** The variants of each kind in a table. */
export interface Scoreboard {
  /** Two lines a variant: against the baseline variant, its latency, sameness, errors and cost. Every kind has the same columns. */
  readonly table: (of: { readonly kind: Kind; readonly variants: readonly VariantSummary[] }) => Markup;
  /** What the columns mean. */
  readonly note: Markup;
}

/** Drawn on one scale for all kinds. */
export function scoreboard(analysis: Analysis, comparisons: readonly Comparison[], marks: VariantMarks): Scoreboard {
  const measures = measuresOf(analysis);
  const { load } = analysis.run.plan;
  const steps = sweepSteps(load);
  const metric = headlineLatency(load);
  const unitOf = latencyUnits(analysis);
  const headlines = headlineComparisons(comparisons, load).filter(({ step }) => step === null);
  const rates = rateColumns(analysis.variants, measures);
  const speeds = speedColumns(headlines, {
    marks,
    isDrawn: rates.length <= MOST_RATES_BESIDE_DRAWINGS,
  });
  const isVoid = voidVariants(analysis.warnings);
  const knee = steps === null ? [] : kneeColumns(analysis.variants, measures);
  const columns: readonly Column[] = [
    ...speeds,
    ...(steps === null
      ? [latencyColumn({ head: 'Latency', metric, step: null, unitOf }, measures)]
      : latencyAtEnds(steps, { metric, unitOf }, measures)),
    ...knee,
    sameColumn(analysis, measures),
    ...rates,
  ];
  return {
    table: ({ kind, variants }) => table(`Results of ${KIND_NAMES[kind]}`, variants, columns, { marks, isVoid }),
    note: html`<p class="note fine">${speedNote(headlines, speeds)}${latencyNote(load, knee.length > 0)}Brackets: 95 % intervals for these prompts in this run. Equal repeats: cells (a prompt and seed of the variant) whose takes are all equal; ≤: at most so many of further takes would differ (one-sided 95 %). <a class="jump" href="#numbers">More numbers</a></p>
`,
  };
}

interface RowLook {
  readonly marks: VariantMarks;
  /** Variants whose latencies are not to be used. */
  readonly isVoid: ReadonlySet<string>;
}

function table(label: string, variants: readonly VariantSummary[], columns: readonly Column[], look: RowLook): Markup {
  const content = html`<table class="${`side-by-side board sortable${columns.length > MOST_WIDE_COLUMNS ? ' many' : ''}`}" role="table" aria-label="${label}"><thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader" class="name-head">Variant</th>${columns.map(
    ({ head, room }) =>
      html`<th scope="col" role="columnheader"${room !== undefined && html` class="${`${room}-head`}"`}>${head}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${variants.map((variant) => row(variant, columns, look))}</tbody>${scaleRow(columns)}</table>`;
  return variants.length > MOST_ROWS
    ? html`<div class="tall" tabindex="0" role="group" aria-label="${`${label}: scrolls`}">${content}</div>`
    : content;
}

/** Below the rows, for the eye: the numbers beside the drawings say the same. */
function scaleRow(columns: readonly Column[]): Markup | false {
  return (
    columns.some(({ scale }) => scale !== undefined && scale !== null) &&
    html`<tfoot aria-hidden="true"><tr><td></td>${columns.map(({ scale, room }) => html`<td${room !== undefined && html` class="${`${room}-cell`}"`}>${scale !== undefined && scale !== null && html`<span class="speed"></span>${scale}`}</td>`)}</tr></tfoot>`
  );
}

function latencyNote(load: Load, hasKnee: boolean): string {
  if (load.mode === 'open') return 'Latency: the median from when a call was due. ';
  if (load.steps === null) return 'Latency: the median. ';
  return `Latency: the median at the lowest and the highest concurrency. ${hasKnee ? 'Knee: beyond it, more concurrency mostly adds waiting. ' : ''}`;
}

function row(variant: VariantSummary, columns: readonly Column[], { marks, isVoid }: RowLook): Markup {
  return html`<tr role="row"${isVoid.has(variant.name) && html` class="void"`}><th scope="row" role="rowheader">${markedName(variant.name, marks)}${variant.twinOf !== null && html` <span class="tag">stored baseline, sent again</span>`}${variant.abandoned !== null && html` <span class="tag">left out</span>`}</th>${columns.map(
    ({ head, room, score }) => {
      const { value, small, by } = score(variant);
      return html`<td role="cell" data-label="${head}"${room !== undefined && html` class="${`${room}-cell`}"`}${by !== null && html` data-value="${by}"`}><span class="${value === '–' ? 'figure none' : 'figure'}">${value}</span>${small !== '' && html`<small>${small}</small>`}</td>`;
    },
  )}</tr>
`;
}

/** Of a sweep, latency where least and where most is in flight. */
function latencyAtEnds(
  steps: readonly number[],
  { metric, unitOf }: Pick<LatencyOf, 'metric' | 'unitOf'>,
  measures: Measures,
): readonly Column[] {
  const ends = [...new Set([...steps.slice(0, 1), ...steps.slice(-1)])];
  return ends.map((step) =>
    latencyColumn({ head: `Latency, concurrency ${count(step)}`, metric, step, unitOf }, measures),
  );
}

interface LatencyOf {
  readonly head: string;
  readonly metric: string;
  readonly step: number | null;
  readonly unitOf: (variant: string) => DurationUnit;
}

function latencyColumn({ head, metric, step, unitOf }: LatencyOf, measures: Measures): Column {
  return {
    head,
    room: 'latency',
    score: ({ name }) => {
      const measure = measures(name, metric, 'p50', step);
      const { value, interval, notes } = statementOf(
        measure,
        (ms) => duration(ms, unitOf(name)),
        (low, high) => durationInterval(low, high, unitOf(name)),
      );
      return {
        value: value ?? '–',
        small: interval === null ? whyNoInterval(measure, notes) : bracketed(interval),
        by: measure?.value ?? null,
      };
    },
  };
}

/** An interval, which does not break within. */
function bracketed(interval: string): Markup {
  return html`<span class="whole">[${interval}]</span>`;
}

function whyNoInterval(measure: Measure | null, notes: readonly string[]): string {
  return hasNote(measure?.notes ?? [], 'needs_n') ? 'no interval' : (notes[0] ?? '');
}

const KNEE = 'Knee';

/** Only where some variant has a knee. */
function kneeColumns(variants: readonly VariantSummary[], measures: Measures): readonly Column[] {
  const kneeOf = (name: string) => measures(name, 'knee', 'concurrency');
  if (variants.every(({ name }) => (kneeOf(name)?.value ?? null) === null)) return [];
  return [
    {
      head: KNEE,
      score: ({ name }) => {
        const measure = kneeOf(name);
        const value = measure?.value ?? null;
        return {
          value: value === null ? '–' : `concurrency ${count(value)}`,
          small: measure === null ? 'not measured' : noteWords(measure.notes),
          by: value,
        };
      },
    },
  ];
}

function sameColumn({ cells }: Analysis, measures: Measures): Column {
  return {
    head: 'Equal repeats',
    room: 'same',
    score: (variant) => {
      const { value, level, same, testable, departures, bound } = sameOutputs(variant, cells, measures);
      if (value === null) return { value: '–', small: bound, by: null };
      return {
        value: `${count(same)} of ${count(testable)}`,
        small:
          same === 0
            ? `none ${LEVEL_WORDS[level].same}`
            : html`${LEVEL_WORDS[level].same}${departureWords(departures)}`,
        by: same / testable,
      };
    },
  };
}

function departureWords(departures: Departures | null): Markup {
  switch (departures?.of) {
    case 'takes':
      return html`; <span class="whole">${unbroken(departures.share)} of takes differ</span>`;
    case 'further_takes':
      return html`<br>further takes: ${unbroken(`≤ ${departures.atMost} differ`)}`;
    case undefined:
      return html`, no bound`;
  }
}

/** Starts of open load that were never sent, since too many were in flight. */
const DROPPED: Column = {
  head: 'Dropped',
  score: ({ outcomes, plannedTrials, missing }) => {
    const dropped = outcomes.dropped ?? 0;
    return { value: `${count(dropped)} of ${count(plannedTrials - missing)}`, small: 'never sent', by: dropped };
  },
};

/** Errors always; what is blocked, dropped and what it costs only where there is any. */
function rateColumns(variants: readonly VariantSummary[], measures: Measures): readonly Column[] {
  const blocked = variants.some(({ name }) => (measures(name, 'block_rate', 'rate')?.value ?? 0) > 0);
  const priced = variants.some(({ name }) => measures(name, 'cost.per_output', 'mean')?.value != null);
  return [
    rateColumn('Errors', 'error_rate', measures),
    ...(blocked ? [rateColumn('Blocked', 'block_rate', measures)] : []),
    ...(droppedStarts(variants) > 0 ? [DROPPED] : []),
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
        small: interval === null ? (notes[0] ?? '') : bracketed(interval),
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
