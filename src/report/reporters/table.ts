import { hasNote } from '../../analysis/note.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { unfitKinds, unfitLatencies } from '../../analysis/warnings.ts';
import { groupBy } from '../../kit/grouping.ts';
import { KIND_NAMES } from '../../kit/names.ts';
import { besideOne } from '../../kit/value-words.ts';
import { visibleLine } from '../../kit/visible.ts';
import { capital, durationUnit, listedInShort, outwards, plural } from '../../kit/wording.ts';
import { sweepSteps } from '../../suite/sweep.ts';
import { doubtOf, headlineComparisons, SPEED_MEANS } from '../comparison-statement.ts';
import { csvText } from '../csv-table.ts';
import { SIMILAR_MEANS } from '../likeness-statement.ts';
import type { Reporter, ReportSource } from '../reporter.ts';
import { type ResultCell, type ResultColumn, resultColumns } from '../result-columns.ts';
import { loadWords } from '../run-statement.ts';
import { distrustOf, scoreMetrics } from '../score-statement.ts';
import { byKind } from '../statement.ts';

/** What a paper prints: a row for each variant, of a sweep for each of its steps. */
export const table: Reporter<'table'> = {
  format: 'table',
  description: 'one row a variant, as CSV and LaTeX',
  render: (source) => {
    const columns = tableColumns(source);
    return [
      { name: 'table.csv', content: [csvOf(source, columns)] },
      { name: 'table.tex', content: [latexOf(source, columns)] },
    ];
  },
};

interface VariantRow {
  readonly variant: VariantSummary;
  readonly step: number | null;
}

interface PaperColumn {
  readonly id: ResultColumn['id'];
  /** Of its value in table.csv; its ends and n have a suffix. */
  readonly name: string;
  readonly head: string;
  readonly cell: (row: VariantRow) => ResultCell;
}

/** What a column of numbers is in a paper: its unit stands in its head, once. */
interface Printing {
  readonly unit: string | null;
  readonly decimals: number;
  /** Printed value for one of the record. */
  readonly scale: number;
  /** Which end of an interval is rounded how: as elsewhere, that of a share outwards, of a ratio to its side of 1. */
  readonly ends: 'nearest' | 'outwards' | 'beside_one';
}

const SHARE: Printing = { unit: '\\%', scale: 100, decimals: 1, ends: 'outwards' };

/** For costs of a hundredth of a cent. */
const MOST_DECIMALS = 6;

/** The columns that have one number, in their order; a score has the name of its metric. */
const SHOWN: readonly (readonly [id: ResultColumn['id'], name: string | null, head: string | null])[] = [
  ['p50', 'p50_ms', 'p50'],
  ['p95', 'p95_ms', 'p95'],
  ['speed', 'speed', 'Speed'],
  ['speed_stored', 'speed_stored', null],
  ['likeness', 'similar', null],
  ['score', null, null],
  ['errors', 'errors', null],
  ['blocked', 'blocked', null],
  ['cost', 'cost_usd', 'Cost'],
];

function tableColumns(source: ReportSource): readonly PaperColumn[] {
  const columns = resultColumns(source, { bySteps: true });
  return SHOWN.flatMap(([shown, name, head]) =>
    columns
      .filter(({ id }) => id === shown)
      .map((column) => ({
        id: shown,
        name: name ?? column.head,
        head: head ?? column.head,
        cell: ({ variant, step }) => column.cell(variant, step),
      })),
  );
}

/** @param largest value of the column, in the unit of the record; 0 without one */
function printingOf({ id }: PaperColumn, largest: number, unit: string | undefined): Printing {
  const inUnit = (unit: string | null, scale: number): Printing => {
    // Three digits of the largest value.
    const digits = Math.floor(Math.log10(largest * scale || 1));
    return { unit, scale, decimals: Math.min(MOST_DECIMALS, Math.max(0, 2 - digits)), ends: 'nearest' };
  };
  switch (id) {
    case 'p50':
    case 'p95':
      return durationUnit([largest]) === 's' ? inUnit('s', 1e-3) : inUnit('ms', 1);
    case 'speed':
    case 'speed_stored':
      return { unit: '$\\times$', scale: 1, decimals: 2, ends: 'beside_one' };
    case 'cost':
      return inUnit('USD', 1);
    case 'score':
      return unit === '1' ? SHARE : inUnit(null, 1);
    default:
      return SHARE;
  }
}

