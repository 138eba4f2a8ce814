import type { Measure } from '../analysis/summaries.ts';
import { groupBy } from '../kit/grouping.ts';
import type { Reporter, ReportSource } from './reporter.ts';
import { benchmarkName, type WholeMeasure, wholeMeasures } from './statement.ts';

/** Measures over all prompts: https://bencher.dev/docs/reference/bencher-metric-format */
export const bencher: Reporter<'bencher'> = {
  format: 'bencher',
  description: 'measures for Bencher',
  files: ['bencher.json'],
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
