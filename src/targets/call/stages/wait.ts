import type { JsonObject } from '../../../kit/json.ts';
import type { CallEdge } from '../../call-event.ts';
import type { JobState, PollRule, PollState, Wait } from '../../model/job.ts';
import type { Marks } from '../../recorded.ts';
import { stateOfStatus } from '../../reply/fail.ts';
import { mergeReported, readReported } from '../../reply/reported.ts';
import { renderFollowUp } from '../../request/follow-up-request.ts';
import { tellsRunning } from '../../target.ts';
import type { TransportReply } from '../../wire.ts';
import { captureValues, withoutSecrets } from '../capture.ts';
import { classifyPoll } from '../classify-reply.ts';
import { type Answer, type Answered, arrivalOf, type CallContext, deadlineFailure } from '../context.ts';
import { getWithRetries } from '../get.ts';
import { attachedTrace, type CallFailure, type CallTrace } from '../trace.ts';

/** The gap grows with the time waited: an error of 2 % of a latency is acceptable. */
const SHARE_OF_ELAPSED = 0.02;

/** Milliseconds from one poll to the next, `elapsedMs` after the call began. */
export function pollGapMs(minEveryMs: number, elapsedMs: number): number {
  return Math.max(minEveryMs, SHARE_OF_ELAPSED * elapsedMs);
}

/**
 * Milliseconds from the first poll, sent at once, to the second: a random `share` (in [0, 1)) of the gap, so that polls
 * have no fixed phase and the mean error is half a gap for any service.
 */
export function secondPollGapMs(minEveryMs: number, elapsedMs: number, share: number): number {
  return share * pollGapMs(minEveryMs, elapsedMs);
}

/**
 * Waits for the job of a submit reply: captures its values, reports it, and polls it until it is done. Gives the last
 * reply. A poll with a transient failure is repeated and never fails the job; one without a listed state does.
 */
export async function waitForJob(
  submitted: Answer,
  wait: Wait,
  context: CallContext & { readonly edge: CallEdge },
): Promise<Answered> {
  const { trace, readable } = submitted;
  const captured = captureValues(wait.capture, readable, trace.captured, 'submit', context);
  if (!captured.ok) return { ...captured, trace };
  const known = { ...trace, captured: captured.values };
  if (wait.until?.by !== 'poll') return { ok: true, ...submitted, trace: known };
  const acceptedMs = submitted.arrived.endedMs;
  limitPolls(wait.until, acceptedMs, context);
  const job = { captured: withoutSecrets(captured.values, context.secrets), atMs: acceptedMs };
  await context.edge.accepted(job);
  return pollUntilDone(known, acceptedMs, wait.until, context);
}

/** Polls a job that another process submitted. Time limits begin now. Throws if the target does not poll. */
export async function attachToJob(
  captured: JsonObject,
  wait: Wait | undefined,
  context: CallContext & { readonly edge: CallEdge },
): Promise<Answered> {
  if (wait?.until?.by !== 'poll') throw new Error(`${context.target.id} polls no job`);
  const trace = attachedTrace(captured, context.edge.now());
  const acceptedMs = trace.marks.startedMs;
  limitPolls(wait.until, acceptedMs, context);
  return pollUntilDone(trace, acceptedMs, wait.until, context);
}

function limitPolls({ deadlineMs }: PollRule, acceptedMs: number, { deadline }: CallContext): void {
  if (deadlineMs === null) return;
  deadline.endBy(acceptedMs + deadlineMs, `${deadlineMs / 1000} s of its acceptance (wait.poll.deadline)`);
}

async function pollUntilDone(
  accepted: CallTrace,
  acceptedMs: number,
  rule: PollRule,
  context: CallContext,
): Promise<Answered> {
  const { target, constants, addressing, deadline, redact, edge } = context;
  const queued = tellsRunning(rule.state) ? { lastQueuedMs: acceptedMs } : {};
  let trace: CallTrace = { ...accepted, marks: { ...accepted.marks, ...queued, lastPendingMs: acceptedMs } };
  const rendered = renderFollowUp(rule.request, addressing.baseUrl, { job: trace.captured, const: constants });
  if ('problem' in rendered) {
    return { ok: false, trace, outcome: 'error', error: { code: 'bad_url', message: redact(rendered.problem) } };
  }
  const answers = (status: number) => stateOfStatus(rule.state, status) !== null;
  const get = { ...rendered, step: 'poll', auth: rule.request.auth, answers } as const;
  const elapsedMs = () => edge.now() - trace.marks.startedMs;
  const gapMs = () => pollGapMs(rule.minEveryMs, elapsedMs());
  let lastState: JobState | null = null;
  let dueMs = acceptedMs;
  let isFirst = true;
  for (;;) {
    await edge.sleep(Math.max(0, dueMs - edge.now()), deadline.signal);
    const broken = deadlineFailure(deadline);
    if (broken !== null) return { ok: false, trace, ...withState(broken, lastState) };
    const got = await getWithRetries(
      get,
      (_reply, readable) => classifyPoll(rule.state, target.fail, readable, redact, gapMs()),
      context,
    );
    trace = { ...trace, polls: trace.polls + got.requests, httpStatus: got.httpStatus ?? trace.httpStatus };
    if (!got.ok) return { ok: false, trace, ...withState(got, lastState) };

    const { reply, readable } = got;
    if (got.value === 'success') {
      trace = {
        ...trace,
        marks: { ...trace.marks, readyMs: reply.marks.doneMs },
        reported: mergeReported(trace.reported, readReported(target.meta, readable, redact)),
      };
      const captured = captureValues(rule.capture, readable, trace.captured, 'poll', context);
      if (!captured.ok) return { ...captured, trace };
      trace = { ...trace, captured: captured.values };
      return { ok: true, trace, reply, readable, arrived: arrivalOf(reply), from: 'poll' };
    }
    lastState = got.value;
    trace = { ...trace, marks: { ...trace.marks, ...seenBy(got, trace.marks), lastPendingMs: got.sentMs } };
    dueMs = got.sentMs + (isFirst ? secondPollGapMs(rule.minEveryMs, elapsedMs(), edge.random()) : gapMs());
    isFirst = false;
  }
}

function seenBy(
  { value, reply, sentMs }: { readonly value: PollState; readonly reply: TransportReply; readonly sentMs: number },
  { runningMs, lastQueuedMs }: Marks,
): Pick<Marks, 'runningMs' | 'lastQueuedMs'> {
  if (runningMs !== undefined) return {};
  if (value === 'running') return { runningMs: reply.marks.doneMs };
  return lastQueuedMs === undefined ? {} : { lastQueuedMs: sentMs };
}

function withState({ outcome, error }: CallFailure, state: JobState | null): CallFailure {
  let job: string;
  if (outcome === 'timed_out') {
    job = state === null ? 'the job was accepted and gave no state' : `the job was accepted and is ${state}`;
  } else if (error.code === 'job_lost') {
    job = state === null ? 'no poll found the job' : `the last poll that found the job said ${state}`;
  } else {
    return { outcome, error };
  }
  return { outcome, error: { ...error, message: error.message === '' ? job : `${error.message}; ${job}` } };
}
