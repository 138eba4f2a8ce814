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
  readonly ok: boolean;
}

/** In ok outputs per second. */
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
 * Throughput while all slots are full, in slices of at least 10 c calls at concurrency c: ok outputs from the 2.5 c-th completion to the
 * last start, over that time. Before it calls are not spread out, after it slots are empty. A call counts by the share
 * of its time in that window. A long window is cut into equal parts of at least 12 c calls; the interval leaves out one
 * part at a time. Slices of 10 c are at most 2 % off on average for constant, exponential and lognormal (CV to 100 %)
 * service times, or if one call in ten takes eleven times as long. What intervals cover is held by
 * test/analysis/measures/closed-throughput.test.ts.
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

/** All ok outputs, and the seconds that `concurrency` slots need if none is ever empty. */
function slotTime(calls: readonly SlotCall[], concurrency: number): RatioPart {
  const heldMs = sum(calls.map(({ fromMs, untilMs }) => untilMs - fromMs));
  return { numerator: okIn(calls), denominator: heldMs / 1000 / concurrency };
}

function okIn(calls: readonly SlotCall[]): number {
  return calls.filter(({ ok }) => ok).length;
}

/** Calls by slice, from the first attempt (a throttled one holds the slot) to the last byte or the failure. */
function slotCalls(
  samples: readonly EffectiveSample[],
  counts: (take: EffectiveSample) => boolean,
): readonly (readonly SlotCall[])[] {
  const slices = groupBy(samples, ({ sample }) => sliceOf(sample));
  return [...slices.values()].map((members) =>
    members.map((take) => ({
      fromMs: beganMs(take.sample) - take.sample.throttleWaitMs,
      untilMs: leftMs(take.sample),
      ok: counts(take),
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

interface DueCall {
  readonly sample: Sample;
  readonly ok: boolean;
}

/** Ok outputs until the last due time, per second from the first one. Null if all due times are equal. */
function openThroughput(calls: readonly DueCall[]): number | null {
  let outputs = 0;
  let lastedMs = 0;
  for (const slice of groupBy(calls, ({ sample }) => sliceOf(sample)).values()) {
    const due = slice.flatMap(({ sample: { marks } }) => marks.scheduledMs ?? []);
    const first = due.reduce((least, ms) => Math.min(least, ms), Infinity);
    const last = due.reduce((most, ms) => Math.max(most, ms), -Infinity);
    if (!(last > first)) continue;
    lastedMs += last - first;
    outputs += slice.filter(({ sample, ok }) => ok && leftMs(sample) <= last).length;
  }
  return lastedMs === 0 ? null : (1000 * outputs) / lastedMs;
}

/**
 * Counted takes per second under the requested load. Null if slices are too short, if variants were mixed (no variant
 * has its own time), and for merged shards (their clocks differ). Takes that do not count still hold their slot. No
 * finding of a prompt, or of several steps.
 */
export function throughputFinding(
  subject: Subject,
  counts: (take: EffectiveSample) => boolean,
): Omit<Finding, 'statistic'> | null {
  const { prompt, step, samples, plan, isSharded } = subject;
  if (prompt !== null || mixesSteps(subject)) return null;
  const n = samples.filter(counts).length;
  const none = (note: Note) => ({ value: null, n, interval: null, method: 'full_slots', notes: [note] }) as const;
  if (plan.load.mode === 'open') {
    const open = { n, interval: null, method: 'done_while_due' } as const;
    if (isSharded) return { ...open, value: null, notes: [noted('sharded')] };
    const value = openThroughput(samples.map((take) => ({ sample: take.sample, ok: counts(take) })));
    return { ...open, value, notes: [noted(value === null ? 'no_trial' : 'no_interval')] };
  }
  if (isSharded) return none(noted('sharded'));
  if (plan.load.order === 'mixed') return none(noted('mixed_order'));
  const slots = slotsOf(step, plan.load);
  const throughput = closedThroughput(slotCalls(samples, counts), slots, subject.dependence);
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
