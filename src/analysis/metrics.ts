import type { Metric } from './measures/metric.ts';
import { blockRate } from './metrics/block-rate.ts';
import { cacheEffect } from './metrics/cache-effect.ts';
import { costPerOutput } from './metrics/cost.ts';
import { determinism } from './metrics/determinism.ts';
import { droppedRate } from './metrics/dropped-rate.ts';
import { errorRate } from './metrics/error-rate.ts';
import { knee } from './metrics/knee.ts';
import { latencies } from './metrics/latency.ts';
import { latencyCold } from './metrics/latency-cold.ts';
import { loadEffect } from './metrics/load-effect.ts';
import { seedEffects } from './metrics/seed-effect.ts';
import { signals } from './metrics/signals.ts';
import { startLag } from './metrics/start-lag.ts';
import { throttledRate } from './metrics/throttled-rate.ts';
import { throughput } from './metrics/throughput.ts';

/** Every metric, in the order measures are listed; results/README.md describes them. */
export const METRICS: readonly Metric[] = [
  ...latencies,
  latencyCold,
  startLag,
  throughput,
  knee,
  errorRate,
  blockRate,
  throttledRate,
  droppedRate,
  ...determinism,
  ...seedEffects,
  cacheEffect,
  loadEffect,
  costPerOutput,
  ...signals,
];
