import type { Analysis, VariantSummary } from '../../analysis/analysis.ts';
import { headlineLatency } from '../../analysis/samples/headline.ts';
import { visibleLine } from '../../text/visible.ts';
import { count, duration, durationInterval, rateUnit, share, shareInterval } from '../../text/wording.ts';
import { latencyUnits } from '../statements/latency-unit.ts';
import { measuresOf, type Statement, statementOf } from '../statements/statement.ts';
import { throughputRange, throughputStatement } from '../statements/throughput-statement.ts';
import type { TableCell, TableRow } from './terminal-table.ts';

export interface TableContent {
  readonly heads: readonly string[];
  readonly rows: readonly TableRow[];
}

/** One step below the other, the knee marked. */
export function stepRows(variant: VariantSummary, steps: readonly number[], analysis: Analysis): TableContent {
  const measures = measuresOf(analysis);
  const { latency, throughput } = printers([variant], analysis, steps);
  const knee = measures(variant.name, 'knee', 'concurrency')?.value ?? null;
  return {
    heads: ['p50', 'p95', 'assets', 'errors', ''],
    rows: steps.map((step) => ({
      name: `concurrency ${count(step)}`,
      cells: [
        latency(variant.name, 'p50', step),
        latency(variant.name, 'p95', step),
        throughput(variant.name, step),
        cellOf(statementOf(measures(variant.name, 'error_rate', 'rate', step), share, shareInterval)),
        { value: step === knee ? '< knee' : '', evidence: '' },
      ],
    })),
  };
}

/** One unit for all latencies of a table, and one for all throughputs. */
function printers(variants: readonly VariantSummary[], analysis: Analysis, steps: readonly (number | null)[]) {
  const measures = measuresOf(analysis);
  const metric = headlineLatency(analysis.run.plan.load);
  const unit = latencyUnits(analysis)(variants[0]?.name ?? '');
  const ranges = variants.flatMap(({ name }) => steps.map((step) => throughputRange(measures, name, step)));
  const per = rateUnit(ranges.map(({ value, high }) => value ?? high));
  return {
    latency: (name: string, statistic: string, step: number | null): TableCell =>
      cellOf(
        statementOf(
          measures(name, metric, statistic, step),
          (ms) => duration(ms, unit),
          (low, high) => durationInterval(low, high, unit),
        ),
      ),
    throughput: (name: string, step: number | null): TableCell =>
      cellOf(inShort(throughputStatement(measures, name, step, per))),
  };
}

/** For narrow columns: `17–33/s`. */
function inShort({ value, interval, notes, n }: Statement): Statement {
  const shorter = (words: string): string => words.replaceAll(' / ', '/').replace(' to ', '–');
  return {
    value: value === null ? null : shorter(value),
    interval: interval === null ? null : shorter(interval),
    notes,
    n,
  };
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
