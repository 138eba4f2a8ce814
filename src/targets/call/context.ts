import type { JsonObject } from '../../kit/json.ts';
import type { Redact } from '../../kit/redact.ts';
import type { StepEdge } from '../call-event.ts';
import type { Readable } from '../language/locator.ts';
import type { Addressing } from '../outgoing.ts';
import type { Failure } from '../reply/fail.ts';
import { askedGetWaitMs, askedWaitMs } from '../reply/reply.ts';
import type { KnownSecrets } from '../secrets.ts';
import type { Target } from '../target.ts';
import { type AbortNotice, createAbort, type TransportFailure, type TransportReply } from '../wire.ts';
import type { CallFailure, CallTrace } from './trace.ts';

export interface Deadline {
  readonly beganMs: number;
  readonly signal: AbortNotice;
  readonly broken: () => 'timed_out' | 'cancelled' | null;
  readonly leftMs: () => number;
  /** The limit as messages name it: `30 s (limits.timeout)`. */
  readonly limit: () => string;
  /** Ends the call at `atMs` at the latest; `limit` names the reason in messages. */
  readonly endBy: (atMs: number, limit: string) => void;
  readonly end: () => void;
}

/** @param sleep resolves after so many milliseconds, or at once when its signal is aborted */
export function startDeadline(
  timeoutMs: number,
  edge: {
    readonly now: () => number;
    readonly sleep: (ms: number, signal: AbortNotice) => Promise<void>;
    readonly signal: AbortNotice;
  },
): Deadline {
  const beganMs = edge.now();
  let endsMs = beganMs + timeoutMs;
  let limit = `${timeoutMs / 1000} s (limits.timeout)`;
  const call = createAbort();
  const timer = createAbort();
  let reason: 'timed_out' | 'cancelled' | null = null;
  const abort = (why: 'timed_out' | 'cancelled') => {
    if (timer.signal.aborted) return;
    reason ??= why;
    call.abort();
  };
  const onCancel = () => abort('cancelled');
  if (edge.signal.aborted) onCancel();
  else edge.signal.addEventListener('abort', onCancel);
  const abortAfter = (ms: number) => {
    void edge.sleep(Math.max(0, ms), timer.signal).then(() => abort('timed_out'));
  };
  abortAfter(timeoutMs);
  return {
    beganMs,
    signal: call.signal,
    broken: () => reason,
    leftMs: () => endsMs - edge.now(),
    limit: () => limit,
    endBy: (atMs, named) => {
      if (atMs >= endsMs) return;
      endsMs = atMs;
      limit = named;
      abortAfter(atMs - edge.now());
    },
    end: () => {
      timer.abort();
      edge.signal.removeEventListener('abort', onCancel);
    },
  };
}

export interface CallContext {
  readonly target: Target;
  readonly constants: JsonObject;
  readonly addressing: Addressing;
  readonly deadline: Deadline;
  readonly secrets: KnownSecrets;
  readonly redact: Redact;
  readonly edge: StepEdge;
}

export interface Answer {
  readonly trace: CallTrace;
  readonly reply: Pick<TransportReply, 'status' | 'headers' | 'body'>;
  readonly readable: Readable;
  readonly arrived: { readonly beganMs: number; readonly firstByteMs: number; readonly endedMs: number };
  readonly from: 'submit' | 'event' | 'poll' | 'hop';
}

export type Answered =
  | ({ readonly ok: true } & Answer)
  | ({ readonly ok: false; readonly trace: CallTrace } & CallFailure);

export function arrivalOf({ marks }: Pick<TransportReply, 'marks'>): Answer['arrived'] {
  const { headersMs, firstByteMs, doneMs } = marks;
  return { beganMs: headersMs, firstByteMs: firstByteMs ?? headersMs, endedMs: doneMs };
}

export function exchangeFailure(
  { code, message }: Pick<TransportFailure, 'code' | 'message'>,
  deadline: Deadline,
  redact: Redact,
): CallFailure {
  const broken = code === 'aborted' ? deadlineFailure(deadline) : null;
  return broken ?? { outcome: 'error', error: { code, message: redact(message) } };
}

/** The end of a call at its deadline; null before it. */
export function deadlineFailure(deadline: Deadline): CallFailure | null {
  const broken = deadline.broken();
  if (broken === null) return null;
  return broken === 'timed_out'
    ? { outcome: 'timed_out', error: { code: 'timed_out', message: `no result came within ${deadline.limit()}` } }
    : { outcome: 'cancelled', error: { code: 'cancelled', message: 'the call was aborted' } };
}

/** What the reply to a failed request says of sending it again. */
export interface Retry {
  readonly throttled: boolean;
  /** It may pass; not if a rule says that the request was refused. */
  readonly transient: boolean;
  /** The wait that it asks for, in milliseconds; null: none. */
  readonly askedMs: number | null;
}

/** A throttled request waits as its rule says, any other as the usual headers say. */
export function retryOf({ outcome, rule }: Failure, reply: Readable): Retry {
  const throttled = outcome === 'throttled';
  return {
    throttled,
    transient: isTransient({ status: reply.status }) && (rule === null || outcome === 'error'),
    askedMs: throttled ? askedWaitMs(rule?.after, reply) : askedGetWaitMs(reply),
  };
}

const STATUSES: readonly number[] = [408, 425, 429];
/** The server can never do it: not implemented, HTTP version not supported. */
const LASTING: readonly number[] = [501, 505];
const FAILURES: readonly TransportFailure['code'][] = [
  'dns_failed',
  'connect_refused',
  'connect_timeout',
  'connect_failed',
  'proxy_failed',
  'connection_dropped',
  'truncated_body',
];

export function isTransient(
  failure: { readonly status: number } | { readonly code: TransportFailure['code'] },
): boolean {
  if ('code' in failure) return FAILURES.includes(failure.code);
  const { status } = failure;
  return STATUSES.includes(status) || (status >= 500 && !LASTING.includes(status));
}
