import { beganMs } from '../../record/codes.ts';
import { median, sortSample } from '../../statistics/quantile.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { leftMs } from './throughput.ts';

export interface QueuedCall {
  readonly dueMs: number;
  /** From the due time; `Infinity` if it timed out, null if it was dropped or failed. */
  readonly responseMs: number | null;
  readonly leftMs: number | null;
}

interface GrowingQueue {
  readonly firstMs: number;
  readonly lastMs: number;
}

const PARTS = 8;
/** Medians of fewer calls are chance. */
const FEWEST_IN_A_PART = 5;
/** Pairs, of 28, in which the later part waits longer; chance gives 26 once in 800 loads. */
const FEWEST_RISING = 26;
/** As a share of arrivals. */
const MOST_SERVED = 0.93;

/**
 * Whether the queue grew through the whole load: responses rise from part to part of the due times, the last part waits
 * half as long again as the first, and fewer calls leave than arrive. Above capacity each second adds offered over
 * served rate, less one, to responses, so a latency depends on the load's duration. Null if it did not grow, or with
 * too few calls.
 */
export function growingQueue(calls: readonly QueuedCall[]): GrowingQueue | null {
  const byDue = [...calls].sort((a, b) => a.dueMs - b.dueMs);
  const waited = byDue.flatMap(({ responseMs }) => responseMs ?? []);
  const partSize = waited.length / PARTS;
  if (partSize < FEWEST_IN_A_PART) return null;
  const medians = Array.from({ length: PARTS }, (_, part) => {
    const waitedInPart = waited.slice(Math.round(part * partSize), Math.round((part + 1) * partSize));
    return median(sortSample(waitedInPart)) ?? 0;
  });
  const [first = 0] = medians;
  const last = medians.at(-1) ?? 0;
  if (risingPairs(medians) < FEWEST_RISING || last < 1.5 * first || servedShare(byDue) > MOST_SERVED) return null;
  return { firstMs: first, lastMs: last };
}

/** Two parts with only time-outs count as rising: both are beyond what is visible. */
function risingPairs(medians: readonly number[]): number {
  return medians.reduce(
    (count, earlier, at) =>
      count + medians.slice(at + 1).filter((later) => later > earlier || later === Infinity).length,
    0,
  );
}

/** Departures per arrival in the second half. Earlier arrivals count too: long latencies alone do not lower it. */
function servedShare(byDue: readonly QueuedCall[]): number {
  const from = byDue[Math.floor(byDue.length / 2)]?.dueMs ?? 0;
  const to = byDue.at(-1)?.dueMs ?? 0;
  const came = byDue.filter(({ dueMs }) => dueMs > from && dueMs <= to).length;
  const left = byDue.filter(({ leftMs }) => leftMs !== null && leftMs > from && leftMs <= to).length;
  return came === 0 ? 1 : left / came;
}

export function queued({ sample, outcome, timings }: EffectiveSample): QueuedCall {
  const timedOut = outcome === 'timed_out' ? Infinity : null;
  return {
    dueMs: dueMs(sample),
    responseMs: outcome === 'ok' ? timings.responseMs : timedOut,
    leftMs: outcome === 'dropped' ? null : leftMs(sample),
  };
}

export function dueMs(sample: EffectiveSample['sample']): number {
  return sample.marks.scheduledMs ?? beganMs(sample);
}
