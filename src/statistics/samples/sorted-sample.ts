declare const sorted: unique symbol;

/**
 * Ascending numbers, made only by `sortSample`. `Infinity`: a value known only to be above all others (a trial that
 * timed out); a statistic at such a value is `Infinity` too.
 */
export type SortedSample = readonly number[] & { readonly [sorted]: true };

/** Any unit. Throws on NaN and on `-Infinity`, which no measurement gives. */
export function sortSample(values: Iterable<number>): SortedSample {
  const ordered = Float64Array.from(values).sort();
  // NaN sorts last and -Infinity first.
  if (Number.isNaN(ordered.at(-1)) || ordered[0] === -Infinity) {
    throw new RangeError('a sample holds numbers above -Infinity, not NaN');
  }
  return Array.from(ordered) as readonly number[] as SortedSample;
}

/** Ranks count from 1. Throws if the sample has no such rank. */
export function atRank(sample: SortedSample, rank: number): number {
  const value = sample[rank - 1];
  if (value === undefined) throw new RangeError(`no rank ${rank} among ${sample.length}`);
  return value;
}
