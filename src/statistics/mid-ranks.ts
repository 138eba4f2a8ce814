/** Ranks, 1 the smallest; equal values share the mean of their ranks. */
export interface MidRanks {
  /** Twice the rank of each value, in the order given, so that it is whole. */
  readonly doubled: readonly number[];
  readonly ties: readonly number[];
}

/** Infinite values included. Throws on NaN. */
export function midRanks(values: readonly number[]): MidRanks {
  if (values.some(Number.isNaN)) throw new RangeError('a value is NaN');
  const order = [...values.keys()].sort((a, b) => compare(values[a] ?? 0, values[b] ?? 0));
  const doubled = new Array<number>(values.length).fill(0);
  const ties: number[] = [];
  for (let from = 0; from < order.length; ) {
    const value = values[order[from] ?? 0];
    let to = from + 1;
    while (to < order.length && values[order[to] ?? 0] === value) to += 1;
    // The ranks from + 1 to `to` have the mean (from + 1 + to) / 2.
    for (const at of order.slice(from, to)) doubled[at] = from + 1 + to;
    if (to - from > 1) ties.push(to - from);
    from = to;
  }
  return { doubled, ties };
}

/** Subtracting would make NaN of two infinite values. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Rounding errors of doubles are smaller than such a step, real differences larger. */
const STEPS = 1_099_511_627_776; // 2^40

/**
 * A difference rounded to 2^-40, so that rounding breaks no tie: 0.3 - 0.2 becomes equal to 0.1. Sums, and halves of
 * sums, of such numbers are exact.
 */
export function tied(difference: number): number {
  return Math.round(difference * STEPS) / STEPS;
}
