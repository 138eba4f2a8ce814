/** A bet against "the expected value is at most `mean`", whatever came before. */
export interface Bet {
  /** Evidence so far: 1 at first. Where the hypothesis is true, it ever reaches 20 in at most 1 of 20 such series. */
  readonly e: () => number;
  /** @param value from -1 to 1 */
  readonly add: (value: number) => void;
}

const STAKES = Array.from({ length: 19 }, (_, at) => (at + 1) / 20);

/**
 * The mean over 19 fixed stakes of the product of 1 + stake (value - mean): a martingale where the expected value given
 * the past is the mean, so that its largest value ever is above 1 / a with probability a at most, however often it is
 * looked at (Ville, Etude critique de la notion de collectif, 1939; Waudby-Smith and Ramdas, Journal of the Royal
 * Statistical Society B 86, 2024, 1-27). Needs no law of the values, and no independence.
 *
 * @param mean of the hypothesis, above -1
 */
export function createBet(mean: number): Bet {
  const stakes = STAKES.map((stake) => stake / (1 + mean));
  const products = stakes.map(() => 1);
  return {
    e: () => products.reduce((all, product) => all + product, 0) / products.length,
    add: (value) => {
      for (const [at, stake] of stakes.entries()) products[at] = (products[at] ?? 1) * (1 + stake * (value - mean));
    },
  };
}
