/** What requests may have been charged. Each attempt is a request. */
export interface Spend {
  readonly requests: number;
  /** US dollars of those whose cost is known: what the service says, else the declared price of what was delivered. */
  readonly usd: number;
  /** Requests whose cost is not known: failures above all. */
  readonly unknownRequests: number;
  /** US dollars with each of these at its most by the declared price; null where one has no upper bound. */
  readonly mostUsd: number | null;
}
