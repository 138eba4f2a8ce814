import { groupBy } from '../../kit/grouping.ts';
import { CALLS_PER_SLOT } from '../../plan/load-slices.ts';
import { beganMs } from '../../record/codes.ts';
import type { Sample } from '../../record/journal.ts';
import { FEWEST_UNITS, type JackknifeInterval, jackknifeRatio, type RatioPart } from '../../statistics/jackknife.ts';
import { sum } from '../../statistics/mean.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import type { ClosedLoad } from '../../suite/load.ts';
import { type Dependence, worth } from '../dependence.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { type Finding, mixesSteps, type Subject } from '../metric.ts';
import { type Note, noted } from '../note.ts';
import { sliceOf } from '../sample-times.ts';

export interface SlotCall {
  /** Start of the slot, including a throttled first attempt. */
  readonly fromMs: number;
  /** End of the slot: the last byte, or the end of a failure. */
  readonly untilMs: number;
  /** What it made of what is counted; 0 for a failure. */
  readonly amount: number;
}

type ClosedThroughput =
  /** A unit is a slice or part of a long one; with one in flight, a call. `interval` is null below 6 units. */
  | {
      readonly found: 'rate';
      readonly perSecond: number;
      readonly interval: JackknifeInterval | null;
      readonly units: number;
      /** Slices that were too short to use. */
      readonly leftOut: number;
    }
  /** Slices too short for a rate. */
  | { readonly found: 'too_short' }
  | { readonly found: 'nothing' };

/** Fewest calls per slot in each part of a long slice. */
const PART_PER_SLOT = 12;

/**
 * Completions per slot before the window, in which calls that began together spread out. With 1, a service without a
 * queue where one call in ten takes eleven times as long seems 5 % too fast; with 3, up to 2 % too slow.
 */
const SETTLING_PER_SLOT = 2.5;

/** 0 if the slice is too short for throughput. */
function partsOfSlice(calls: number, concurrency: number): number {
  if (calls < CALLS_PER_SLOT * concurrency) return 0;
  return Math.max(1, Math.floor(calls / (PART_PER_SLOT * concurrency)));
}

/**
 * Throughput while all slots are full, in slices of at least 10 c calls at concurrency c: amounts from the 2.5 c-th completion to the
 * last start, over that time. Before it calls are not spread out, after it slots are empty. A call counts by the share
 * of its time in that window. A long window is cut into equal parts of at least 12 c calls; the interval leaves out one
 * part at a time. Slices of 10 c are at most 2 % off on average for constant, exponential and lognormal (CV to 100 %)
 * service times, or if one call in ten takes eleven times as long. What intervals cover is held by
 * test/analysis/measures/closed-throughput.test.ts.
 *
 * At one in flight each call is a slice: amounts over the sum of durations.
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
  return slices.some((calls) => calls.length > 0) ? { found: 'too_short' } : { found: 'nothing' };
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
    const shares = calls.map((call) => call.amount * shareInside(call, beganMs, endedMs));
    return { numerator: sum(shares), denominator: Math.max(0, lastedMs / parts / 1000) };
  });
}

function shareInside(call: SlotCall, fromMs: number, untilMs: number): number {
  const insideMs = Math.min(call.untilMs, untilMs) - Math.max(call.fromMs, fromMs);
  const tookMs = call.untilMs - call.fromMs;
  if (tookMs > 0) return Math.max(0, insideMs) / tookMs;
  return insideMs === 0 ? 1 : 0;
}

/** All amounts, and the seconds that `concurrency` slots need if none is ever empty. */
function slotTime(calls: readonly SlotCall[], concurrency: number): RatioPart {
  const heldMs = sum(calls.map(({ fromMs, untilMs }) => untilMs - fromMs));
  return { numerator: sum(calls.map(({ amount }) => amount)), denominator: heldMs / 1000 / concurrency };
}

