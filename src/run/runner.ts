import type { Plan, Slice, Trial } from '../plan/trial.ts';
import type { Abandonment } from '../record/model/abandonment.ts';
import type { JournalEvent } from '../record/model/journal.ts';
import type { Sample } from '../record/model/sample.ts';
import type { Stop, Unreachable } from '../record/model/stop.ts';
import type { RecordWriter } from '../record/store.ts';
import type { Limits, Load } from '../suite/format/suite.ts';
import { createBacklog } from './calls/backlog.ts';
import { callTrial, type Ended } from './calls/call-trial.ts';
import { bytesOf, keepOutputs } from './calls/keep-outputs.ts';
import type { RunnerEvent } from './calls/runner-event.ts';
import { brokenSample, droppedSample } from './calls/sample-of.ts';
import { sendSlice } from './calls/send-slice.ts';
import { createAbandonRule } from './limits/abandon-rule.ts';
import { createOrphanWatch } from './limits/orphans.ts';
import { createReach, type Server } from './limits/reach.ts';
import { createStopRules } from './limits/stop-rules.ts';
import { createStopping, ofThisMachine } from './limits/stopping.ts';
import { asError } from './limits/thrown.ts';
import type { Clock } from './wire/clock.ts';
import type { Wire } from './wire/wire.ts';
import type { CallRequest } from './wire/wire-messages.ts';

/** What is to be measured. */
export interface Measurement {
  readonly plan: Plan;
  readonly load: Load;
  readonly limits: Limits;
  readonly segment: number;
  /** The call of a trial, rendered when it is sent so that a large plan is not held whole. */
  readonly requestOf: (trial: Trial) => CallRequest;
  /** Where the calls of a variant go; null: a server that is not waited for. */
  readonly serverOf: (variant: string) => Server | null;
  /** The media type the trial's target promises, null for any. */
  readonly expectedOf: (trial: Trial) => string | null;
}

/** The world as the runner meets it. */
export interface RunnerEdge {
  readonly clock: Clock;
  readonly wire: Wire;
  readonly record: RecordWriter;
  /** Aborted: no new request leaves; those in flight end by themselves. */
  readonly drain: AbortSignal;
  readonly observe: (event: RunnerEvent) => void;
  /** Resolves when the reference service that was started for the run has ended. */
  readonly serviceEnded?: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
}

/** Bytes of outputs that may wait to be hashed and written; no call begins while there are more. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;

/**
 * Sends a plan's trials, slice after slice, as the pace of each says, never more than that allows in flight, and writes
 * what becomes of them to the record: an intent before each trial's first byte leaves, one sample after its end. Under
 * open load a trial that found no place in flight has its sample too, and no intent. Gives why it ended.
 * Throws on a defect of ours, after the trials in flight have been journalled.
 */
export async function measure(measurement: Measurement, edge: RunnerEdge): Promise<Stop> {
  const { plan, load, limits, segment, requestOf, serverOf, expectedOf } = measurement;
  const { clock, wire, record, drain, observe } = edge;
  const rules = createStopRules(limits, load);
  const stopping = createStopping(wire.hold);
  const orphans = createOrphanWatch();
  const abandonRule = createAbandonRule();
  const abandoned = new Set<string>();
  const skips = ({ variant }: Trial) => abandoned.has(variant);
  const backlog = createBacklog(MOST_WAITING_BYTES);

  const append = (event: JournalEvent): void => {
    try {
      record.append(event);
    } catch (error) {
      stopping.fault(asError(error));
    }
  };
  const abandon = (variant: string, why: Abandonment): void => {
    if (abandoned.has(variant)) return;
    abandoned.add(variant);
    append({ event: 'abandoned', segment, variant, why, atMs: clock.now() });
    observe({ event: 'abandoned', variant, why });
  };
  const planned = new Set<string>();
  for (const { trials } of plan.slices) for (const { variant } of trials) planned.add(variant);
  const abandonServer = ({ origin }: Server, why: Unreachable): void => {
    for (const variant of planned)
      if (serverOf(variant)?.origin === origin) abandon(variant, { code: 'unreachable', ...why });
    if (abandoned.size === planned.size) stopping.stop({ reason: 'unreachable', ...why });
  };
  const calling = {
    ...{ segment, clock, wire, record, observe, requestOf, expectedOf, rules, stopping, skips, orphans },
    ...{ reach: createReach(clock.now), serverOf, abandonServer },
  };

  const conclude = async (sample: Sample): Promise<void> => {
    const written = record.commit({ event: 'sample', sample }).catch((error) => stopping.fault(asError(error)));
    observe({ event: 'ended', sample });
    const stop = rules.count(sample);
    if (stop !== null) stopping.stop(stop);
    const why = abandonRule.count(sample);
    if (why !== null) abandon(sample.trial.variant, why);
    await written;
  };
  const fail = ({ context, begunMs }: Ended, error: Error): Sample => {
    stopping.fault(error);
    return brokenSample(context, begunMs, clock.now(), error, ofThisMachine(error) === null ? 'defect' : 'cancelled');
  };
  const sampleOrDefect = (ended: Ended): Sample => {
    const { result } = ended;
    if (result instanceof Error) return fail(ended, result);
    try {
      return keepOutputs({ ...ended, result }, record, wire.secrets);
    } catch (error) {
      return fail(ended, asError(error));
    }
  };
  const keep = async (ended: Ended | null): Promise<void> => {
    if (ended === null) return;
    await conclude(await backlog.add(bytesOf(ended.result), () => sampleOrDefect(ended)));
  };
  const drop = (trial: Trial, slice: Slice, dueMs: number): Promise<void> => {
    const context = { trial, slice: slice.index, segment, scheduledAt: clock.wallTime(dueMs) };
    return conclude(droppedSample(context, dueMs, clock.now()));
  };

  void edge.serviceEnded?.then((how) => stopping.stop({ reason: 'service', ...how }));
  const onInterrupt = () => stopping.stop({ reason: 'interrupted' });
  if (drain.aborted) onInterrupt();
  drain.addEventListener('abort', onInterrupt);
  append({ event: 'segment', state: 'started', segment, originAt: clock.originAt });
  const call = (trial: Trial, slice: Slice, dueMs: number | null) => callTrial(trial, slice, dueMs, calling);
  const sending = { call, keep, drop, skips, room: backlog.room, stopped: stopping.signal, now: clock.now };
  for (const slice of plan.slices) {
    if (stopping.why() !== null) break;
    await sendSlice(slice, sending);
  }
  drain.removeEventListener('abort', onInterrupt);

  const stop: Stop = stopping.why() ?? { reason: 'finished' };
  const seen = { orphans: orphans.count(), loopDelay: await wire.loopDelay() };
  append({ event: 'segment', state: 'ended', segment, atMs: clock.now(), stop, ...seen });
  const defect = stopping.noted();
  if (defect !== null) throw defect;
  return stop;
}
