/** US dollars of a price, a limit or a reported cost: a higher one is refused, so that sums stay finite. */
export const MOST_USD = 1e9;

/** US dollars in whole billionths, so that decimal prices add up and divide exactly. */
export function wholeBillionths(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}
