/** How many calls may be in flight at an origin that refuses some. Null: no limit. */
export type StartLimit = null | {
  readonly inFlight: number;
  /** Calls accepted at the first attempt since the last change of the limit. */
  readonly taken: number;
  /** When it was last lowered, in milliseconds on the segment's clock. */
  readonly loweredMs: number;
};

/**
 * Multiplicative decrease: halves the limit, but only once per burst, as attempts sent (`sentMs`) before the last
 * decrease do not count. `declared`: concurrency of the suite.
 */
export function limitAfterRefusal(
  limit: StartLimit,
  { declared, sentMs, atMs }: { readonly declared: number; readonly sentMs: number; readonly atMs: number },
): StartLimit {
  if (limit !== null && sentMs < limit.loweredMs) return limit;
  return { inFlight: Math.max(1, Math.floor(allowed(limit, declared) / 2)), taken: 0, loweredMs: atMs };
}

/** Additive increase (Chiu and Jain 1989): one more after `limit` accepted calls, up to `declared` (then null). */
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

/** Slows the starts of closed load at origins that refuse requests as throttled. Times are on the segment's clock. */
export interface Starts {
  /** Resolves when a call may begin, in the order of asking. Null: an unknown origin, without a limit. */
  readonly begin: (origin: string | null, declared: number) => Promise<Turn<number | null>>;
  readonly refused: (origin: string, at: { readonly sentMs: number; readonly atMs: number }) => void;
}

export interface Turn<How> {
  readonly slowed: boolean;
  /** Call once at its end. `Starts` gets when it was sent, or null unless accepted at the first attempt. */
  readonly end: (how: How) => void;
}

interface OfOrigin {
  limit: StartLimit;
  inFlight: number;
  /** Concurrency of the last slice. */
  declared: number;
  readonly waiting: (() => void)[];
}

/** Slows starts at each origin; limits outlast slices. */
export function createStarts(): Starts {
  const origins = new Map<string, OfOrigin>();
  const of = (origin: string): OfOrigin => {
    const known = origins.get(origin) ?? { limit: null, inFlight: 0, declared: 1, waiting: [] };
    origins.set(origin, known);
    return known;
  };
  const hasRoom = ({ limit, inFlight, declared }: OfOrigin) => inFlight < allowed(limit, declared);
  const letIn = (entry: OfOrigin): void => {
    while (hasRoom(entry)) {
      const next = entry.waiting.shift();
      if (next === undefined) return;
      entry.inFlight += 1;
      next();
    }
  };
  const end = (entry: OfOrigin, takenMs: number | null): void => {
    entry.inFlight -= 1;
    if (takenMs !== null) entry.limit = limitAfterTaken(entry.limit, { declared: entry.declared, sentMs: takenMs });
    letIn(entry);
  };
  return {
    begin: async (origin, declared) => {
      if (origin === null) return FREE;
      const entry = of(origin);
      entry.declared = declared;
      if (entry.waiting.length === 0 && hasRoom(entry)) entry.inFlight += 1;
      else await new Promise<void>((resolve) => entry.waiting.push(resolve));
      return { slowed: allowed(entry.limit, declared) < declared, end: (takenMs) => end(entry, takenMs) };
    },
    refused: (origin, at) => {
      const entry = of(origin);
      entry.limit = limitAfterRefusal(entry.limit, { ...at, declared: entry.declared });
    },
  };
}

const FREE = { slowed: false, end: () => {} } as const;
