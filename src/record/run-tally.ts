import { openStarts } from '../plan/open.ts';
import { isMeasured, type Slice } from '../plan/plan.ts';
import type { Trial } from '../plan/trial.ts';
import { median, sortSample } from '../statistics/quantile.ts';
import { beganMs, type Outcome } from './codes.ts';
import type { Intent, JournalEvent, Look, Sample, VariantAbandoned } from './journal.ts';
import type { Run } from './run.ts';
import {
  begin,
  createLane,
  createSlots,
  end,
  interrupt,
  type Lane,
  type Slots,
  timeLeftMs,
} from './tally/time-left.ts';

/** Events that are counted; the runner gives them before they are written. */
export type TallyEvent =
  | Pick<Intent, 'event' | 'trial' | 'atMs'>
  | Pick<VariantAbandoned, 'event' | 'variant'>
  | Pick<Look, 'event' | 'decided'>
  | Exclude<JournalEvent, Intent | VariantAbandoned | Look>;

export interface Counts {
  readonly planned: number;
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
export interface PlannedVariant {
  readonly name: string;
  readonly requests: number;
  /** By step of a sweep; null without sweep. */
  readonly takes: ReadonlyMap<number | null, number>;
  /** Under open load, when takes begin, from the first on. */
  readonly startsMs: readonly number[] | null;
}

const NO_FAILURE: ReadonlySet<Outcome> = new Set(['ok', 'moderated', 'cancelled', 'dropped']);

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
    return { name, requests: variantTrials.length, takes, startsMs: paces[0] ?? null };
  });
}

/** Planned requests by variant. run.json has only the sum of warm-ups and probes: it is divided equally. */
export function plannedInRun({
  variants,
  plan,
  shard,
}: Pick<Run, 'variants' | 'plan' | 'shard'>): readonly PlannedVariant[] {
  const { load } = plan;
  const steps = load.mode === 'closed' && load.steps !== null ? load.steps : [null];
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
    startsMs: load.mode === 'open' ? openStarts(load, shard?.whole.plannedTrials[name] ?? plannedTrials) : null,
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
