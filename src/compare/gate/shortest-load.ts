import type { Metric } from '../../analysis/measures/metric.ts';
import type { Sample } from '../../record/model/sample.ts';
import type { Load } from '../../suite/format/load.ts';
import type { GateRule } from '../../suite/format/rule.ts';

/** How many times the limit of a rule about slow calls open load has to last. */
const LIMITS_OF_LOAD = 10;

/**
 * How long open load lasts at least, in milliseconds, where a rule that calls are not slow may pass: ten times its limit. In less the
 * calls of a queue may all belong to one quiet time, so that they cannot show how they depend on each other
 * (`npm run simulate -- dependence`). Null where a rule has no such limit, and under closed load, where a full service slows its
 * callers down.
 */
export function shortestLoadMs(
  { bound, overMs }: Pick<GateRule, 'bound' | 'overMs'>,
  { unit }: Pick<Metric, 'unit'>,
  { mode }: Pick<Load, 'mode'>,
): number | null {
  if (mode !== 'open' || bound.is !== 'max') return null;
  const limitMs = overMs ?? (unit === 'ms' ? bound.value : null);
  return limitMs === null ? null : LIMITS_OF_LOAD * limitMs;
}

/** How long the longest slice of open load lasted, in milliseconds: from the first call due to the last. */
export function lastedMs(samples: readonly Sample[]): number {
  const ends = new Map<string, { firstMs: number; lastMs: number }>();
  for (const { segment, slice, marks } of samples) {
    const dueMs = marks.scheduledMs;
    if (dueMs === undefined) continue;
    const key = `${segment} ${slice}`;
    const { firstMs, lastMs } = ends.get(key) ?? { firstMs: dueMs, lastMs: dueMs };
    ends.set(key, { firstMs: Math.min(firstMs, dueMs), lastMs: Math.max(lastMs, dueMs) });
  }
  return Math.max(0, ...[...ends.values()].map(({ firstMs, lastMs }) => lastMs - firstMs));
}
