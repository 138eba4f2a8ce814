import { mostUsdFrom } from '../../plan/estimate.ts';
import type { Slice } from '../../plan/plan.ts';
import type { Trial } from '../../plan/trial.ts';
import type { Intent } from '../../record/journal.ts';
import type { AcceptedJob, RefusedAttempt } from '../../targets/call-event.ts';
import { sleep } from '../clock.ts';
import { asError, type CallRequest, type EndedCall } from '../events.ts';
import type { OrphanWatch } from '../limits/abandoned-variants.ts';
import { lostItsService, unsentError, withoutOwnService } from '../limits.ts';
import type { OpenJob } from '../resumption.ts';
import type { SampleContext } from './sample-of.ts';
import type { RunSending } from './sending.ts';

export interface Ended {
  readonly context: SampleContext;
  readonly begunMs: number;
  readonly result: EndedCall | Error;
}

interface Start {
  readonly dueMs: number | null;
  readonly slowed: boolean;
}

/**
 * Makes the call of a trial. Journals an intent before its first byte leaves, each repeated attempt, and the accepted
 * job. Null if nothing was sent. Never rejects: an error of Retake ends the run.
 */
export async function callTrial(
  trial: Trial,
  slice: Slice,
  { dueMs, slowed }: Start,
  edge: RunSending,
): Promise<Ended | null> {
  const { segment, clock, record, observe, stopping, rules } = edge;
  const job = edge.resumption?.jobs.get(trial.id) ?? null;
  if (job === null ? !(await mayBegin(trial, dueMs, edge)) : stopping.why() !== null) return null;
  if (job !== null) rules.follow(trial);
  const begunMs = clock.now();
  let request: CallRequest;
  try {
    request = { ...edge.requestOf(trial), ...(dueMs === null ? {} : { dueMs }), ...attached(job) };
    // An earlier process wrote the intent of a job that it submitted.
    if (job === null) await record.commit(intentOf(trial, slice, begunMs, edge));
  } catch (error) {
    stopping.fault(asError(error));
    return null;
  }
  observe({ event: 'started', trial });
  const sent = await send(trial, request, edge);
  if (sent.unsent) rules.takeBack(trial);
  const answer = await withoutOwnService(edge.service ?? null, trial.variant, sent.result);
  const result = submitted(settled(answer, trial, edge), job);
  const scheduledAt = clock.wallTime(dueMs ?? (result instanceof Error ? begunMs : result.marks.startedMs));
  const flags =
    result instanceof Error
      ? []
      : [
          ...flagsOf(result, request.timeoutMs, edge.orphans),
          ...(sent.tries > 0 ? [RECONNECTED] : []),
          ...(job === null ? [] : [RESUMED]),
          ...(slowed ? [SLOWED] : []),
        ];
  return {
    context: { trial, slice: slice.index, segment, scheduledAt, scheduledMs: dueMs, flags },
    begunMs,
    result,
  };
}

function intentOf(trial: Trial, slice: Slice, atMs: number, { segment, costOf }: RunSending): Intent {
  // Absent without a price, an upper bound or a cost.
  const mostUsd = mostUsdFrom(costOf)(trial);
  const intent = { event: 'intent', segment, slice: slice.index, trial, atMs } as const;
  return mostUsd === 0 ? intent : { ...intent, mostUsd };
}

/**
 * Whether the first submit of a trial may be sent. Without room in `limits.usd`, closed load waits for the ends of
 * calls in flight, which may cost less than reserved, before the run stops.
 */
async function mayBegin(trial: Trial, dueMs: number | null, edge: RunSending): Promise<boolean> {
  const { rules, stopping, abandoned } = edge;
  while (stopping.why() === null && !abandoned.holds(trial)) {
    const stop = rules.spend(trial);
    if (stop === null) return true;
    if (stop.reason !== 'usd' || dueMs !== null || !rules.mayFree()) {
      stopping.stop(stop);
      return false;
    }
    await rules.nextEnd();
  }
  return false;
}

/** A repeated submit counts in the limits too. */
function mayLeaveAgain(trial: Trial, { rules, stopping, abandoned }: RunSending): boolean {
  if (stopping.why() !== null || abandoned.holds(trial)) return false;
  const stop = rules.spend(trial);
  if (stop !== null) stopping.stop(stop);
  return stop === null;
}

interface SentTrial {
  readonly result: EndedCall | Error;
  readonly tries: number;
  readonly unsent: boolean;
}

/**
 * Makes a call, and repeats it while no connection opens: nothing was sent, so nothing is lost or sent twice. Timestamps
 * are of the last try. Under open load a call that finds no server at its time has failed.
 */
