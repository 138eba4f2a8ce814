import { openStarts } from '../plan/load-slices.ts';
import { isMeasured, type Slice } from '../plan/plan.ts';
import type { Trial } from '../plan/trial.ts';
import { median, sortSample } from '../statistics/quantile.ts';
import { stepsOf } from '../suite/sweep.ts';
import { beganMs, NO_FAILURE } from './codes.ts';
import type { Intent, JournalEvent, LoadEnded, Look, Sample, VariantAbandoned } from './journal.ts';
import type { Run } from './run.ts';

/** The calls of a variant at one concurrency: its takes under one load, or its warm-ups and probes. */
interface Lane {
  readonly isOfTakes: boolean;
  /** Of a sweep; else null. */
  readonly step: number | null;
  readonly concurrency: number;
  /** Under open load, when takes begin, from the first on. */
  readonly startsMs: readonly number[] | null;
  planned: number;
  ended: number;
  failed: number;
  /** Calls that began and ended in one process, and the sum of their times. */
  calls: number;
  callsMs: number;
  /** Begin of the calls in flight, by trial id. */
  readonly inFlight: Map<string, number>;
}

function createLane(of: Pick<Lane, 'isOfTakes' | 'step' | 'concurrency' | 'startsMs' | 'planned'>): Lane {
  return { ...of, ended: 0, failed: 0, calls: 0, callsMs: 0, inFlight: new Map() };
}

/** Counts a call that did not begin only as ended: it was dropped, or began in an earlier process. */
function end(lane: Lane, id: string, atMs: number): void {
  const beganMs = lane.inFlight.get(id);
  lane.ended += 1;
  if (beganMs === undefined) return;
  lane.inFlight.delete(id);
  lane.calls += 1;
  lane.callsMs += atMs - beganMs;
}

function unsentOf({ planned, ended, inFlight }: Lane): number {
  return planned - ended - inFlight.size;
}

/**
 * Milliseconds until the last answer, summed over variants and loads: calls left x mean duration / concurrency; under
 * open load the rest of the schedule and one call. Null until each variant was called and a take ended, as warm-ups may
 * be longer. `isDecided`: only probes are still sent.
 */
function timeLeftMs(variants: readonly Counting[], isDecided: boolean, nowMs: number): number | null {
  let sumMs = 0;
  let isMeasuring = false;
  for (const { lanes, isAbandoned } of variants) {
    const takes = lanes.filter(({ isOfTakes }) => isOfTakes);
    for (const lane of lanes) {
      const isOver = isAbandoned || (isDecided && lane.isOfTakes);
      const unsent = isOver ? 0 : Math.max(0, unsentOf(lane));
      if (unsent === 0 && lane.inFlight.size === 0) continue;
      isMeasuring ||= lane.isOfTakes;
      const mean = meanMs(lane.isOfTakes ? [lane] : []) ?? meanMs(takes) ?? meanMs(lanes);
      if (lane.startsMs !== null && unsent > 0) {
        sumMs += scheduleLeftMs(lane.startsMs, unsent / lane.planned) + (mean ?? 0);
        continue;
      }
      if (mean === null) return null;
      const restsMs = [...lane.inFlight.values()].map((beganMs) => Math.max(0, mean - (nowMs - beganMs)));
      const callsMs = restsMs.reduce((sum, restMs) => sum + restMs, unsent * mean);
      sumMs += Math.max(...restsMs, callsMs / lane.concurrency);
    }
  }
  const hasMean = variants.some(({ lanes }) => lanes.some(({ isOfTakes, calls }) => isOfTakes && calls > 0));
  return isMeasuring && !hasMean ? null : sumMs;
}

/** A shard sends a part of the schedule, in the same time. */
function scheduleLeftMs(startsMs: readonly number[], shareLeft: number): number {
  const begun = Math.floor(startsMs.length * (1 - shareLeft));
  return (startsMs.at(-1) ?? 0) - (startsMs[begun - 1] ?? 0);
}

function meanMs(lanes: readonly Lane[]): number | null {
  const calls = lanes.reduce((sum, lane) => sum + lane.calls, 0);
  return calls === 0 ? null : lanes.reduce((sum, lane) => sum + lane.callsMs, 0) / calls;
}

/** Events that are counted; the runner gives them before they are written. */
type TallyEvent =
  | Pick<Intent, 'event' | 'trial' | 'atMs'>
  | Pick<VariantAbandoned, 'event' | 'variant'>
  | Pick<LoadEnded, 'event' | 'variant' | 'step'>
  | Pick<Look, 'event' | 'decided'>
  | Exclude<JournalEvent, Intent | VariantAbandoned | LoadEnded | Look>;

