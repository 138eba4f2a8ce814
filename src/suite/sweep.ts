import type { Hold, Load } from './load.ts';

/** The loads of a sweep, in declared order: numbers in flight, of open load arrivals per second. Null: no sweep. */
export function stepsOf({ steps }: Load): readonly number[] | null {
  return steps ?? null;
}

/** Ascending. */
export function sweepSteps(load: Load): readonly number[] | null {
  return stepsOf(load)?.toSorted((a, b) => a - b) ?? null;
}

/** One limit of a `hold`: at most `share` of the takes may be bad. */
export interface HeldLimit {
  readonly name: 'p50' | 'p90' | 'p95' | 'p99' | 'errors';
  /** A take without its output within this time is bad; null: only one that failed or was refused. */
  readonly limitMs: number | null;
  readonly share: number;
}

export function heldLimits({ p50Ms, p90Ms, p95Ms, p99Ms, errors }: Hold): readonly HeldLimit[] {
  const late = (name: HeldLimit['name'], ms: number | undefined, allowed: number): readonly HeldLimit[] =>
    ms === undefined ? [] : [{ name, limitMs: ms, share: allowed }];
  return [
    ...late('p50', p50Ms, 0.5),
    ...late('p90', p90Ms, 0.1),
    ...late('p95', p95Ms, 0.05),
    ...late('p99', p99Ms, 0.01),
    ...(errors === undefined ? [] : [{ name: 'errors', limitMs: null, share: errors } as const]),
  ];
}
