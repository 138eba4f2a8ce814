declare const sorted: unique symbol;

/**
 * Numbers in ascending order, made by `sortSample` alone. `Infinity` stands for a value known only to be
 * above every other (a trial that timed out); a statistic that lands on one is `Infinity` itself.
 */
export type SortedSample = readonly number[] & { readonly [sorted]: true };

/** The values in ascending order; any unit. Throws on NaN and on `-Infinity`, which no measurement gives. */
export function sortSample(values: Iterable<number>): SortedSample {
  const ordered = Float64Array.from(values).sort();
  // NaN sorts last and -Infinity first, so the two ends tell of all between.
  if (Number.isNaN(ordered.at(-1)) || ordered[0] === -Infinity) {
    throw new RangeError('a sample holds numbers above -Infinity, not NaN');
  }
  return Array.from(ordered) as readonly number[] as SortedSample;
}

/** The order statistic of a rank that counts from 1. Throws when the sample has no such rank. */
export function atRank(sample: SortedSample, rank: number): number {
  const value = sample[rank - 1];
  if (value === undefined) throw new RangeError(`no rank ${rank} among ${sample.length}`);
  return value;
}
