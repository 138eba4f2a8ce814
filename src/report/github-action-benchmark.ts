import type { Unit } from '../kit/value-words.ts';
import { count } from '../kit/wording.ts';
import type { Reporter, ReportSource } from './reporter.ts';
import { benchmarkName, type WholeMeasure, wholeMeasures } from './statement.ts';

/** For benchmark-action/github-action-benchmark: its tools `customSmallerIsBetter` and `customBiggerIsBetter`. */
export const githubActionBenchmark: Reporter<'github-action-benchmark'> = {
  format: 'github-action-benchmark',
  description: 'measures for GitHub Action Benchmark',
  files: ['github-action-benchmark.smaller.json', 'github-action-benchmark.bigger.json'],
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
  usd: 'USD',
  outputs: 'outputs',
  in_flight: 'in flight',
  levels: 'levels',
  levels2: 'levels²',
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
