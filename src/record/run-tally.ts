import { openStarts } from '../plan/load-slices.ts';
import { isMeasured, type Slice } from '../plan/plan.ts';
import type { Trial } from '../plan/trial.ts';
import { median, sortSample } from '../statistics/quantile.ts';
import { stepsOf } from '../suite/sweep.ts';
import { beganMs, NO_FAILURE } from './codes.ts';
import type { Intent, JournalEvent, LoadEnded, Look, Sample, VariantAbandoned } from './journal.ts';
import type { Run } from './run.ts';

/** Calls that share slots: the measured ones of a step, or warm-ups and probes. */
interface Slots {
  readonly declared: number;
  inFlight: number;
  /** Time with a call in flight, and the sum of all calls' times. */
  busyMs: number;
  callsMs: number;
  untilMs: number;
}

/** The calls of one variant in the same slots. */
interface Lane {
  readonly slots: Slots;
  planned: number;
  /** Under open load, when takes begin, from the first on. */
  readonly startsMs: readonly number[] | null;
  ended: number;
  /** Calls that began and ended in one process, and the sum of their times. */
  calls: number;
  callsMs: number;
  lastStartMs: number | null;
  /** Begin of the calls in flight, by trial id. */
  readonly inFlight: Map<string, number>;
}

function createSlots(declared: number): Slots {
  return { declared, inFlight: 0, busyMs: 0, callsMs: 0, untilMs: 0 };
}

function createLane(slots: Slots, planned: number, startsMs: Lane['startsMs'] = null): Lane {
  return { slots, planned, startsMs, ended: 0, calls: 0, callsMs: 0, lastStartMs: null, inFlight: new Map() };
}

function begin(lane: Lane, id: string, atMs: number): void {
  if (lane.inFlight.has(id)) return;
  advance(lane.slots, atMs, 1);
  lane.inFlight.set(id, atMs);
  lane.lastStartMs = atMs;
}

/** Ignores a trial that did not begin: it was dropped, or began in an earlier process. */
function end(lane: Lane, id: string, atMs: number): void {
  const beganMs = lane.inFlight.get(id);
  lane.ended += 1;
  if (beganMs === undefined) return;
  advance(lane.slots, atMs, -1);
  lane.inFlight.delete(id);
  lane.calls += 1;
  lane.callsMs += atMs - beganMs;
}

/** Forgets calls in flight: with the process its clock ended, and they are sent again. */
function interrupt(lane: Lane): void {
  lane.inFlight.clear();
  lane.lastStartMs = null;
  lane.slots.inFlight = 0;
  lane.slots.untilMs = 0;
}

function advance(slots: Slots, atMs: number, change: 1 | -1): void {
  // A journal has the end of a call after the begin of the next.
  const ms = Math.max(0, atMs - slots.untilMs);
  if (slots.inFlight > 0) slots.busyMs += ms;
  slots.callsMs += ms * slots.inFlight;
  slots.untilMs += ms;
  slots.inFlight += change;
}

interface VariantLanes {
  readonly takes: readonly Lane[];
  readonly others: Lane;
  readonly isAbandoned: boolean;
}

/**
 * Milliseconds until the last answer, summed over variants and steps: calls left x mean duration / mean concurrency;
 * under open load the rest of the schedule and one call. Null until each variant was called and a take ended, as
 * warm-ups may be longer. `isDecided`: only probes are still sent.
 */
function timeLeftMs(variants: readonly VariantLanes[], isDecided: boolean, nowMs: number): number | null {
  let scheduledMs = 0;
  const work = new Map<Slots, { callsMs: number; longestMs: number }>();
  let isMeasuring = false;
  for (const { takes, others, isAbandoned } of variants) {
    for (const lane of [...takes, others]) {
      const isTakes = lane !== others;
      const unsent = lane.planned - lane.ended - lane.inFlight.size;
      const left = isAbandoned || (isDecided && isTakes) ? 0 : Math.max(0, unsent);
      if (left === 0 && lane.inFlight.size === 0) continue;
      isMeasuring ||= isTakes;
      const mean = meanMs(isTakes ? [lane] : []) ?? meanMs(takes) ?? meanMs([others]);
      if (lane.startsMs !== null && left > 0) {
        scheduledMs += scheduleLeftMs(lane, lane.startsMs, left, nowMs) + (mean ?? 0);
        continue;
      }
      if (mean === null) return null;
      const sum = work.get(lane.slots) ?? { callsMs: 0, longestMs: 0 };
      work.set(lane.slots, sum);
      sum.callsMs += left * mean;
      for (const beganMs of lane.inFlight.values()) {
        const restMs = Math.max(0, mean - (nowMs - beganMs));
        sum.callsMs += restMs;
        sum.longestMs = Math.max(sum.longestMs, restMs);
      }
    }
  }
  if (isMeasuring && variants.every(({ takes }) => meanMs(takes) === null)) return null;
  return [...work].reduce(
    (ms, [slots, { callsMs, longestMs }]) => ms + Math.max(longestMs, callsMs / meanInFlight(slots)),
    scheduledMs,
  );
}

