import { describe, expect, it } from 'vitest';
import { METRICS } from '../../src/analysis/metrics.ts';
import { metricContract } from '../contracts/metric.ts';

for (const metric of METRICS) metricContract(metric);

describe('METRICS', () => {
  it('are those that measures.csv promises', () => {
    expect(METRICS.map(({ name }) => name)).toEqual([
      'latency.total',
      'latency.response',
      'latency.generation',
      'latency.generation_low',
      'latency.submit',
      'latency.queue',
      'latency.run',
      'latency.detect',
      'latency.download',
      'latency.ttfb',
      'latency.server',
      'latency.cold',
      'start_lag',
      'throughput',
      'knee',
      'error_rate',
      'block_rate',
      'throttled_rate',
      'dropped_rate',
      'determinism.byte',
      'determinism.pixel',
      'determinism.near',
      'determinism.similar',
      'determinism.related',
      'seed.effect',
      'seed.omitted',
      'cache.effect',
      'load.effect',
      'cost.per_output',
      'signal.sharpness',
      'signal.colourfulness',
      'signal.luma',
      'signal.clipped_low',
      'signal.clipped_high',
      'signal.spatial_information',
      'signal.temporal_information',
      'signal.frozen',
      'signal.duplicates',
      'signal.black',
      'signal.flicker',
    ]);
  });
});
