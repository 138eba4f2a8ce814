import type { Analysis, VariantSummary } from '../../analysis/analysis.ts';
import { headlineLatency } from '../../analysis/samples/headline.ts';
import { clipped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import { count, plural, rateUnit, share, shareInterval } from '../../text/wording.ts';
import {
  byKind,
  latencyStatement,
  latencyUnits,
  measuresOf,
  type Statement,
  statementOf,
  throughputRange,
  throughputStatement,
} from '../statements/statement.ts';
import { sweepSteps } from '../words/load-words.ts';
import type { Paint } from './paint.ts';
import { type Table, type TableCell, tablesLines } from './terminal-table.ts';

const MOST_SWEPT = 4;

/** A table for each variant of a sweep, a row for each concurrency, all in one layout. */
export function sweepTables(analysis: Analysis, width: number, paint: Paint): readonly (readonly string[])[] {
  const steps = sweepSteps(analysis.run.plan.load);
  if (steps === null) return [];
  const swept = byKind(analysis.variants)
    .flatMap(([, variants]) => variants)
    .slice(0, MOST_SWEPT);
  const tables = swept.map((variant) => ({
    title: clipped(visibleLine(variant.name), width),
    ...stepRows(variant, steps, analysis),
  }));
  const more = analysis.variants.length - MOST_SWEPT;
  return [
    ...tablesLines(tables, width, paint),
    ...(more > 0 ? [[paint('dim', `${plural(more, 'more variant')} in the report`)]] : []),
  ];
}

/** One step below the other, the knee marked. */
function stepRows({ name }: VariantSummary, steps: readonly number[], analysis: Analysis): Omit<Table, 'title'> {
  const measures = measuresOf(analysis);
  const metric = headlineLatency(analysis.run.plan.load);
  const unit = latencyUnits(analysis)(name);
  const ranges = steps.map((step) => throughputRange(measures, name, step));
  const per = rateUnit(ranges.map(({ value, high }) => value ?? high));
  const knee = measures(name, 'knee', 'concurrency')?.value ?? null;
  return {
    heads: ['p50', 'p95', 'assets', 'errors', ''],
    rows: steps.map((step) => ({
      name: `concurrency ${count(step)}`,
      cells: [
        cellOf(latencyStatement(measures(name, metric, 'p50', step), unit)),
        cellOf(latencyStatement(measures(name, metric, 'p95', step), unit)),
        cellOf(inShort(throughputStatement(measures, name, step, per))),
        cellOf(statementOf(measures(name, 'error_rate', 'rate', step), share, shareInterval)),
        { value: step === knee ? '< knee' : '', evidence: '' },
      ],
    })),
  };
}

/** For narrow columns: `17–33/s`. */
function inShort({ value, interval, notes, n }: Statement): Statement {
  const shorter = (words: string): string => words.replaceAll(' / ', '/').replace(' to ', '–');
  return { value: value && shorter(value), interval: interval && shorter(interval), notes, n };
}

function cellOf({ value, interval, notes: [first = ''] }: Statement): TableCell {
  if (interval !== null) return { value: value ?? '–', evidence: withoutUnit(interval) };
  // The first note matters most; the page has the others.
  return { value: value ?? '–', evidence: visibleLine(first) };
}

/** `2.14–2.28` for `2.14 – 2.28 s`: the unit is above. */
function withoutUnit(interval: string): string {
  return interval.replace(' – ', '–').replace(/ [a-z%]+$/, '');
}
