import type { Redact } from '../../../kit/redact.ts';
import type { Reading, StepEdge, SubmitEdge } from '../../call-event.ts';
import type { AddressedRequest } from '../../outgoing.ts';
import { classifyFailure, explainNoSuchPath, type Failure } from '../../reply/fail.ts';
import { readableReply, waitBeforeMs } from '../../reply/reply.ts';
import { readSubmitReported } from '../../reply/reported.ts';
import type { Target } from '../../target.ts';
import { type AbortNotice, createAbort } from '../../wire.ts';
import {
  type Answer,
  type Answered,
  arrivalOf,
  type Deadline,
  deadlineFailure,
  exchangeFailure,
  isTransient,
  type Retry,
  retryOf,
} from '../context.ts';
import { send } from '../send.ts';
import { type CallFailure, refusedTrace, submitTrace } from '../trace.ts';
import type { EventWatch } from './events.ts';

/**
 * Sends the submit. Repeats it only if `refused` agrees, the wait ends before the deadline, and either a rule says
 * throttled with `onThrottle: wait`, or the target is idempotent and the failure transient: otherwise the server may be
 * working. `request` and `startWatch` are called for each attempt, as a credential may expire during a wait.
 */
export async function submit(
  request: () => AddressedRequest,
  call: { readonly target: Target; readonly baseUrl: string; readonly onThrottle: 'wait' | 'fail' | 'stop' },
  deadline: Deadline,
  redact: Redact,
  edge: SubmitEdge,
  startWatch: (() => EventWatch) | null = null,
): Promise<Answered> {
  const keyHeader = call.target.retry.key_header ?? null;
  const keyed = keyedRequest(request, keyHeader, edge);
  const read = (reading: Reading) => edge.tell?.({ event: 'read', step: 'submit', reading });
  let throttleWaitMs = 0;
  let failures = 0;
  for (let attempt = 1; ; attempt += 1) {
    const startedMs = attempt === 1 ? deadline.beganMs : edge.now();
    const events = startWatch?.() ?? null;
    const sending = { step: 'submit', redirect: 0, beganMs: startedMs, watch: events?.watch } as const;
    const outgoing = keyed();
    const exchange = await send(outgoing, sending, { deadline, redact, edge });
    let trace = submitTrace(startedMs, exchange, attempt, throttleWaitMs);
    let ends: CallFailure;
    let retry: Retry;
    if (exchange.ok) {
      const readable = readableReply(exchange, edge.wallMs());
      trace = { ...trace, reported: readSubmitReported(call.target.meta, readable, redact) };
      const failure = classifyFailure(call.target.fail, readable, redact);
      if (failure === null) {
        const answer: Answer = { trace, reply: exchange, readable, arrived: arrivalOf(exchange), from: 'submit' };
        const answered: Answered = events === null ? { ok: true, ...answer } : events.finish(answer);
        read(readingOf(answered, events === null ? null : 'success'));
        return answered;
      }
      trace = refusedTrace(trace);
      ends = asError(explainNoSuchPath(failure, exchange.status, outgoing, call, redact));
      retry = retryOf(failure, readable);
    } else {
      ends = exchangeFailure(exchange, deadline, redact);
      retry = { throttled: false, transient: exchange.sent && isTransient({ code: exchange.code }), askedMs: null };
    }

    const { throttled } = retry;
    if (!throttled) failures += 1;
    const repeats = keyHeader !== null && retry.transient && failures <= call.target.retry.poll;
    const mayAgain = throttled ? call.onThrottle === 'wait' : repeats;
    const waitMs = mayAgain ? waitBeforeMs(retry.askedMs, attempt, edge.random) : 0;
    if (!mayAgain || waitMs >= deadline.leftMs()) {
      const failure = mayAgain && throttled ? beyondDeadline(ends, waitMs) : ends;
      read({ is: 'failed', ...failure });
      return { ok: false, trace, ...failure };
    }
    read({ is: 'again', throttled, code: ends.error.code, waitMs });
    const atMs = edge.now();
    const again = await edge.refused({ attempt, throttled, httpStatus: exchange.status, waitMs, atMs });
    if (!again) return { ok: false, trace, ...(throttled ? HELD : ends) };
    // The time since the refusal counts as waiting; a timer may end up to 1 ms early.
    const leftMs = Math.max(0, Math.ceil(waitMs - (edge.now() - atMs)) + 1);
    await sleepUnless([deadline.signal, edge.held], leftMs, edge);
    if (throttled) throttleWaitMs += edge.now() - atMs;
    const broken = deadlineFailure(deadline);
    if (broken !== null) return { ok: false, trace: { ...trace, throttleWaitMs }, ...broken };
    if (edge.held.aborted) return { ok: false, trace: { ...trace, throttleWaitMs }, ...HELD };
  }
}

/** The run ended while the call waited to be sent again: the service never accepted it. */
const HELD: CallFailure = {
  outcome: 'cancelled',
  error: { code: 'held', message: 'the run was ended before it was sent again' },
};

function readingOf(answered: Answered, state: 'success' | null): Reading {
  if (answered.ok) return { is: 'good', state };
  return { is: 'failed', outcome: answered.outcome, error: answered.error };
}

/** Every attempt of a call has the same key. */
function keyedRequest(
  request: () => AddressedRequest,
  header: string | null,
  { uniqueKey }: SubmitEdge,
): () => AddressedRequest {
  if (header === null) return request;
  const key = uniqueKey();
  return () => {
    const plain = request();
    return { ...plain, headers: [...plain.headers.filter(([name]) => name !== header), [header, key]] };
  };
}

async function sleepUnless(signals: readonly AbortNotice[], ms: number, edge: StepEdge): Promise<void> {
  const wake = createAbort();
  const onAbort = () => wake.abort();
  for (const signal of signals) {
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
  }
  await edge.sleep(ms, wake.signal);
  for (const signal of signals) signal.removeEventListener('abort', onAbort);
}

function asError({ outcome, code, message }: Failure): CallFailure {
  return { outcome, error: { code, message } };
}

function beyondDeadline({ outcome, error: { code } }: CallFailure, waitMs: number): CallFailure {
  const seconds = Math.round(waitMs / 100) / 10;
  return { outcome, error: { code, message: `the server asks to wait ${seconds} s, past the time limit of the call` } };
}