/** A shard sends a part of the schedule, in the same time. */
function scheduleLeftMs(
  { planned, lastStartMs }: Lane,
  startsMs: readonly number[],
  left: number,
  nowMs: number,
): number {
  const begun = Math.floor(startsMs.length * (1 - left / planned));
  const sinceMs = lastStartMs === null ? 0 : nowMs - lastStartMs;
  return Math.max(0, (startsMs.at(-1) ?? 0) - (startsMs[begun - 1] ?? 0) - sinceMs);
}

function meanMs(lanes: readonly Lane[]): number | null {
  const calls = lanes.reduce((sum, lane) => sum + lane.calls, 0);
  return calls === 0 ? null : lanes.reduce((sum, lane) => sum + lane.callsMs, 0) / calls;
}

function meanInFlight({ declared, busyMs, callsMs }: Slots): number {
  return busyMs === 0 ? declared : callsMs / busyMs;
}

/** Events that are counted; the runner gives them before they are written. */
type TallyEvent =
  | Pick<Intent, 'event' | 'trial' | 'atMs'>
  | Pick<VariantAbandoned, 'event' | 'variant'>
  | Pick<LoadEnded, 'event' | 'variant' | 'step'>
  | Pick<Look, 'event' | 'decided'>
  | Exclude<JournalEvent, Intent | VariantAbandoned | LoadEnded | Look>;

interface Counts {
  planned: number;
  ended: number;
  failed: number;
}

export interface VariantTally {
  readonly name: string;
  /** With warm-ups and probes. */
  readonly requests: Readonly<Counts>;
  readonly takes: Readonly<Counts>;
  readonly inFlight: number;
  readonly isAbandoned: boolean;
  /** Of the latencies of delivered takes outside sweeps; with many it may lack the last 1 % of them. */
  readonly p50Ms: number | null;
}

/** Progress of a run, from the events of its journal. */
export interface RunTally {
  readonly add: (event: TallyEvent) => void;
  readonly variants: () => readonly VariantTally[];
  /** Ended trials, with warm-ups and probes. */
  readonly ended: () => number;
  readonly inFlight: () => number;
  readonly failed: () => number;
  /** Whether the gate is decided: only probes are still sent. */
  readonly isDecided: () => boolean;
  /** Estimated rest of the plan; null if unknown. */
  readonly leftMs: (nowMs: number) => number | null;
}

/** Planned requests of a variant. */
interface PlannedVariant {
  readonly name: string;
  readonly requests: number;
  /** By step of a sweep; null without sweep. */
  readonly takes: ReadonlyMap<number | null, number>;
  /** Under open load, when takes begin, from the first on. */
  readonly startsMs: readonly number[] | null;
}

/** A p50 is computed again when latencies grew by this factor: with many it changes slowly. */
const RENEWED_AT = 1.01;

export function plannedInSlices(names: readonly string[], slices: readonly Slice[]): readonly PlannedVariant[] {
  return names.map((name) => {
    const variantTrials = slices.flatMap(({ trials }) => trials.filter(({ variant }) => variant === name));
    const takes = new Map<number | null, number>();
    for (const { step = null } of variantTrials.filter(isMeasured)) takes.set(step, (takes.get(step) ?? 0) + 1);
    const paces = slices.flatMap(({ pace, trials }) =>
      pace.mode === 'open' && trials[0]?.variant === name ? [pace.startsMs] : [],
    );
    return { name, requests: variantTrials.length, takes, startsMs: paces.length === 1 ? (paces[0] ?? null) : null };
  });
}

/** Planned requests by variant. run.json has only the sum of warm-ups and probes: it is divided equally. */
export function plannedInRun({
  variants,
  plan,
  shard,
}: Pick<Run, 'variants' | 'plan' | 'shard'>): readonly PlannedVariant[] {
  const { load } = plan;
  const steps = stepsOf(load) ?? [null];
  const probes = plan.probes ?? { kinds: [], trials: 0, skippedProbes: [] };
  const probesOf = (name: string): number =>
    probes.kinds.length - probes.skippedProbes.filter(({ variant, whole }) => whole && variant === name).length;
  const probed = variants.reduce((sum, { name }) => sum + probesOf(name), 0);
  const takes = variants.reduce((sum, { plannedTrials }) => sum + plannedTrials, 0);
  const warmups = (plan.requests - takes - probes.trials) / variants.length;
  return variants.map(({ name, plannedTrials }) => ({
    name,
    requests: plannedTrials + Math.round(warmups + (probes.trials * probesOf(name)) / Math.max(1, probed)),
    takes: new Map(steps.map((step) => [step, plannedTrials / steps.length])),
    startsMs:
      load.mode === 'open' && stepsOf(load) === null
        ? openStarts(load, shard?.whole.plannedTrials[name] ?? plannedTrials)
        : null,
  }));
}

