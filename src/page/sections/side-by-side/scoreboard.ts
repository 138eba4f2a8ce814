import type { Analysis } from '../../../analysis/analysis.ts';
import type { Comparison } from '../../../analysis/comparison.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { unfitLatencies } from '../../../analysis/warnings.ts';
import { KIND_NAMES, shownName } from '../../../kit/names.ts';
import { count, plural, unbroken } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { table } from '../../../markup/table.ts';
import { isTwin } from '../../../record/compared-variants.ts';
import { headlineComparisons } from '../../../report/comparison-statement.ts';
import {
  type ColumnSource,
  latencyColumn,
  type ResultCell,
  type ResultColumn,
  resultColumns,
} from '../../../report/result-columns.ts';

import type { Kind } from '../../../suite/kind.ts';
import type { Load } from '../../../suite/load.ts';
import { sweepSteps } from '../../../suite/sweep.ts';
import { markedName, type VariantMarks, variantTags } from '../../drawing/variant-mark.ts';
import { estimatorWords } from '../details/method.ts';

const MOST_WITH_LIKENESS = 6;

const MOST_WITH_SCORES = 7;

const MOST_WIDE_COLUMNS = 4;

const MOST_ROWS = 30;

/** More are folded on a narrow screen, where each takes half of it. */
const MOST_NARROW = 6;

export interface Scoreboard {
  /** Every kind has the same columns. */
  readonly table: (of: { readonly kind: Kind; readonly variants: readonly VariantSummary[] }) => Markup;
  /** Speed, likeness and scores alone, in the given order; null where few candidates are in sentences. */
  readonly brief: (of: { readonly kind: Kind; readonly variants: readonly VariantSummary[] }) => Markup | null;
  /** The variants in it; none where there is no such table. */
  readonly briefed: (variants: readonly VariantSummary[]) => readonly VariantSummary[];
  readonly note: string;
}

/** From so many candidates on, a table says more than sentences. */
const MANY = 3;

/** So that the images are at sight. */
const MOST_BRIEF = 6;

const BRIEF: ReadonlySet<ResultColumn['id']> = new Set(['speed', 'speed_stored', 'load', 'likeness', 'score']);

/** Table of results. */
export function scoreboard({ analysis, comparisons }: ColumnSource, marks: VariantMarks): Scoreboard {
  const { load } = analysis.run.plan;
  const headlines = headlineComparisons(comparisons, load).filter(({ step }) => step === null);
  const columnsOf = (variants: readonly VariantSummary[]) => boardColumns({ analysis, comparisons }, variants);
  const isVoid = unfitLatencies(analysis.warnings);
  const briefColumns = resultColumns({ analysis, comparisons }).filter(({ id }) => BRIEF.has(id));
  const briefed = (variants: readonly VariantSummary[]) => {
    const candidates = variants.filter((variant) => !variant.baseline && !isTwin(variant));
    return briefColumns.length > 0 && candidates.length >= MANY ? variants.slice(0, MOST_BRIEF) : [];
  };
  return {
    table: ({ kind, variants }) => {
      const columns = columnsOf(variants);
      const notes = variants.flatMap((variant) => notesOf(variant, columns));
      const tagsOf = (variant: VariantSummary) => variantTags(variant, analysis.variants);
      const look = { marks, isVoid, tagsOf, factsOf: variantFacts };
      return html`${board(`Results of ${KIND_NAMES[kind]}`, variants, columns, look)}
${notes.length > 0 && html`<details class="fold"><summary>Notes on these numbers</summary><ul class="statements">${notes.map((note) => html`<li>${shownName(note)}</li>`)}</ul></details>`}`;
    },
    briefed,
    brief: ({ kind, variants }) => {
      const rows = briefed(variants);
      if (rows.length === 0) return null;
      const look = { marks, isVoid, tagsOf: () => [], factsOf: () => [] };
      const more = variants.length - rows.length;
      const label = `${KIND_NAMES[kind]} in short`;
      return html`<div class="scroll in-short" tabindex="0" role="group" aria-label="${`${label}: scrolls sideways`}">${rowsOf(label, rows, briefColumns, look, 'plain')}</div>${more > 0 && html`<p class="note fine"><a href="#numbers">${plural(more, 'more variant')}</a></p>`}
`;
    },
    note: `${speedNote(headlines)}${latencyNote(load)}Brackets: 95 % intervals for these prompts in this run; they assume independent takes and are not adjusted for multiple comparisons. Equal repeats: prompts x seeds whose takes are all equal, then the share of takes that differ, or a bound (≤) on further takes (one-sided 95 %).${analysis.measures.some(({ metric }) => metric === 'latency.generation_low') ? ' Generation: latency without the download; it ended between two polls.' : ''}`,
  };
}

function boardColumns(source: ColumnSource, variants: readonly VariantSummary[]): readonly ResultColumn[] {
  const { analysis } = source;
  const steps = sweepSteps(analysis.run.plan.load);
  const all = resultColumns(source, { inOneUnit: variants });
  const isSpeed = ({ id }: ResultColumn) => id === 'speed' || id === 'speed_stored';
  const speeds = all.filter(isSpeed);
  const numbers = all.filter((column) => !isSpeed(column));
  // The pairs of images say more of likeness.
  const hasLikeness = numbers.length <= MOST_WITH_LIKENESS && analysis.measures.some(isOfLikeness);
  const fitting = numbers.filter(({ id }) => id !== 'likeness' || hasLikeness);
  const scores = fitting.filter(({ id }) => id === 'score');
  const surplus = scores.slice(Math.max(1, scores.length + MOST_WITH_SCORES - fitting.length));
  const columns = fitting.filter((column) => !surplus.includes(column));
  if (steps === null) return [...speeds, ...columns];
  return [...latencyAtEnds(steps, analysis), ...columns];
}

