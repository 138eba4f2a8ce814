import { firstWhere } from '../../../statistics/samples/first-where.ts';

const MOST_NEEDED = 1_000_000;

/** The fewest for which something holds, if it holds for all larger numbers too; null where there is none. */
export function fewestWhere(holds: (n: number) => boolean): number | null {
  const fewest = firstWhere(1, MOST_NEEDED, holds);
  return fewest > MOST_NEEDED ? null : fewest;
}
