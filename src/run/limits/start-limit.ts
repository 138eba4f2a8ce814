/**
 * How many calls an origin that refuses may have in flight. Null where there is no such limit: it has refused nothing,
 * or has taken as many calls as are declared since.
 */
export type StartLimit = null | {
  /** At least 1. */
  readonly inFlight: number;
  /** Calls that it took at the first attempt since the limit was last changed. */
  readonly taken: number;
  /** When the limit was last lowered, in milliseconds on the segment's clock. */
  readonly loweredMs: number;
};

/**
 * The limit after a refusal: half of what was allowed (multiplicative decrease). The refusals of one burst come together
 * and count once: an attempt that was sent before the limit was lowered says nothing of the lowered one.
 *
 * @param declared what the suite allows in flight
 * @param sentMs when the refused attempt was sent
 */
export function limitAfterRefusal(
  limit: StartLimit,
  { declared, sentMs, atMs }: { readonly declared: number; readonly sentMs: number; readonly atMs: number },
): StartLimit {
  if (limit !== null && sentMs < limit.loweredMs) return limit;
  return { inFlight: Math.max(1, Math.floor(allowed(limit, declared) / 2)), taken: 0, loweredMs: atMs };
}

/**
 * The limit after a call that was taken at the first attempt: one more in flight once as many were taken as were allowed
 * (additive increase, Chiu and Jain 1989). At what is declared there is no limit any more.
 */
export function limitAfterTaken(
  limit: StartLimit,
  { declared, sentMs }: { readonly declared: number; readonly sentMs: number },
): StartLimit {
  if (limit === null || sentMs < limit.loweredMs) return limit;
  const taken = limit.taken + 1;
  if (taken < limit.inFlight) return { ...limit, taken };
  const inFlight = limit.inFlight + 1;
  return inFlight >= declared ? null : { ...limit, inFlight, taken: 0 };
}

/** How many may be in flight: never more than is declared. */
export function allowed(limit: StartLimit, declared: number): number {
  return Math.min(declared, limit?.inFlight ?? declared);
}
