/** US dollars of a price, a limit or a reported cost: a higher one is refused, so that sums stay finite. */
export const MOST_USD = 1e9;
