/**
 * How long before its time a call of open load is handed to the wire thread, which holds it until then. So hashing or a
 * burst of replies on this thread cannot delay it. It counts as in flight from then on; a run that stops still sends
 * it.
 */
export const LEAD_MS = 200;

export type PacedStart =
  | { readonly is: 'begin' }
  | { readonly is: 'drop' }
  /** Until that time, or until a call ends. */
  | { readonly is: 'wait'; readonly untilMs: number };

/**
 * Begins a due call, whatever has come back. One that finds `ceiling` calls in flight waits until its time and is then
 * dropped. A call handed over early takes no place from another: others are due later.
 */
export function decideStart({
  dueMs,
  nowMs,
  inFlight,
  ceiling,
}: {
  readonly dueMs: number;
  readonly nowMs: number;
  /** Handed over and not ended. */
  readonly inFlight: number;
  readonly ceiling: number;
}): PacedStart {
  if (inFlight >= ceiling) return nowMs >= dueMs ? { is: 'drop' } : { is: 'wait', untilMs: dueMs };
  const handOverMs = dueMs - LEAD_MS;
  return nowMs >= handOverMs ? { is: 'begin' } : { is: 'wait', untilMs: handOverMs };
}