/** `1.78 [1.08, 2.19]`; without a number a dash, with the mark of why there is none. */
function printed({ numbers, is }: ResultCell, printing: Printing, mark: string): string {
  const { scale, decimals } = printing;
  if (is === 'baseline') return (1).toFixed(decimals);
  const { value = null, low = null, high = null } = numbers ?? {};
  if (value === null) return `--${mark}`;
  const shown = (value * scale).toFixed(decimals);
  if (low === null && high === null) return `${shown}${mark}`;
  return `${shown} [${endOf(low, 'low', printing)}, ${endOf(high, 'high', printing)}]`;
}

/** Empty for an open end. */
function endOf(end: number | null, side: 'low' | 'high', { scale, decimals, ends }: Printing): string {
  if (end === null) return '';
  if (ends === 'outwards') return outwards(side, end);
  const words = (end * scale).toFixed(decimals);
  return ends === 'beside_one' ? besideOne(end, words) : words;
}

/** Why a number or its interval is missing; null where nothing is, or nobody asked for it. */
function reasonOf({ numbers, is, beside }: ResultCell): string | null {
  if (is === 'baseline' || (numbers?.low ?? null) !== null || (numbers?.high ?? null) !== null) return null;
  return beside === '' ? null : beside;
}

function stepsOf({ plan }: ReportSource['analysis']['run']): readonly (number | null)[] {
  return sweepSteps(plan.load) ?? [null];
}

function rowsOf(variants: readonly VariantSummary[], steps: readonly (number | null)[]): readonly VariantRow[] {
  return variants.flatMap((variant) => steps.map((step) => ({ variant, step })));
}

/** What keeps the numbers of a row from being relied on; empty where nothing does. */
function cautionOf({ variant, step }: VariantRow, { analysis, comparisons }: ReportSource): string {
  const doubts = headlineComparisons(comparisons, analysis.run.plan.load)
    .filter((comparison) => comparison.variant === variant.name && comparison.step === step)
    .map(doubtOf);
  const all = [unfitLatencies(analysis.warnings).get(variant.name) ?? null, ...doubts];
  const reasons = new Set(all.flatMap((doubt) => doubt ?? []));
  return reasons.size === 0 ? '' : `do not rely on the latency: ${[...reasons].join('; ')}`;
}

function csvOf(source: ReportSource, columns: readonly PaperColumn[]): string {
  const { variants, run } = source.analysis;
  const heads = columns.flatMap(({ name }) => [name, `${name}_low`, `${name}_high`, `${name}_n`]);
  const rows = rowsOf(variants, stepsOf(run)).map((row) => [
    row.variant.name,
    row.variant.kind,
    row.step,
    ...columns.flatMap(({ cell }) => {
      const { value = null, low = null, high = null, n = null } = cell(row).numbers ?? {};
      return [value, low, high, n];
    }),
    cautionOf(row, source) || null,
  ]);
  return csvText([['variant', 'kind', 'step', ...heads, 'caution'], ...rows]);
}

/** `2026-11-29: 24 takes of 8 prompts x seeds for each variant, at most 1 in flight, paired`. */
function measuredWords({ variants, cells, run }: ReportSource['analysis']): string {
  const sent = groupBy(variants, ({ name, plannedTrials, missing }) => {
    const own = cells.filter(({ variant }) => variant === name).length;
    return `${plural(plannedTrials - missing, 'take')} of ${plural(own, 'prompt x seed')}`;
  });
  const takes = [...sent].map(
    ([words, of]) => `${words} for ${sent.size === 1 ? 'each variant' : listedInShort(of.map(({ name }) => name))}`,
  );
  return `${run.startedAt.slice(0, 10)}: ${[...takes, loadWords(run.plan.load)].join(', ')}`;
}

/**
 * A `tabular` of the package booktabs: one unit and one number of decimals a column, kinds below each other, and below
 * the table why a number is missing and what nobody may rely on.
 */
