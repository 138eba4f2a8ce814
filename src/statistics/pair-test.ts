/** Signed ranks, Student's t, or Tango's score: its exact tail, its normal one, or Student's on pairs in clusters. */
export type PairMethod = 'walsh' | 'student' | 'tango_exact' | 'tango' | 'tango_clustered';

/** A test of paired units against a change of any size, with the estimate and the bounds that belong to it. */
export interface PairTest {
  readonly method: PairMethod;
  readonly n: number;
  /** Null without units; infinite if most units are. */
  readonly estimate: number | null;
  /** p of a change of at most this: small if it is larger. Null for too few units. */
  readonly greater: (change: number) => number | null;
  /** p of a change of at least this: small if it is smaller. */
  readonly less: (change: number) => number | null;
  /** One-sided: the least change that is not rejected at 1 - level. An open end is infinite; null for too few units. */
  readonly lower: (level: number) => number | null;
  readonly upper: (level: number) => number | null;
}

export interface PairInterval {
  readonly low: number;
  readonly high: number;
}

/** Two-sided, both tails (1 - level) / 2; null for too few units. */
export function intervalOf({ lower, upper }: PairTest, level: number): PairInterval | null {
  const [low, high] = [lower((1 + level) / 2), upper((1 + level) / 2)];
  return low === null || high === null ? null : { low, high };
}

/** Two-sided p of no change. */
export function twoSidedP({ greater, less }: PairTest): number | null {
  const [above, below] = [greater(0), less(0)];
  return above === null || below === null ? null : Math.min(1, 2 * Math.min(above, below));
}

/** The same test of the opposite change: what rose by 2 rises by -2. */
export function reversed({ method, n, estimate, greater, less, lower, upper }: PairTest): PairTest {
  return {
    method,
    n,
    estimate: negated(estimate),
    greater: (change) => less(0 - change),
    less: (change) => greater(0 - change),
    lower: (level) => negated(upper(level)),
    upper: (level) => negated(lower(level)),
  };
}

function negated(value: number | null): number | null {
  return value === null ? null : 0 - value;
}
