/** US dollars; a higher cost is refused, so that sums stay finite. */
export const MOST_COST_USD = 1e9;