interface Counts {
  readonly planned: number;
  readonly ended: number;
  readonly failed: number;
}

export interface VariantTally {
  readonly name: string;
  /** With warm-ups and probes. */
  readonly requests: Counts;
  readonly takes: Counts;
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
  readonly lanes: readonly Lane[];
  readonly laneOf: (trial: Trial) => Lane;
  readonly latenciesMs: number[];
  /** p50 of the first `of` latencies. */
  p50: { readonly of: number; readonly ms: number | null };
}

export function createRunTally(planned: readonly PlannedVariant[], concurrency: number): RunTally {
  const variants = new Map(planned.map((variant) => [variant.name, countingOf(variant, concurrency)]));
  const lanes = [...variants.values()].flatMap((variant) => variant.lanes);
  const ended = new Set<string>();
  let failed = 0;
  let isDecided = false;

  const addSample = (sample: Sample): void => {
    const { trial, outcome, endedMs } = sample;
    const isFailure = !NO_FAILURE.has(outcome);
    if (isFailure) failed += 1;
    // A request without an answer may be sent again: its trial ends twice.
    const isFirst = !ended.has(trial.id);
    ended.add(trial.id);
    const variant = variants.get(trial.variant);
    if (variant === undefined) return;
    const lane = variant.laneOf(trial);
    if (isFirst) end(lane, trial.id, endedMs);
    if (isFailure) lane.failed += 1;
    if (outcome === 'ok' && isMeasured(trial) && trial.step === undefined) {
      variant.latenciesMs.push(sample.marks.doneMs - beganMs(sample));
    }
  };

  return {
    add: (event) => {
      // With a process its clock ended, and what was in flight is sent again.
      if (event.event === 'segment') for (const lane of lanes) lane.inFlight.clear();
      else if (event.event === 'sample') addSample(event.sample);
      else if (event.event === 'look') isDecided ||= event.decided;
      else if (event.event === 'abandoned') {
        const variant = variants.get(event.variant);
        if (variant !== undefined) variant.isAbandoned = true;
      } else if (event.event === 'load_ended') {
        const load = variants.get(event.variant)?.lanes.filter((lane) => lane.isOfTakes && lane.step === event.step);
        for (const lane of load ?? []) lane.planned -= unsentOf(lane);
      } else if (event.event === 'intent' && !ended.has(event.trial.id)) {
        const { trial, atMs } = event;
        const inFlight = variants.get(trial.variant)?.laneOf(trial).inFlight;
        if (inFlight?.has(trial.id) === false) inFlight.set(trial.id, atMs);
      }
    },
    variants: () => [...variants.values()].map(variantTally),
    ended: () => ended.size,
    inFlight: () => lanes.reduce((sum, { inFlight }) => sum + inFlight.size, 0),
    failed: () => failed,
    isDecided: () => isDecided,
    leftMs: (nowMs) => timeLeftMs([...variants.values()], isDecided, nowMs),
  };
}

function countingOf({ name, requests, takes, startsMs }: PlannedVariant, concurrency: number): Counting {
  const ofTakes = [...takes].map(([step, planned]) =>
    createLane({ isOfTakes: true, step, concurrency: step ?? concurrency, startsMs, planned }),
  );
  const planned = requests - ofTakes.reduce((sum, lane) => sum + lane.planned, 0);
  const others = createLane({ isOfTakes: false, step: null, concurrency: 1, startsMs: null, planned });
  const laneOf = (trial: Trial): Lane => {
    const { step = null } = trial;
    return (isMeasured(trial) ? ofTakes.find((lane) => lane.step === step) : null) ?? others;
  };
  return {
    name,
    isAbandoned: false,
    lanes: [...ofTakes, others],
    laneOf,
    latenciesMs: [],
    p50: { of: 0, ms: null },
  };
}

function variantTally(counting: Counting): VariantTally {
  const { name, isAbandoned, lanes, latenciesMs } = counting;
  if (latenciesMs.length > counting.p50.of * RENEWED_AT) {
    counting.p50 = { of: latenciesMs.length, ms: median(sortSample(latenciesMs)) };
  }
  const inFlight = lanes.reduce((sum, lane) => sum + lane.inFlight.size, 0);
  const takes = countsOf(lanes.filter(({ isOfTakes }) => isOfTakes));
  return { name, requests: countsOf(lanes), takes, inFlight, isAbandoned, p50Ms: counting.p50.ms };
}

function countsOf(lanes: readonly Lane[]): Counts {
  const sum = (of: 'planned' | 'ended' | 'failed') => lanes.reduce((all, lane) => all + lane[of], 0);
  // Of a run that is read, takes are divided equally by step.
  return { planned: Math.round(sum('planned')), ended: sum('ended'), failed: sum('failed') };
}
