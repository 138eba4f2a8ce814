import type { Decision } from '../verdict.ts';

/*
 * `max`, `min` and `none`: a value against a bound of its own. A value is decided by its one-sided bounds, below and above; one that
 * is counted, by itself.
 */

/** A value with its range; an end is infinite where nothing bounds it. */
export interface BoundedValue {
  /** Null where there is nothing to take it from. */
  readonly value: number | null;
  readonly n: number;
  /** One-sided bounds; null for too few takes. */
  readonly range: { readonly low: number; readonly high: number } | null;
  /** Of each bound; null where the value is counted, so that nothing about it is uncertain but costs that nobody knows. */
  readonly level: number | null;
}

/** A fail where the whole range is beyond the bound, a pass where it is within; else nothing is decided. */
export function decideBound(
  { value, n, range, level }: BoundedValue,
  bound: { readonly is: 'max' | 'min'; readonly value: number },
): Decision {
  if (n === 0) return { verdict: 'inconclusive', code: 'nothing_to_count' };
  if (range === null && value === null) return { verdict: 'inconclusive', code: 'too_few_units' };
  if (range === null || (range.low === -Infinity && range.high === Infinity)) {
    return { verdict: 'inconclusive', code: 'no_interval' };
  }
  const { low, high } = range;
  const beyond = bound.is === 'max' ? low > bound.value : high < bound.value;
  const within = bound.is === 'max' ? high <= bound.value : low >= bound.value;
  if (beyond) return { verdict: 'fail', code: 'beyond_limit' };
  if (within) return { verdict: 'pass', code: 'within_limit' };
  return { verdict: 'inconclusive', code: level === null ? 'unknown_cost' : 'spans_limit' };
}

/** Fails on the first event, passes with none. */
export function decideNone({ events, n }: { readonly events: number; readonly n: number }): Decision {
  if (events > 0) return { verdict: 'fail', code: 'event_found' };
  return n === 0 ? { verdict: 'inconclusive', code: 'nothing_to_count' } : { verdict: 'pass', code: 'no_event' };
}
