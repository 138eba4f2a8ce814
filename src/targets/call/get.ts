import type { Reading } from '../call-event.ts';
import type { Readable } from '../language/locator.ts';
import type { PollState } from '../model/job.ts';
import { readableReply } from '../reply/reply.ts';
import { waitBeforeMs } from '../reply/throttle.ts';
import type { TransportFailure, TransportReply } from '../wire.ts';
import type { CallContext } from './context.ts';
import { deadlineFailure, exchangeFailure, isTransient } from './exchange-failure.ts';
import { follow, type Get } from './follow.ts';
import type { CallFailure } from './trace.ts';

export type Classified<T> =
  | { readonly is: 'good'; readonly value: T }
  /** Transient, or refused for the moment. `waitMs` null: the reply asks for no wait. */
  | {
      readonly is: 'again';
      readonly throttled: boolean;
      readonly waitMs: number | null;
      readonly failure: CallFailure;
      /** The end of the step if the failure lasts; absent: `failure`. */
      readonly lasting?: CallFailure;
    }
  | { readonly is: 'failed'; readonly failure: CallFailure };

export type Got<T> = { readonly requests: number; readonly httpStatus: number | null } & (
  | {
      readonly ok: true;
      readonly reply: TransportReply;
      readonly readable: Readable;
      readonly value: T;
      readonly sentMs: number;
    }
  | ({ readonly ok: false } & CallFailure)
);

/** The code of a failure: `download_http_404`, or the service's own, as `Task not found`. */
const NOT_FOUND = /_http_404$|\bnot[ _-]?found\b/i;
const NOT_YET_MS = 1000;

/**
 * Sends a GET until it succeeds or fails for good. Repeats transient failures up to `retry.poll` times in a row,
 * refusals until the deadline. Asks once more for what is not found: not every replica may know it yet.
 */
export async function getWithRetries<T extends PollState | null>(
  get: Get,
  classify: (reply: TransportReply, readable: Readable) => Classified<T>,
  context: CallContext,
): Promise<Got<T>> {
  const { target, deadline, redact, edge } = context;
  const read = (reading: Reading) => edge.tell?.({ event: 'read', step: get.step, reading });
  let requests = 0;
  let failures = 0;
  let trouble: Trouble | null = null;
  for (let attempt = 1; ; attempt += 1) {
    const startedMs = edge.now();
    const pass = await follow(get, context, () => {
      requests += 1;
    });
    if (pass.ended === 'refused') {
      const refused = { outcome: 'error', error: { code: pass.code, message: redact(pass.message) } } as const;
      read({ is: 'failed', ...refused });
      return { ok: false, requests, httpStatus: null, ...refused };
    }
    let httpStatus: number | null;
    let classified: Classified<T>;
    if (pass.ended === 'reply') {
      const { reply } = pass;
      const readable = readableReply(reply, edge.wallMs());
      httpStatus = reply.status;
      classified = classify(reply, readable);
      if (classified.is === 'failed' && attempt === 1 && NOT_FOUND.test(classified.failure.error.code)) {
        classified = { is: 'again', throttled: false, waitMs: NOT_YET_MS, failure: classified.failure };
      }
      if (classified.is === 'good') {
        const sentMs = reply.marks.sentMs ?? startedMs;
        read({ is: 'good', state: classified.value });
        return { ok: true, requests, httpStatus, reply, readable, value: classified.value, sentMs };
      }
    } else {
      httpStatus = pass.failure.status;
      trouble = withFailure(trouble, pass.failure.code, startedMs, edge.now());
      const failure = prefixed(get.step, exchangeFailure(pass.failure, deadline, redact));
      classified = isTransient({ code: pass.failure.code })
        ? { is: 'again', throttled: false, waitMs: null, failure }
        : { is: 'failed', failure };
    }
    if (classified.is === 'again' && !classified.throttled) failures += 1;
    if (classified.is === 'failed' || failures > target.retry.poll) {
      const ends = classified.is === 'again' ? (classified.lasting ?? classified.failure) : classified.failure;
      const failure = pass.ended === 'reply' ? afterTrouble(ends, trouble, get.step) : ends;
      read({ is: 'failed', ...failure });
      return { ok: false, requests, httpStatus, ...failure };
    }
    const waitMs = waitBeforeMs(classified.waitMs, attempt, edge.random);
    read({ is: 'again', throttled: classified.throttled, code: classified.failure.error.code, waitMs });
    await edge.sleep(waitMs, deadline.signal);
    const broken = deadlineFailure(deadline);
    if (broken !== null) return { ok: false, requests, httpStatus, ...endedAfter(broken, classified.failure) };
  }
}

interface Trouble {
  readonly code: TransportFailure['code'];
  readonly count: number;
  readonly fromMs: number;
  readonly toMs: number;
}

function withFailure(
  before: Trouble | null,
  code: TransportFailure['code'],
  beganMs: number,
  endedMs: number,
): Trouble | null {
  if (!code.startsWith('connect') && code !== 'dns_failed') return before;
  return { code, count: (before?.count ?? 0) + 1, fromMs: before?.fromMs ?? beganMs, toMs: endedMs };
}

/** A server that fails after an outage may have restarted and lost the job. */
function afterTrouble(failure: CallFailure, trouble: Trouble | null, step: Get['step']): CallFailure {
  if (trouble === null) return failure;
  const { code, count, fromMs, toMs } = trouble;
  const what = `${count} ${step === 'poll' ? 'poll' : 'request'}${count === 1 ? '' : 's'}`;
  const before = `before it, ${what} could not connect or lost the connection (${code}) within ${secondsOf(toMs - fromMs)}: was the server restarted?`;
  const { message } = failure.error;
  return { ...failure, error: { ...failure.error, message: message === '' ? before : `${message}; ${before}` } };
}

function secondsOf(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

/** The reason of a timeout during the wait after a failure is that failure. */
function endedAfter(broken: CallFailure, { error: last }: CallFailure): CallFailure {
  if (broken.outcome !== 'timed_out') return broken;
  const message = `${broken.error.message}; last ${last.code}: ${last.message}`.replace(/: $/, '');
  return { ...broken, error: { ...broken.error, message } };
}

function prefixed(step: Get['step'], failure: CallFailure): CallFailure {
  if (failure.outcome !== 'error') return failure;
  return { ...failure, error: { ...failure.error, code: `${step}_${failure.error.code}` } };
}