interface Counting {
  readonly name: string;
  isAbandoned: boolean;
  readonly requests: Counts;
  readonly takes: Counts;
  readonly lanes: ReadonlyMap<number | null, Lane>;
  readonly others: Lane;
  readonly latenciesMs: number[];
  /** p50 of the first `of` latencies. */
  p50: { readonly of: number; readonly ms: number | null };
}

export function createRunTally(planned: readonly PlannedVariant[], concurrency: number): RunTally {
  const slots = new Map<number | null, Slots>();
  const slotsAt = (step: number | null): Slots => {
    const stepSlots = slots.get(step) ?? createSlots(step ?? concurrency);
    slots.set(step, stepSlots);
    return stepSlots;
  };
  const otherSlots = createSlots(1);
  const variants = new Map(planned.map((variant) => [variant.name, countingOf(variant, slotsAt, otherSlots)]));
  const lanes = [...variants.values()].flatMap((variant) => [...variant.lanes.values(), variant.others]);
  const ended = new Set<string>();
  let failed = 0;
  let isDecided = false;

  const laneOf = (trial: Trial): Lane | undefined => {
    const variant = variants.get(trial.variant);
    return isMeasured(trial) ? variant?.lanes.get(trial.step ?? null) : variant?.others;
  };

  const addSample = (sample: Sample): void => {
    const { trial, outcome, endedMs } = sample;
    const isFailure = !NO_FAILURE.has(outcome);
    if (isFailure) failed += 1;
    // A request without an answer may be sent again: its trial ends twice.
    const isFirst = !ended.has(trial.id);
    ended.add(trial.id);
    const lane = laneOf(trial);
    if (lane !== undefined && isFirst) end(lane, trial.id, endedMs);
    const variant = variants.get(trial.variant);
    if (variant === undefined) return;
    for (const counts of isMeasured(trial) ? [variant.requests, variant.takes] : [variant.requests]) {
      if (isFirst) counts.ended += 1;
      if (isFailure) counts.failed += 1;
    }
    if (outcome === 'ok' && isMeasured(trial) && trial.step === undefined) {
      variant.latenciesMs.push(sample.marks.doneMs - beganMs(sample));
    }
  };

  return {
    add: (event) => {
      if (event.event === 'segment') for (const lane of lanes) interrupt(lane);
      else if (event.event === 'sample') addSample(event.sample);
      else if (event.event === 'look') isDecided ||= event.decided;
      else if (event.event === 'abandoned') {
        const variant = variants.get(event.variant);
        if (variant !== undefined) variant.isAbandoned = true;
      } else if (event.event === 'load_ended') {
        const variant = variants.get(event.variant);
        const lane = variant?.lanes.get(event.step);
        if (variant === undefined || lane === undefined) return;
        const unsent = lane.planned - lane.ended - lane.inFlight.size;
        for (const counts of [lane, variant.requests, variant.takes]) counts.planned -= unsent;
      } else if (event.event === 'intent') {
        const lane = laneOf(event.trial);
        if (lane !== undefined && !ended.has(event.trial.id)) begin(lane, event.trial.id, event.atMs);
      }
    },
    variants: () => [...variants.values()].map(variantTally),
    ended: () => ended.size,
    inFlight: () => lanes.reduce((sum, { inFlight }) => sum + inFlight.size, 0),
    failed: () => failed,
    isDecided: () => isDecided,
    leftMs: (nowMs) => {
      const variantLanes = [...variants.values()].map(({ lanes: takes, others, isAbandoned }) => ({
        takes: [...takes.values()],
        others,
        isAbandoned,
      }));
      return timeLeftMs(variantLanes, isDecided, nowMs);
    },
  };
}

function countingOf(
  { name, requests, takes, startsMs }: PlannedVariant,
  slotsAt: (step: number | null) => Slots,
  otherSlots: Slots,
): Counting {
  const planned = Math.round([...takes.values()].reduce((sum, count) => sum + count, 0));
  return {
    name,
    isAbandoned: false,
    requests: { planned: requests, ended: 0, failed: 0 },
    takes: { planned, ended: 0, failed: 0 },
    lanes: new Map([...takes].map(([step, count]) => [step, createLane(slotsAt(step), count, startsMs)])),
    others: createLane(otherSlots, requests - planned),
    latenciesMs: [],
    p50: { of: 0, ms: null },
  };
}

function variantTally(counting: Counting): VariantTally {
  const { name, requests, takes, isAbandoned, lanes, others, latenciesMs } = counting;
  if (latenciesMs.length > counting.p50.of * RENEWED_AT) {
    counting.p50 = { of: latenciesMs.length, ms: median(sortSample(latenciesMs)) };
  }
  const inFlight = [...lanes.values(), others].reduce((sum, lane) => sum + lane.inFlight.size, 0);
  return { name, requests, takes, inFlight, isAbandoned, p50Ms: counting.p50.ms };
}