function isOfLikeness({ metric, value }: Analysis['measures'][number]): boolean {
  return metric === 'likeness' && value !== null;
}

interface RowLook {
  readonly marks: VariantMarks;
  readonly isVoid: ReadonlyMap<string, string>;
  readonly tagsOf: (variant: VariantSummary) => readonly (Markup | false)[];
  readonly factsOf: (variant: VariantSummary) => readonly string[];
}

function board(
  label: string,
  variants: readonly VariantSummary[],
  columns: readonly ResultColumn[],
  look: RowLook,
): Markup {
  const many = columns.length > MOST_WIDE_COLUMNS ? ' many' : '';
  const content = rowsOf(label, variants, columns, look, `side-by-side board${many}`);
  const framed =
    variants.length > MOST_ROWS
      ? html`<div class="tall" tabindex="0" role="group" aria-label="${`${label}: scrolls`}">${content}</div>`
      : content;
  return variants.length > MOST_NARROW
    ? html`<details class="fold narrow"><summary>Numbers of ${plural(variants.length, 'variant')}</summary>${framed}</details>`
    : framed;
}

function rowsOf(
  label: string,
  variants: readonly VariantSummary[],
  columns: readonly ResultColumn[],
  { marks, isVoid, tagsOf, factsOf }: RowLook,
  classes: string,
): Markup {
  return table<VariantSummary>({
    label,
    as: 'stack',
    classes: `${classes} sortable`,
    columns: [
      {
        head: 'Variant',
        room: 'name',
        cell: (variant) =>
          html`${markedName(variant.name, marks)}${tagsOf(variant)}${factsOf(variant).map((fact) => html`<small>${fact}</small>`)}`,
      },
      ...columns.map((column) => ({
        head: column.head,
        room: roomOf(column),
        by: (variant: VariantSummary) => column.cell(variant).by,
        cell: (variant: VariantSummary) => resultCell(column.cell(variant)),
      })),
    ],
    rows: variants,
    attributes: ({ name }) => isVoid.has(name) && html` class="void"`,
  });
}

function latencyNote(load: Load): string {
  if (load.mode === 'open') return 'Latency: from the planned send time (latency.response), over delivered takes. ';
  if (load.steps === null) return 'Latency: how long a caller waits for one asset, over delivered takes. ';
  return 'Latency: the median at the lowest and the highest load. ';
}

function latencyAtEnds(steps: readonly number[], analysis: Analysis): readonly ResultColumn[] {
  const ends = [...new Set([...steps.slice(0, 1), ...steps.slice(-1)])];
  return ends.map((step): ResultColumn => {
    const column = latencyColumn(analysis, 'p50', `Latency, concurrency ${count(step)}`);
    return { ...column, cell: (variant) => column.cell(variant, step) };
  });
}

/** The style that a cell of the column needs room for. */
function roomOf({ id }: ResultColumn): 'latency' | 'same' | null {
  if (id === 'p50' || id === 'p95') return 'latency';
  return id === 'same' ? id : null;
}

function resultCell({ value, is, interval, beside: given }: ResultCell): Markup {
  const figure =
    is === 'baseline'
      ? html`<span class="tag">${value}</span>`
      : is === 'undecided'
        ? html`<span class="undecided">${value}</span>`
        : (value ?? '–');
  const beside = unbroken(given);
  return html`<span class="${value === null ? 'figure none' : 'figure'}">${figure}</span>${beside !== '' && html`<small>${interval === null ? beside : html`<span class="whole">${beside}</span>`}</small>`}`;
}

/** Notes without room beside the numbers: `anime-fast, latency p50: interval as for 21.7 independent takes; n = 22`. */
function notesOf(variant: VariantSummary, columns: readonly ResultColumn[]): readonly string[] {
  return columns.flatMap(({ head, cell }) => {
    const { notes, n } = cell(variant);
    const all = n === null || n === 0 || n === variant.outcomes.ok ? notes : [...notes, `n = ${count(n)}`];
    return all.length === 0 ? [] : [`${variant.name}, ${head.toLowerCase()}: ${all.join('; ')}`];
  });
}

/** What was called, and what of its takes came where not all did: a line each. Holds hostile text. */
export function variantFacts({ target, constants, plannedTrials, outcomes }: VariantSummary): readonly string[] {
  const { ok = 0, dropped = 0 } = outcomes;
  const settings = Object.entries(constants).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [
    [target, ...settings].join(', '),
    ...(ok < plannedTrials ? [`${count(ok)} of ${count(plannedTrials)} takes delivered`] : []),
    ...(dropped > 0 ? [`${count(dropped)} dropped, never sent`] : []),
  ];
}

function speedNote([first]: readonly Comparison[]): string {
  if (first === undefined) return '';
  return `Speed: ${estimatorWords(first.units)}. The latencies in the table are medians over all takes, so their ratio may differ. `;
}
