import { normalUpperTail } from './distributions.ts';
import { midRanks } from './mid-ranks.ts';

/**
 * Two-sided p that two samples come from one law, by the normal tail of the rank sum with correction for ties and
 * continuity (Mann and Whitney, Annals of Mathematical Statistics 18, 1947, 50-60; Lehmann, Nonparametrics, 1975, 1.2).
 * Infinite values included. 1 where either is empty, or all values are equal.
 */
export function rankSumP(one: readonly number[], other: readonly number[]): number {
  const [m, n] = [one.length, other.length];
  const all = m + n;
  const { doubled, ties } = midRanks([...one, ...other]);
  const sum = doubled.slice(0, m).reduce((total, rank) => total + rank, 0) / 2;
  const tied = ties.reduce((total, size) => total + size * size * size - size, 0);
  const variance = ((m * n) / 12) * (all + 1 - (all < 2 ? 0 : tied / (all * (all - 1))));
  if (!(variance > 0)) return 1;
  const distance = Math.abs(sum - (m * (all + 1)) / 2);
  return Math.min(1, 2 * normalUpperTail(Math.max(0, distance - 0.5) / Math.sqrt(variance)));
}
