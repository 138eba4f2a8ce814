import type { Analysis, VariantSummary } from '../../analysis/analysis.ts';
import { headlineLatency } from '../../analysis/samples/headline.ts';
import { LEVELS } from '../../media/compare/level.ts';
import {
  count,
  duration,
  durationInterval,
  durationUnit,
  rateUnit,
  share,
  shareInterval,
} from '../../text/quantity.ts';
import { visibleLine } from '../../text/visible.ts';
import { type SameOutputs, sameOutputs } from '../statements/sameness.ts';
import { measuresOf, type Statement, statementOf } from '../statements/statement.ts';
import { throughputRange, throughputStatement } from '../statements/throughput-statement.ts';
import { LEVEL_WORDS } from '../words/level-words.ts';
import { sweepSteps } from '../words/load-words.ts';
import type { TableCell, TableRow } from './terminal-table.ts';

/** A table of the terminal before it is laid out. */
export interface TableContent {
  readonly heads: readonly string[];
  readonly rows: readonly TableRow[];
}

/** The variants of a kind beside each other. Of a sweep what depends on the load stands in a table of its own. */
export function variantRows(variants: readonly VariantSummary[], analysis: Analysis): TableContent {
  const measures = measuresOf(analysis);
  const { load } = analysis.run.plan;
  const sweep = sweepSteps(load) !== null;
  const { latency, generation, throughput } = printers(variants, analysis, [null]);
  const polled = variants.some(({ name }) => measures(name, 'latency.generation_low', 'p50') !== null);
  const rows = variants.map((variant) => {
    const outputs = sameOutputs(variant, analysis.cells, measures);
    const dropped = variant.outcomes.dropped ?? 0;
    const cells: TableCell[] = [
      {
        value: `${count(variant.outcomes.ok ?? 0)}/${count(variant.plannedTrials)}`,
        evidence: dropped === 0 ? '' : `${count(dropped)} dropped`,
      },
      ...(sweep
        ? [
            cellOf(
              statementOf(
                measures(variant.name, 'knee', 'concurrency'),
                (step) => `concurrency ${count(step)}`,
                nobody,
              ),
            ),
          ]
        : [
            latency(variant.name, 'p50', null),
            ...(polled ? [generation(variant.name)] : []),
            latency(variant.name, 'p95', null),
          ]),
      cellOf(statementOf(measures(variant.name, 'error_rate', 'rate'), share, shareInterval)),
      {
        value:
          outputs.value === null
            ? '–'
            : `${count(outputs.same)}/${count(outputs.testable)} ${sameWords(outputs, variant, analysis)}`,
        evidence: outputs.shortBound,
      },
      ...(sweep ? [] : [throughput(variant.name, null)]),
    ];
    return { name: visibleLine(variant.name), cells };
  });
  const middle = sweep ? ['knee'] : ['p50', ...(polled ? ['generation'] : []), 'p95'];
  return { heads: ['ok', ...middle, 'errors', 'same output', ...(sweep ? [] : ['assets'])], rows };
}

/** At which level takes are the same. Where no cell's are, the level of the nearest ones: `0/2 pixels` reads as a number of pixels. */
function sameWords({ same, level }: SameOutputs, { name }: VariantSummary, { cells }: Analysis): string {
  if (same > 0) return LEVEL_WORDS[level].short;
  const found = new Set(cells.flatMap((cell) => (cell.variant === name && cell.level !== null ? [cell.level] : [])));
  const nearest = LEVELS.find((each) => found.has(each));
  return nearest === undefined ? 'same' : `(${LEVEL_WORDS[nearest].short})`;
}

/** The steps of a sweep, one below the other; the knee is marked. */
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

/** Latencies and throughputs of a table in one unit each. */
function printers(variants: readonly VariantSummary[], analysis: Analysis, steps: readonly (number | null)[]) {
  const measures = measuresOf(analysis);
  const metric = headlineLatency(analysis.run.plan.load);
  const values = (name: string, statistic: string) =>
    variants.flatMap((variant) => steps.map((step) => measures(variant.name, name, statistic, step)?.value ?? null));
  const unit = durationUnit([...values(metric, 'p50'), ...values(metric, 'p95')]);
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
    /** What of the median is generation, between the least and the most that polls saw. */
    generation: (name: string): TableCell => {
      const [low, high] = ['latency.generation_low', 'latency.generation'].map(
        (ends) => measures(name, ends, 'p50')?.value ?? null,
      );
      if (low == null || high == null) return { value: '–', evidence: '' };
      return { value: durationInterval(low, high, unit), evidence: 'between polls' };
    },
    throughput: (name: string, step: number | null): TableCell =>
      cellOf(inShort(throughputStatement(measures, name, step, per))),
  };
}

/** A rate in the narrow columns of a terminal: `17–33/s`. */
function inShort({ value, interval, notes, n }: Statement): Statement {
  const shorter = (words: string): string => words.replaceAll(' / ', '/').replace(' to ', '–');
  return {
    value: value === null ? null : shorter(value),
    interval: interval === null ? null : shorter(interval),
    notes,
    n,
  };
}

function nobody(low: number, high: number): string {
  return low === high ? '' : `${count(low)} – ${count(high)}`;
}

function cellOf({ value, interval, notes: [first = ''] }: Statement): TableCell {
  if (interval !== null) return { value: value ?? '–', evidence: withoutUnit(interval) };
  // The first says most; the page has the rest.
  return { value: value ?? '–', evidence: visibleLine(first) };
}

/** `2.14–2.28` for `2.14 – 2.28 s`: the unit stands above. */
function withoutUnit(interval: string): string {
  return interval.replace(' – ', '–').replace(/ [a-z%]+$/, '');
}
