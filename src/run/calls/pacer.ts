/**
 * How long before its time a call of open load is handed to the wire thread, which holds it until then: its intent is
 * written by that time, and neither a body that is being hashed meanwhile nor a burst of replies, as at the end of a
 * stall, makes it late. From its intent on it counts as in flight: a run that is stopped lets it go out.
 */
export const LEAD_MS = 200;

/** What is to be done about the next call of open load. */
export type Start =
  | { readonly is: 'begin' }
  | { readonly is: 'drop' }
  /** Until that time, or until a call has ended. */
  | { readonly is: 'wait'; readonly untilMs: number };

/**
 * A call that is due is begun, whatever has come back. Handed over ahead, it takes its place in flight: only calls that
 * are due later could want it. One that finds no place waits for one until its time, and is then dropped.
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
}): Start {
  if (inFlight >= ceiling) return nowMs >= dueMs ? { is: 'drop' } : { is: 'wait', untilMs: dueMs };
  const handOverMs = dueMs - LEAD_MS;
  return nowMs >= handOverMs ? { is: 'begin' } : { is: 'wait', untilMs: handOverMs };
}
