import { CALLS_PER_SLOT } from '../../plan/sweep.ts';
import { type JackknifeInterval, jackknifeRatio, type RatioPart } from '../../statistics/jackknife.ts';
import { sum } from '../../statistics/mean.ts';
import { CONFIDENCE } from './confidence.ts';
import { type Dependence, worth } from './dependence.ts';

export interface SlotCall {
  /** When it took its slot, which a first attempt that was throttled already held. */
  readonly fromMs: number;
  /** When it left it: the last byte, or the end of a failure. */
  readonly untilMs: number;
  readonly ok: boolean;
}

/** In ok outputs per second. */
export type ClosedThroughput =
  /**
   * A unit is a slice or a part of a long one; with one in flight, a call. `interval` is null for fewer than 6 units.
   */
  | {
      readonly found: 'rate';
      readonly perSecond: number;
      readonly interval: JackknifeInterval | null;
      readonly units: number;
      /** Slices too short to be used beside those that were. */
      readonly leftOut: number;
    }
  /** Slices too short for a rate: it lies between these; null for fewer than 6 slices. */
  | { readonly found: 'bracket'; readonly interval: JackknifeInterval | null; readonly units: number }
  | { readonly found: 'nothing' };

/** What a part of a slice has at least, in calls over the concurrency, where a long slice is cut into several. */
const PART_PER_SLOT = 12;

/**
 * Completions before a slice's window, over the concurrency, in which calls that began together spread out. With 1, a
 * service without a queue where one call in ten takes eleven times as long seems 5 % too fast; with 3, up to 2 % too
 * slow.
 */
const SETTLING_PER_SLOT = 2.5;

/** 0 where the slice is too short for throughput. */
export function partsOfSlice(calls: number, concurrency: number): number {
  if (calls < CALLS_PER_SLOT * concurrency) return 0;
  return Math.max(1, Math.floor(calls / (PART_PER_SLOT * concurrency)));
}

/**
 * Throughput while all slots are full. Of slices of at least 10 c calls: ok outputs from the slice's 2.5 c-th
 * completion to its last start, over that time; before it the calls that began together are not yet spread out, after
 * it slots stand empty. A call counts by the share of its time in that window. A long window is cut into equal parts of
 * at least 12 c calls; the interval leaves out one part at a time. Slices of 10 c are at most 2 % off on average where
 * service times are constant, exponential, lognormal up to a CV of 100 %, or one call in ten takes eleven times as long
 * as the others; chance makes more of it.
 * `npm run bench -- intervals` shows what intervals cover.
 *
 * Shorter slices cannot carry one number: counting the drain is too low, c over the mean latency too high where the
 * last calls of a slice have the service to themselves, or a few long calls are counted in all their length. They give
 * a bracket: from the lower 97.5 % limit of the one to the upper of the other.
 *
 * At one in flight nothing overlaps and each call is a slice of its own: ok outputs over the sum of all durations.
 *
 * @param slices each on a clock of its own
 * @param dependence of durations; used at one in flight, where calls are the units
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

/** Ok outputs by the share of their time, and seconds, in each part of the time in which all slots were full. */
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

/** All ok outputs, and the seconds from the first start to the last end. */
function drainedWindow(calls: readonly SlotCall[]): RatioPart {
  const fromMs = calls.reduce((first, call) => Math.min(first, call.fromMs), Infinity);
  const untilMs = calls.reduce((last, call) => Math.max(last, call.untilMs), -Infinity);
  return { numerator: okIn(calls), denominator: (untilMs - fromMs) / 1000 };
}

/** All ok outputs, and the seconds in which `concurrency` slots would hold these calls if no slot were ever empty. */
function slotTime(calls: readonly SlotCall[], concurrency: number): RatioPart {
  const heldMs = sum(calls.map(({ fromMs, untilMs }) => untilMs - fromMs));
  return { numerator: okIn(calls), denominator: heldMs / 1000 / concurrency };
}

function okIn(calls: readonly SlotCall[]): number {
  return calls.filter(({ ok }) => ok).length;
}