function latexOf(source: ReportSource, columns: readonly PaperColumn[]): string {
  const { variants, run, warnings } = source.analysis;
  const steps = stepsOf(run);
  const isSweep = steps[0] !== null;
  const all = rowsOf(variants, steps);
  const scores = new Map(scoreMetrics(source.analysis).map((metric) => [metric.name, metric]));
  const printings = columns.map((column) => {
    const values = all.map((row) => Math.abs(column.cell(row).numbers?.value ?? 0));
    return printingOf(column, Math.max(0, ...values), scores.get(column.name)?.unit);
  });
  const reasons = [...new Set(all.flatMap((row) => columns.flatMap(({ cell }) => reasonOf(cell(row)) ?? [])))];
  const markOf = (cell: ResultCell) => {
    const reason = reasonOf(cell);
    return reason === null ? '' : `$^{${letter(reasons.indexOf(reason))}}$`;
  };
  const heads = ['Variant', ...(isSweep ? ['Concurrency'] : [])].map(latexText);
  const numbered = columns.map(({ name, head }, at) => {
    const unit = printings[at]?.unit ?? null;
    const { label = head, better = null } = scores.get(name) ?? {};
    const arrow = better === null ? '' : ` $\\${better === 'higher' ? 'up' : 'down'}arrow$`;
    return `${latexText(label)}${unit === null ? '' : ` (${unit})`}${arrow}`;
  });
  const line = (cells: readonly string[]) => `${cells.join(' & ')} \\tabularnewline`;
  const width = heads.length + columns.length;
  const kinds = byKind(variants);
  const body = kinds.flatMap(([kind, ofKind], at) => [
    ...(kinds.length === 1
      ? []
      : [
          ...(at === 0 ? [] : ['\\addlinespace']),
          `\\multicolumn{${width}}{l}{\\emph{${latexText(KIND_NAMES[kind])}}} \\tabularnewline`,
        ]),
    ...rowsOf(ofKind, steps).map((row) =>
      line([
        latexText(row.variant.name),
        ...(isSweep ? [String(row.step)] : []),
        ...columns.map(({ cell }, column) => {
          const printing = printings[column];
          return printing === undefined ? '' : printed(cell(row), printing, markOf(cell(row)));
        }),
      ]),
    ),
  ]);
  const isShown = (id: PaperColumn['id']) => columns.some((column) => column.id === id);
  const isUnfit = unfitLatencies(warnings);
  const isDependent = source.analysis.measures.some(
    ({ metric, prompt, notes: why }) => metric === 'latency.total' && prompt === null && hasNote(why, 'effective_n'),
  );
  const cautions = [
    ...unfitKinds(warnings).map(([warning]) => capital(warning.what)),
    ...scoreMetrics(source.analysis).flatMap((metric) => distrustOf(source.analysis, metric) ?? []),
    // A warning above names these variants.
    ...[
      ...groupBy(
        all.filter(({ variant }) => !isUnfit.has(variant.name)),
        (row) => cautionOf(row, source),
      ),
    ].flatMap(([caution, rows]) => {
      const names = new Set(rows.map(({ variant }) => variant.name));
      return caution === '' ? [] : [`${listedInShort([...names])}: ${caution}`];
    }),
  ];
  const meanings = [
    measuredWords(source.analysis),
    ...(isShown('speed') ? [SPEED_MEANS] : []),
    ...(isShown('likeness') ? [SIMILAR_MEANS] : []),
    'Brackets: 95 % intervals',
    ...(isDependent ? ['Takes depend on earlier takes, so intervals need more of them'] : []),
  ];
  const notes = [
    ...meanings.map((meaning) => `${latexText(meaning)}.`),
    ...reasons.map((reason, at) => `$^{${letter(at)}}$ ${latexText(capital(reason))}.`),
    ...cautions.map((caution) => `${latexText(caution)}.`),
  ];
  return [
    `% ${visibleLine(run.suite)}, run ${run.id}. It needs \\usepackage{booktabs}.`,
    `\\begin{tabular}{l${'r'.repeat(width - 1)}}`,
    '\\toprule',
    line([...heads, ...numbered]),
    '\\midrule',
    ...body,
    '\\bottomrule',
    '\\end{tabular}',
    '',
    `{\\footnotesize ${notes.join(' ').replaceAll('95 \\%', '95\\,\\%')}\\par}`,
    '',
  ].join('\n');
}

/** `a`, `b` ... `z`, `aa`. */
function letter(at: number): string {
  const last = String.fromCharCode(97 + (at % 26));
  return at < 26 ? last : `${letter(Math.floor(at / 26) - 1)}${last}`;
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '–': '--',
  '−': '$-$',
  '≤': '$\\le$',
  '×': '$\\times$',
  '<': '$<$',
  '>': '$>$',
  '"': "''",
  '\u00a0': '~',
};

/** Hostile text as plain text of LaTeX, on one line. */
function latexText(hostile: string): string {
  return visibleLine(hostile).replace(/[\\~^–−≤×<>"\u00a0&%$#_{}]/g, (sign) => LATEX[sign] ?? `\\${sign}`);
}
