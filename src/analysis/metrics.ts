import type { GateRule } from '../suite/format/rule.ts';
import type { Metric } from './measures/metric.ts';
import { blockRate } from './metrics/block-rate.ts';
import { cacheEffect } from './metrics/cache-effect.ts';
import { costs } from './metrics/cost.ts';
import { determinism } from './metrics/determinism.ts';
import { droppedRate } from './metrics/dropped-rate.ts';
import { errorRate } from './metrics/error-rate.ts';
import { goodput } from './metrics/goodput.ts';
import { knee } from './metrics/knee.ts';
import { latencies } from './metrics/latency.ts';
import { latencyCold } from './metrics/latency-cold.ts';
import { likeness } from './metrics/likeness.ts';
import { loadEffect } from './metrics/load-effect.ts';
import { seedEffects } from './metrics/seed-effect.ts';
import { signals } from './metrics/signals.ts';
import { slowRate } from './metrics/slow-rate.ts';
import { spend } from './metrics/spend.ts';
import { startLag } from './metrics/start-lag.ts';
import { throttledRate } from './metrics/throttled-rate.ts';
import { throughput } from './metrics/throughput.ts';

/**
 * Every metric, in the order measures are listed; results/README.md describes them. Those that need the limit of a rule
 * have none.
 */
export const METRICS: readonly Metric[] = metricsOf([]);

/** Every metric, those that need a limit with the limits that a gate's rules name in `over`. */
export function metricsOf(gate: readonly Pick<GateRule, 'overMs'>[]): readonly Metric[] {
  const limitsMs = [...new Set(gate.flatMap(({ overMs }) => overMs ?? []))].sort((a, b) => a - b);
  return [
    ...latencies,
    latencyCold,
    startLag,
    slowRate(limitsMs),
    throughput,
    goodput(limitsMs),
    knee,
    errorRate,
    blockRate,
    throttledRate,
    droppedRate,
    ...determinism,
    ...seedEffects,
    cacheEffect,
    loadEffect,
    likeness,
    ...costs,
    spend,
    ...signals,
  ];
}