/** Calls by slice, from the first attempt (a throttled one holds the slot) to the last byte or the failure. */
function slotCalls(calls: readonly MadeCall[]): readonly (readonly SlotCall[])[] {
  const slices = groupBy(calls, ({ sample }) => sliceOf(sample));
  return [...slices.values()].map((members) =>
    members.map(({ sample, amount }) => ({
      fromMs: beganMs(sample) - sample.throttleWaitMs,
      untilMs: leftMs(sample),
      amount,
    })),
  );
}

/** The last byte, not when its bytes were stored. */
export function leftMs({ marks, endedMs }: Sample): number {
  return marks.doneMs ?? endedMs;
}

/** Each step of a sweep has its own number of slots. */
function slotsOf(step: number | null, load: Pick<ClosedLoad, 'concurrency'>): number {
  return step ?? load.concurrency;
}

interface MadeCall {
  readonly sample: Sample;
  readonly amount: number;
}

/** Amounts until the last due time, per second from the first one. Null if all due times are equal. */
function openThroughput(calls: readonly MadeCall[]): number | null {
  let made = 0;
  let lastedMs = 0;
  for (const slice of groupBy(calls, ({ sample }) => sliceOf(sample)).values()) {
    const due = slice.flatMap(({ sample: { marks } }) => marks.scheduledMs ?? []);
    const first = due.reduce((least, ms) => Math.min(least, ms), Infinity);
    const last = due.reduce((most, ms) => Math.max(most, ms), -Infinity);
    if (!(last > first)) continue;
    lastedMs += last - first;
    made += sum(slice.map(({ sample, amount }) => (leftMs(sample) <= last ? amount : 0)));
  }
  return lastedMs === 0 ? null : (1000 * made) / lastedMs;
}

/**
 * What takes make per second under the requested load. Null if slices are too short, if variants were mixed (no variant
 * has its own time), for merged shards (their clocks differ), and if the amount of a take is not known. Takes that make
 * nothing still hold their slot; `n` is that of the others. No finding of a prompt, or of several steps.
 * @param amountOf of a take: 1 to count takes; null if unknown
 */
export function throughputFinding(
  subject: Subject,
  amountOf: (take: EffectiveSample) => number | null,
): Omit<Finding, 'statistic'> | null {
  const { prompt, step, plan, isSharded } = subject;
  if (prompt !== null || mixesSteps(subject)) return null;
  const amounts = subject.samples.map((take) => ({ sample: take.sample, amount: amountOf(take) }));
  const calls = amounts.flatMap(({ sample, amount }) => (amount === null ? [] : [{ sample, amount }]));
  const unknown = amounts.length - calls.length;
  const n = unknown + calls.filter(({ amount }) => amount > 0).length;
  const isOpen = plan.load.mode === 'open';
  const none = (note: Note) =>
    ({ value: null, n, interval: null, method: isOpen ? 'done_while_due' : 'full_slots', notes: [note] }) as const;
  if (isSharded) return none(noted('sharded'));
  if (!isOpen && plan.load.order === 'mixed') return none(noted('mixed_order'));
  if (unknown > 0) return none(noted('amount_unknown', unknown));
  if (isOpen) {
    const value = openThroughput(calls);
    return { ...none(noted(value === null ? 'no_trial' : 'no_interval')), value };
  }
  const slots = slotsOf(step, plan.load);
  const throughput = closedThroughput(slotCalls(calls), slots, subject.dependence);
  if (throughput.found === 'nothing') return none(noted('no_trial'));
  if (throughput.found === 'too_short') return none(noted('slices_too_short', CALLS_PER_SLOT * slots));
  const { perSecond, interval, units, leftOut } = throughput;
  const few = noted('needs_n', Math.max(FEWEST_UNITS, Math.ceil((FEWEST_UNITS * n) / units)));
  const notes = [
    ...(interval === null ? [few] : []),
    ...(leftOut === 0 ? [] : [noted('short_slices_left_out', leftOut)]),
  ];
  return { value: perSecond, n, interval, method: 'jackknife_t', notes };
}
