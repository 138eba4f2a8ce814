import type { Slice, Trial } from '../../plan/trial.ts';
import type { Unreachable } from '../../record/model/stop.ts';
import type { RecordWriter } from '../../record/store.ts';
import type { AcceptedJob, RefusedAttempt } from '../../targets/call/edge.ts';
import type { OrphanWatch } from '../limits/orphans.ts';
import type { Reach, Server } from '../limits/reach.ts';
import type { StopRules } from '../limits/stop-rules.ts';
import type { Stopping } from '../limits/stopping.ts';
import { asError } from '../limits/thrown.ts';
import type { Clock } from '../wire/clock.ts';
import type { Wire } from '../wire/wire.ts';
import type { CallRequest, EndedCall } from '../wire/wire-messages.ts';
import { callReached } from './call-reached.ts';
import type { RunnerEvent } from './runner-event.ts';
import type { SampleContext } from './sample-of.ts';

/** A call that ended, or broke. */
export interface Ended {
  readonly context: SampleContext;
  /** When it was handed over. */
  readonly begunMs: number;
  readonly result: EndedCall | Error;
  readonly expected: string | null;
}

/** What the call of a trial needs. */
export interface CallTrial {
  readonly segment: number;
  readonly clock: Clock;
  readonly wire: Wire;
  readonly record: RecordWriter;
  readonly observe: (event: RunnerEvent) => void;
  readonly requestOf: (trial: Trial) => CallRequest;
  readonly expectedOf: (trial: Trial) => string | null;
  readonly rules: StopRules;
  readonly stopping: Stopping;
  /** Whether the variant of a trial was abandoned. */
  readonly skips: (trial: Trial) => boolean;
  readonly orphans: OrphanWatch;
  readonly reach: Reach;
  /** Null: nothing is known of it, and nothing waited for. */
  readonly serverOf: (variant: string) => Server | null;
  /** Abandons every variant that a server has. */
  readonly abandonServer: (server: Server, why: Unreachable) => void;
}

/**
 * Makes the call of a trial: an intent before its first byte leaves, a line for each attempt that is sent again and for
 * the job that was accepted. Null where nothing left, since the run stops or the variant was abandoned. Never rejects: a fault of ours ends the run.
 *
 * @param dueMs when it is to begin; null: at once
 */
export async function callTrial(
  trial: Trial,
  slice: Slice,
  dueMs: number | null,
  edge: CallTrial,
): Promise<Ended | null> {
  const { segment, clock, wire, record, observe, requestOf, expectedOf, rules, stopping, skips, orphans } = edge;
  const { reach, serverOf, abandonServer } = edge;
  /** Every submit counts, a refused one that is sent again among them. */
  const mayLeave = (): boolean => {
    if (stopping.why() !== null || skips(trial)) return false;
    const stop = rules.spend();
    if (stop !== null) stopping.stop(stop);
    return stop === null;
  };
  const refused = (attempt: RefusedAttempt): boolean => {
    const again = mayLeave();
    if (again) record.append({ event: 'attempt', segment, trial: trial.id, ...attempt });
    observe({ event: 'refused', trial, attempt });
    return again;
  };
  const accepted = ({ captured, atMs }: AcceptedJob): void => {
    record.append({ event: 'accepted', segment, trial: trial.id, captured, atMs });
  };

  if (!mayLeave()) return null;
  const begunMs = clock.now();
  let request: CallRequest;
  try {
    request = { ...requestOf(trial), ...(dueMs === null ? {} : { dueMs }) };
    await record.commit({ event: 'intent', segment, slice: slice.index, trial, atMs: begunMs });
  } catch (error) {
    stopping.fault(asError(error));
    return null; // nothing left
  }
  observe({ event: 'started', trial });
  const server = serverOf(trial.variant);
  const sent = await callReached(
    (attemptsBefore) =>
      wire
        .call(request, (attempt) => refused({ ...attempt, attempt: attempt.attempt + attemptsBefore }), accepted)
        .catch(asError),
    {
      server,
      reach,
      mayWait: dueMs === null,
      stopped: stopping.signal,
      isAbandoned: () => skips(trial),
      waiting: (origin, code) => observe({ event: 'waiting', origin, code }),
      reached: (origin) => observe({ event: 'reached', origin }),
      abandon: abandonServer,
    },
  );
  if (sent.unsent) rules.takeBack();
  let { result } = sent;
  if (!(result instanceof Error) && result.outcome === 'error' && NO_DESCRIPTORS.test(result.error.code)) {
    // The service did nothing wrong: this machine ran out.
    stopping.stop({ reason: 'descriptors' });
    result = { ...result, outcome: 'cancelled' };
  }
  if (!(result instanceof Error) && result.cancel !== null) {
    try {
      record.append({ event: 'cancel', segment, trial: trial.id, ...result.cancel });
    } catch (error) {
      stopping.fault(asError(error));
    }
  }
  const scheduledAt = clock.wallTime(dueMs ?? (result instanceof Error ? begunMs : result.marks.startedMs));
  const flags =
    result instanceof Error
      ? []
      : [...flagsOf(result, request.timeoutMs, orphans), ...(sent.tries > 0 ? [RECONNECTED] : [])];
  return {
    context: { trial, slice: slice.index, segment, scheduledAt, scheduledMs: dueMs, flags },
    begunMs,
    result,
    expected: expectedOf(trial),
  };
}

/** The flag of a sample whose server had to be waited for before it could be sent. */
const RECONNECTED = 'reconnected';

/** Of a submit, or with the step of the call before it. */
const NO_DESCRIPTORS = /^(poll_|fetch_|download_)?no_descriptors$/;

function flagsOf(result: EndedCall, timeoutMs: number, orphans: OrphanWatch): readonly string[] {
  const beside = orphans.ended({ ...result, timeoutMs });
  return [...(result.harnessLag ? ['harness_lag'] : []), ...(beside ? ['orphans'] : [])];
}
