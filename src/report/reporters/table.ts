import type { Comparison } from '../../analysis/comparison.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { unfitKinds, warningWords } from '../../analysis/warnings.ts';
import { groupBy } from '../../kit/grouping.ts';
import { KIND_NAMES } from '../../kit/names.ts';
import { visibleLine } from '../../kit/visible.ts';
import { capital, listedInShort } from '../../kit/wording.ts';
import { latencyDoubt } from '../answer-statement.ts';
import { comparedSpeed, doubtOf, headlineComparisons } from '../comparison-statement.ts';
import { csvText } from '../csv-table.ts';
import type { Reporter, ReportSource } from '../reporter.ts';
import {
  type CellNumbers,
  latencyColumn,
  type ResultCell,
  type ResultColumn,
  resultColumns,
  speedCell,
  speedColumns,
} from '../result-columns.ts';
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
  readonly words: (row: VariantRow) => string;
  readonly numbers: (row: VariantRow) => CellNumbers | null;
}

/** Columns of the results that have one number; `score` has the name of its metric. */
const NAMES: Partial<Readonly<Record<ResultColumn['id'], string>>> = {
  likeness: 'similar',
  errors: 'errors',
  blocked: 'blocked',
  cost: 'cost_usd',
};

function tableColumns({ analysis, comparisons }: ReportSource): readonly TableColumn[] {
  const { variants, run } = analysis;
  const headlines = headlineComparisons(comparisons, run.plan.load);
  const ofStep = new Map(
    stepsOf(run).map((step) => [step, speedColumns(headlines.filter((headline) => headline.step === step))]),
  );
  const speeds = speedColumns(headlines).map(({ head, comparisons: [first] }): TableColumn => {
    const isStored = (first?.baselineRun ?? null) !== null;
    const speedOf = ({ variant, step }: VariantRow) =>
      ofStep
        .get(step)
        ?.find((column) => column.head === head)
        ?.speedOf(variant.name) ?? null;
    return {
      name: isStored ? 'speed_stored' : 'speed',
      head: isStored ? head : 'Speed',
      words: (row) => speedCell(speedOf(row)),
      numbers: (row) => speedNumbers(speedOf(row)),
    };
  });
  const latencies = (['p50', 'p95'] as const).map((statistic): TableColumn => {
    const cellOf = ({ variant, step }: VariantRow) => latencyColumn(analysis, statistic, '', step).cell(variant);
    return {
      name: `${statistic}_ms`,
      head: statistic,
      words: (row) => printed(cellOf(row)),
      numbers: (row) => cellOf(row).numbers,
    };
  });
  const results = resultColumns(analysis, variants).flatMap(({ id, head, cell }): TableColumn[] => {
    const name = id === 'score' ? head : NAMES[id];
    if (name === undefined) return [];
    return [
      {
        name,
        head,
        words: ({ variant, step }) => printed(cell(variant, step)),
        numbers: ({ variant, step }) => cell(variant, step).numbers,
      },
    ];
  });
  return [...latencies, ...speeds, ...results];
}

/** Reasons of what is missing would make a table too wide. */
function printed({ value, interval }: ResultCell): string {
  return `${value ?? '–'}${interval === null ? '' : ` [${interval}]`}`;
}

/** How many times as fast as what it is compared with: above 1 is faster. Null where no number is told. */
function speedNumbers(speed: Comparison | 'baseline' | null): CellNumbers | null {
  if (speed === null || speed === 'baseline' || comparedSpeed(speed).speed === null) return null;
  const inverse = (ratio: number | null) => (ratio === null ? null : 1 / ratio);
  const { value, ciLow, ciHigh, nUnits } = speed;
  return { value: inverse(value), low: inverse(ciHigh), high: inverse(ciLow), n: nUnits };
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
    .flatMap((comparison) => {
      const doubt = doubtOf(comparison);
      return doubt === null ? [] : [`do not rely on it: ${doubt}`];
    });
  return [...new Set([...latencyDoubt(variant.name, analysis), ...doubts])].join('; ');
}

function csvOf(source: ReportSource, columns: readonly TableColumn[]): string {
  const { variants, run } = source.analysis;
  const heads = columns.flatMap(({ name }) => [name, `${name}_low`, `${name}_high`, `${name}_n`]);
  const rows = rowsOf(variants, stepsOf(run)).map((row) => [
    row.variant.name,
    row.variant.kind,
    row.step,
    ...columns.flatMap(({ numbers }) => {
      const { value = null, low = null, high = null, n = null } = numbers(row) ?? {};
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
      line([row.variant.name, ...(isSweep ? [String(row.step)] : []), ...columns.map(({ words }) => words(row))]),
    ),
  ]);
  const cautions = [
    ...unfitKinds(warnings).map(([warning]) => capital(warningWords(warning).what)),
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
