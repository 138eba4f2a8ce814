import type { VariantSummary } from '../../analysis/summaries.ts';
import { unfitKinds } from '../../analysis/warnings.ts';
import { groupBy } from '../../kit/grouping.ts';
import { KIND_NAMES } from '../../kit/names.ts';
import { visibleLine } from '../../kit/visible.ts';
import { capital, listedInShort } from '../../kit/wording.ts';
import { latencyDoubt } from '../answer-statement.ts';
import { doubtOf, headlineComparisons, notToRelyOn } from '../comparison-statement.ts';
import { csvText } from '../csv-table.ts';
import type { Reporter, ReportSource } from '../reporter.ts';
import { type ResultCell, type ResultColumn, resultColumns } from '../result-columns.ts';
import { sweepSteps } from '../run-statement.ts';
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

interface TableColumn {
  /** Of its value in table.csv; its ends and n have a suffix. */
  readonly name: string;
  readonly head: string;
  readonly cell: (row: VariantRow) => ResultCell;
}

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
  ['cost', 'cost_usd', null],
];

function tableColumns(source: ReportSource): readonly TableColumn[] {
  const columns = resultColumns(source, { bySteps: true });
  return SHOWN.flatMap(([shown, name, head]) =>
    columns
      .filter(({ id }) => id === shown)
      .map((column) => ({
        name: name ?? column.head,
        head: head ?? column.head,
        cell: ({ variant, step }) => column.cell(variant, step),
      })),
  );
}

/** Reasons of what is missing would make a table too wide; those of a speed are short. */
function printed({ value, interval, beside }: ResultCell, isSpeed: boolean): string {
  if (isSpeed && beside !== '') return `${value ?? '–'} ${beside}`;
  return `${value ?? '–'}${interval === null ? '' : ` [${interval}]`}`;
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
    .flatMap((comparison) => notToRelyOn(doubtOf(comparison)));
  return [...new Set([...latencyDoubt(variant.name, analysis), ...doubts])].join('; ');
}

function csvOf(source: ReportSource, columns: readonly TableColumn[]): string {
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

/** A `tabular` that needs no package; kinds stand below each other, and last what nobody may rely on. */
function latexOf(source: ReportSource, columns: readonly TableColumn[]): string {
  const { variants, run, warnings } = source.analysis;
  const steps = stepsOf(run);
  const isSweep = steps[0] !== null;
  const heads = ['Variant', ...(isSweep ? ['Concurrency'] : []), ...columns.map(({ head }) => head)];
  const line = (cells: readonly string[]) => `${cells.map(latexText).join(' & ')} \\tabularnewline`;
  const wide = (text: string) => `\\multicolumn{${heads.length}}{l}{\\emph{${latexText(text)}}} \\tabularnewline`;
  const kinds = byKind(variants);
  const body = kinds.flatMap(([kind, ofKind]) => [
    ...(kinds.length === 1 ? [] : [wide(KIND_NAMES[kind])]),
    ...rowsOf(ofKind, steps).map((row) =>
      line([
        row.variant.name,
        ...(isSweep ? [String(row.step)] : []),
        ...columns.map(({ name, cell }) => printed(cell(row), name.startsWith('speed'))),
      ]),
    ),
  ]);
  const cautions = [
    ...unfitKinds(warnings).map(([warning]) => capital(warning.what)),
    ...[...groupBy(rowsOf(variants, steps), (row) => cautionOf(row, source))].flatMap(([caution, rows]) => {
      const names = new Set(rows.map(({ variant }) => variant.name));
      return caution === '' ? [] : [`${listedInShort([...names])}: ${caution}`];
    }),
  ];
  return [
    `% ${visibleLine(run.suite)}, run ${run.id}: brackets are 95 % intervals; a value without them has too few takes for one.`,
    `\\begin{tabular}{${'l'.repeat(heads.length)}}`,
    '\\hline',
    line(heads),
    '\\hline',
    ...body,
    '\\hline',
    ...cautions.map((caution) => wide(`${caution}.`)),
    '\\end{tabular}',
    '',
  ].join('\n');
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