async function send(trial: Trial, request: CallRequest, edge: RunSending): Promise<SentTrial> {
  const { segment, wire, record, observe, stopping, abandoned, reach } = edge;
  const server = edge.serverOf(trial.variant);
  let sentMs = edge.clock.now();
  let attempts = 0;
  let throttleWaitMs = 0;
  const refused = ({ throttled, ...ofTry }: RefusedAttempt): boolean => {
    const attempt = { ...ofTry, attempt: ofTry.attempt + attempts };
    if (throttled && server !== null && request.dueMs === undefined) {
      edge.starts.refused(server.origin, { sentMs, atMs: attempt.atMs });
    }
    sentMs = attempt.atMs + attempt.waitMs;
    const again = mayLeaveAgain(trial, edge);
    if (again) record.append({ event: 'attempt', segment, trial: trial.id, ...attempt });
    observe({ event: 'refused', trial, attempt });
    return again;
  };
  const accepted = ({ captured, atMs }: AcceptedJob): void => {
    record.append({ event: 'accepted', segment, trial: trial.id, captured, atMs });
  };
  for (let tries = 0; ; tries += 1) {
    const result = await wire.call(request, refused, accepted).catch(asError);
    if (result instanceof Error || server === null) return { result, tries, unsent: false };
    const whole = {
      ...result,
      attempts: attempts + result.attempts,
      throttleWaitMs: throttleWaitMs + result.throttleWaitMs,
    };
    const error = unsentError(result);
    if (error === null || result.outcome !== 'error') {
      reach.reached(server, result.marks.startedMs);
      if (tries > 0) observe({ event: 'reached', origin: server.origin });
      return { result: whole, tries, unsent: false };
    }
    attempts = whole.attempts - 1;
    throttleWaitMs = whole.throttleWaitMs;
    const next = reach.missed(server, error.code, tries);
    if (!('waitMs' in next)) abandoned.abandonServer(server, next);
    else if (request.dueMs !== undefined) return { result: whole, tries, unsent: false };
    else {
      observe({ event: 'waiting', origin: server.origin, code: error.code });
      await sleep(next.waitMs, stopping.signal);
    }
    if (stopping.signal.aborted || abandoned.holds(trial))
      return { result: { ...result, attempts, throttleWaitMs, outcome: 'cancelled' }, tries, unsent: true };
  }
}

/** Journals the reply to a cancel. A call without descriptors counts as cancelled, not as failed. */
function settled(
  result: EndedCall | Error,
  trial: Trial,
  { segment, stopping, append }: RunSending,
): EndedCall | Error {
  if (result instanceof Error) return result;
  const ranOut = result.outcome === 'error' && NO_DESCRIPTORS.test(result.error.code);
  // Lack of descriptors is no fault of the service.
  if (ranOut) stopping.stop({ reason: 'descriptors' });
  if (result.cancel !== null) append({ event: 'cancel', segment, trial: trial.id, ...result.cancel });
  return ranOut ? { ...result, outcome: 'cancelled' } : result;
}

function attached(job: OpenJob | null): Pick<CallRequest, 'attach'> {
  return job === null ? {} : { attach: job.captured };
}

/** Adds the attempts of an earlier process that submitted the job. */
function submitted(result: EndedCall | Error, job: OpenJob | null): EndedCall | Error {
  return result instanceof Error || job === null ? result : { ...result, attempts: job.attempts };
}

/** Flag of a sample that two processes measured: it has no durations. */
const RESUMED = 'resumed';

/** Flag of a sample whose server was waited for before its request was sent. */
const RECONNECTED = 'reconnected';

/** Of a submit, or of a later step. */
const NO_DESCRIPTORS = /^(poll_|fetch_|download_)?no_descriptors$/;

/** Flag of a sample: fewer calls in flight than declared. */
const SLOWED = 'slowed';

function flagsOf(result: EndedCall, timeoutMs: number, orphans: OrphanWatch): readonly string[] {
  // A service that has ended works on nothing.
  const outcome = lostItsService(result) ? 'error' : result.outcome;
  const { marks, endedMs, cancel } = result;
  const beside = orphans.ended({ outcome, marks, endedMs, timeoutMs, cancel });
  return [...(result.harnessLag ? ['harness_lag'] : []), ...(beside ? ['orphans'] : [])];
}

/** When a call was sent that its service accepted at the first attempt; else null. */
export function takenMs(ended: Ended | null): number | null {
  if (ended === null || ended.result instanceof Error) return null;
  const { outcome, attempts, httpStatus, marks } = ended.result;
  return outcome !== 'throttled' && attempts === 1 && httpStatus !== null ? marks.startedMs : null;
}
