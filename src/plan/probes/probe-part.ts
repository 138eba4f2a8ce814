/** What a trial is in a probe. */
export type ProbePart = SeedPart | CachePart | LoadPart;

/** Another seed than the measured `base` of the same case, or none at all. */
interface SeedPart {
  readonly kind: 'seed';
  readonly role: 'other' | 'omitted';
  readonly base: number;
}

/**
 * A pair is a `repeat`, of the request that the pair before it sent as `fresh`, beside a `fresh` one that was never sent.
 * `first` is what the first pair repeats; it is of pair 0.
 */
interface CachePart {
  readonly kind: 'cache';
  readonly role: 'first' | 'repeat' | 'fresh';
  readonly pair: number;
}

/** A request of the plan, with nothing beside it or with as much as the load allows. */
interface LoadPart {
  readonly kind: 'load';
  readonly role: 'alone' | 'concurrent';
}
