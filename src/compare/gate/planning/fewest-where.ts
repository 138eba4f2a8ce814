import { firstWhere } from '../../../statistics/samples/first-where.ts';

/** Beyond this no plan goes. */
const MOST_NEEDED = 1_000_000;

/** The fewest for which something holds that holds for all larger numbers; null where none does. */
export function fewestWhere(holds: (n: number) => boolean): number | null {
  const fewest = firstWhere(1, MOST_NEEDED, holds);
  return fewest > MOST_NEEDED ? null : fewest;
}
