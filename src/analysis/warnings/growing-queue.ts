import { median, sortSample } from '../../statistics/quantile.ts';

export interface QueuedCall {
  readonly dueMs: number;
  /** From when it was due; `Infinity` where it timed out, null where it was dropped or failed. */
  readonly responseMs: number | null;
  readonly leftMs: number | null;
}

export interface GrowingQueue {
  readonly firstMs: number;
  readonly lastMs: number;
}

const PARTS = 8;
/** Medians of smaller parts are chance. */
const FEWEST_IN_A_PART = 5;
/** So many of the 28 pairs of parts have the later one wait longer; chance alone gives 26 once in 800 loads. */
const FEWEST_RISING = 26;
/** As a share of what comes. */
const MOST_SERVED = 0.93;

/**
 * Whether the queue of a service grew through a whole load: responses rise from part to part of the due times, the last
 * part waits at least half as long again as the first, and less leaves than comes. Above capacity responses rise by
 * offered over served rate, less one, for each second of the load, so that every latency is a matter of how long it
 * lasted. Null where it did not grow, or where there are too few calls to tell.
 */
export function growingQueue(calls: readonly QueuedCall[]): GrowingQueue | null {
  const byDue = [...calls].sort((a, b) => a.dueMs - b.dueMs);
  const waited = byDue.flatMap(({ responseMs }) => responseMs ?? []);
  const each = waited.length / PARTS;
  if (each < FEWEST_IN_A_PART) return null;
  const medians = Array.from({ length: PARTS }, (_, part) => {
    const own = waited.slice(Math.round(part * each), Math.round((part + 1) * each));
    return median(sortSample(own)) ?? 0;
  });
  const [first = 0] = medians;
  const last = medians.at(-1) ?? 0;
  if (risingPairs(medians) < FEWEST_RISING || last < 1.5 * first || servedShare(byDue) > MOST_SERVED) return null;
  return { firstMs: first, lastMs: last };
}

/** Two parts of nothing but time-outs count as rising: both lie above what can be seen. */
function risingPairs(medians: readonly number[]): number {
  return medians.reduce(
    (count, earlier, at) =>
      count + medians.slice(at + 1).filter((later) => later > earlier || later === Infinity).length,
    0,
  );
}

/**
 * Calls that left in the second half of the due times, for each that came in it. Calls that came before and left in it
 * count too, so a long latency alone does not make the share small.
 */
function servedShare(byDue: readonly QueuedCall[]): number {
  const from = byDue[Math.floor(byDue.length / 2)]?.dueMs ?? 0;
  const to = byDue.at(-1)?.dueMs ?? 0;
  const came = byDue.filter(({ dueMs }) => dueMs > from && dueMs <= to).length;
  const left = byDue.filter(({ leftMs }) => leftMs !== null && leftMs > from && leftMs <= to).length;
  return came === 0 ? 1 : left / came;
}
