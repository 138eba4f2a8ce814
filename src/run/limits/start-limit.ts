/** How many calls may be in flight at an origin that refuses some. Null: no limit. */
export type StartLimit = null | {
  readonly inFlight: number;
  /** Calls accepted at the first attempt since the last change of the limit. */
  readonly taken: number;
  /** When it was last lowered, in milliseconds on the segment's clock. */
  readonly loweredMs: number;
};

/**
 * Multiplicative decrease: a refusal halves the limit. Refusals of one burst count once: an attempt sent before the
 * limit was lowered does not lower it again.
 * @param declared the concurrency of the suite
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
 * Additive increase (Chiu and Jain 1989): after `limit` accepted calls, allow one more, up to `declared` (then null).
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

export function allowed(limit: StartLimit, declared: number): number {
  return Math.min(declared, limit?.inFlight ?? declared);
}
