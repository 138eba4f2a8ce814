import type { Measure } from '../../analysis/summaries.ts';
import { groupBy } from '../../kit/grouping.ts';
import type { Unit } from '../../kit/value-words.ts';
import { count } from '../../kit/wording.ts';
import type { Reporter, ReportSource } from '../reporter.ts';
import { benchmarkName, type WholeMeasure, wholeMeasures } from '../statement.ts';

/* For services that keep series of numbers. */

/** Measures over all prompts: https://bencher.dev/docs/reference/bencher-metric-format */
export const bencher: Reporter<'bencher'> = {
  format: 'bencher',
  description: 'measures for Bencher',
  render: (source) => [{ name: 'bencher.json', content: [`${JSON.stringify(metricsOf(source), null, 2)}\n`] }],
};

/** Characters that Bencher allows in a name. */
const LONGEST_BENCHMARK = 1024;

interface BencherMetric {
  readonly value: number;
  readonly lower_value?: number;
  readonly upper_value?: number;
}

/** A benchmark for each variant, of a sweep for each step; a measure for each statistic: `latency.total.p50`. */
function metricsOf({ analysis }: ReportSource): Readonly<Record<string, Readonly<Record<string, BencherMetric>>>> {
  const benchmarks = groupBy(wholeMeasures(analysis), (measure) => benchmarkName(measure));
  return Object.fromEntries(
    [...benchmarks].map(([name, measures]) => [
      name.slice(0, LONGEST_BENCHMARK),
      Object.fromEntries(measures.map((measure) => [`${measure.metric}.${measure.statistic}`, metricOf(measure)])),
    ]),
  );
}

function metricOf({ value, ciLow, ciHigh }: WholeMeasure): BencherMetric {
  return { value, ...end('lower_value', ciLow), ...end('upper_value', ciHigh) };
}

function end(key: 'lower_value' | 'upper_value', value: Measure['ciLow']): Partial<BencherMetric> {
  return value === null ? {} : { [key]: value };
}

/** For benchmark-action/github-action-benchmark: its tools `customSmallerIsBetter` and `customBiggerIsBetter`. */
export const githubActionBenchmark: Reporter<'github-action-benchmark'> = {
  format: 'github-action-benchmark',
  description: 'measures for GitHub Action Benchmark',
  render: (source) => [
    { name: 'github-action-benchmark.smaller.json', content: [entries(source, 'lower')] },
    { name: 'github-action-benchmark.bigger.json', content: [entries(source, 'higher')] },
  ],
};

function entries({ analysis }: ReportSource, better: 'lower' | 'higher'): string {
  const entries = wholeMeasures(analysis).filter((measure) => measure.better === better);
  return `${JSON.stringify(entries.map(entryOf), null, 2)}\n`;
}

const UNIT_NAMES: Readonly<Record<Unit, string>> = {
  ms: 'ms',
  '1': 'share',
  '1/s': '1/s',
  'outputs/s': 'outputs/s',
  'megapixels/s': 'megapixels/s',
  'frames/s': 'frames/s',
  real_time: 'x real time',
  usd: 'USD',
  outputs: 'outputs',
  in_flight: 'in flight',
  levels: 'levels',
  levels2: 'levels²',
  mb: 'MB',
  score: 'score',
};

function entryOf(measure: WholeMeasure): Readonly<Record<string, string | number>> {
  const { metric, statistic, value, unit, ciLow, ciHigh, n } = measure;
  return {
    name: `${benchmarkName(measure)}: ${metric} ${statistic}`,
    unit: UNIT_NAMES[unit],
    value,
    ...(ciLow === null || ciHigh === null ? {} : { range: `[${ciLow}, ${ciHigh}]` }),
    extra: `n = ${count(n)}`,
  };
}
