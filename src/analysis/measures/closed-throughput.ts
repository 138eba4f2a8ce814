import { CALLS_PER_SLOT } from '../../plan/sweep.ts';
import { type JackknifeInterval, jackknifeRatio, type RatioPart } from '../../statistics/jackknife.ts';
import { sum } from '../../statistics/mean.ts';
import { CONFIDENCE } from './confidence.ts';
import { type Dependence, worth } from './dependence.ts';

export interface SlotCall {
  /** Start of the slot, including a throttled first attempt. */
  readonly fromMs: number;
  /** End of the slot: the last byte, or the end of a failure. */
  readonly untilMs: number;
  readonly ok: boolean;
}

/** In ok outputs per second. */
export type ClosedThroughput =
  /** A unit is a slice or part of a long one; with one in flight, a call. `interval` is null below 6 units. */
  | {
      readonly found: 'rate';
      readonly perSecond: number;
      readonly interval: JackknifeInterval | null;
      readonly units: number;
      /** Slices that were too short to use. */
      readonly leftOut: number;
    }
  /** Slices too short for one rate, which is between these; null below 6 slices. */
  | { readonly found: 'bracket'; readonly interval: JackknifeInterval | null; readonly units: number }
  | { readonly found: 'nothing' };

/** Fewest calls per slot in each part of a long slice. */
const PART_PER_SLOT = 12;

/**
 * Completions per slot before the window, in which calls that began together spread out. With 1, a service without a
 * queue where one call in ten takes eleven times as long seems 5 % too fast; with 3, up to 2 % too slow.
 */
const SETTLING_PER_SLOT = 2.5;

/** 0 if the slice is too short for throughput. */
export function partsOfSlice(calls: number, concurrency: number): number {
  if (calls < CALLS_PER_SLOT * concurrency) return 0;
  return Math.max(1, Math.floor(calls / (PART_PER_SLOT * concurrency)));
}

/**
 * Throughput while all slots are full, in slices of at least 10 c calls: ok outputs from the 2.5 c-th completion to the
 * last start, over that time. Before it calls are not spread out, after it slots are empty. A call counts by the share
 * of its time in that window. A long window is cut into equal parts of at least 12 c calls; the interval leaves out one
 * part at a time. Slices of 10 c are at most 2 % off on average for constant, exponential and lognormal (CV to 100 %)
 * service times, or if one call in ten takes eleven times as long. `npm run bench -- intervals` shows what intervals
 * cover.
 *
 * Shorter slices give a bracket. Counting the drain is too low; c over the mean latency is too high if the last calls
 * have the service alone or a few long calls count whole. The bracket is from the lower 97.5 % limit of the first to
 * the upper one of the second.
 *
 * At one in flight each call is a slice: ok outputs over the sum of durations.
 *
 * @param slices each on its own clock
 * @param dependence of durations; used only at one in flight
 */
export function closedThroughput(
  slices: readonly (readonly SlotCall[])[],
  concurrency: number,
  dependence: Dependence | null,
): ClosedThroughput {
  if (concurrency === 1) return oneInFlight(slices.flat(), dependence);
  const long = slices.filter((calls) => partsOfSlice(calls.length, concurrency) > 0);
  const full = long.flatMap((calls) => fullParts(calls, concurrency)).filter((part) => part.denominator > 0);
  if (full.length > 0) return rateOf(full, full.length, slices.length - long.length);
  const filled = slices.filter((calls) => calls.length > 0);
  if (filled.length === 0) return { found: 'nothing' };
  const low = jackknifeRatio(filled.map(drainedWindow), CONFIDENCE)?.low;
  const high = jackknifeRatio(
    filled.map((calls) => slotTime(calls, concurrency)),
    CONFIDENCE,
  )?.high;
  const interval = low === undefined || high === undefined ? null : { low, high };
  return { found: 'bracket', interval, units: filled.length };
}

function oneInFlight(calls: readonly SlotCall[], dependence: Dependence | null): ClosedThroughput {
  const parts = calls.map((call) => slotTime([call], 1)).filter(({ denominator }) => denominator > 0);
  return rateOf(parts, worth(parts.length, dependence), 0);
}

function rateOf(parts: readonly RatioPart[], effective: number, leftOut: number): ClosedThroughput {
  const seconds = sum(parts.map(({ denominator }) => denominator));
  if (seconds === 0) return { found: 'nothing' };
  return {
    found: 'rate',
    perSecond: sum(parts.map(({ numerator }) => numerator)) / seconds,
    interval: jackknifeRatio(parts, CONFIDENCE, effective),
    units: parts.length,
    leftOut,
  };
}

function fullParts(calls: readonly SlotCall[], concurrency: number): readonly RatioPart[] {
  const ends = Float64Array.from(calls, ({ untilMs }) => untilMs).sort();
  const fromMs = ends[Math.round(SETTLING_PER_SLOT * concurrency) - 1] ?? Infinity;
  const lastedMs = calls.reduce((last, call) => Math.max(last, call.fromMs), -Infinity) - fromMs;
  const parts = partsOfSlice(calls.length, concurrency);
  return Array.from({ length: parts }, (_, part) => {
    const [beganMs, endedMs] = [fromMs + (lastedMs * part) / parts, fromMs + (lastedMs * (part + 1)) / parts];
    const shares = calls.map((call) => (call.ok ? shareInside(call, beganMs, endedMs) : 0));
    return { numerator: sum(shares), denominator: Math.max(0, lastedMs / parts / 1000) };
  });
}

function shareInside(call: SlotCall, fromMs: number, untilMs: number): number {
  const insideMs = Math.min(call.untilMs, untilMs) - Math.max(call.fromMs, fromMs);
  const tookMs = call.untilMs - call.fromMs;
  if (tookMs > 0) return Math.max(0, insideMs) / tookMs;
  return insideMs === 0 ? 1 : 0;
}

/** All ok outputs, and seconds from the first start to the last end. */
function drainedWindow(calls: readonly SlotCall[]): RatioPart {
  const fromMs = calls.reduce((first, call) => Math.min(first, call.fromMs), Infinity);
  const untilMs = calls.reduce((last, call) => Math.max(last, call.untilMs), -Infinity);
  return { numerator: okIn(calls), denominator: (untilMs - fromMs) / 1000 };
}

/** All ok outputs, and the seconds that `concurrency` slots need if none is ever empty. */
function slotTime(calls: readonly SlotCall[], concurrency: number): RatioPart {
  const heldMs = sum(calls.map(({ fromMs, untilMs }) => untilMs - fromMs));
  return { numerator: okIn(calls), denominator: heldMs / 1000 / concurrency };
}

function okIn(calls: readonly SlotCall[]): number {
  return calls.filter(({ ok }) => ok).length;
}
