import type { Reading } from './call-event.ts';
import type { CallContext } from './context.ts';
import { follow, type Get } from './follow.ts';
import type { PollState } from './job.ts';
import type { Readable } from './locator.ts';
import { mayPass } from './passing.ts';
import { readableReply } from './reply.ts';
import { brokenOff, exchangeFailure } from './submit.ts';
import { waitBeforeMs } from './throttle.ts';
import type { CallFailure } from './trace.ts';
import type { TransportReply } from './wire.ts';

/** What the reply to a GET is worth. */
export type Judged<T> =
  | { readonly is: 'good'; readonly value: T }
  /** Failed in a way that may pass, or refused for the moment; `waitMs` null: it names no wait. */
  | {
      readonly is: 'again';
      readonly throttled: boolean;
      readonly waitMs: number | null;
      readonly failure: CallFailure;
    }
  | { readonly is: 'failed'; readonly failure: CallFailure };

export type Got<T> = { readonly requests: number; readonly httpStatus: number | null } & (
  | {
      readonly ok: true;
      readonly reply: TransportReply;
      readonly readable: Readable;
      readonly value: T;
      /** When the request that was answered so left. */
      readonly sentMs: number;
    }
  | ({ readonly ok: false } & CallFailure)
);

/**
 * Sends a GET until its reply is good or has failed for good. A failure that may pass is tried again up to the target's
 * `retry.poll` times in a row, one that is a refusal for the moment as long as the deadline lets it, after the wait it
 * asks for or one that grows with jitter.
 */
export async function getPatiently<T extends PollState | null>(
  get: Get,
  judge: (reply: TransportReply, readable: Readable) => Judged<T>,
  context: CallContext,
): Promise<Got<T>> {
  const { target, deadline, redact, edge } = context;
  const read = (reading: Reading) => edge.tell?.({ event: 'read', step: get.step, reading });
  let requests = 0;
  let failures = 0;
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
    let judged: Judged<T>;
    if (pass.ended === 'reply') {
      const { reply } = pass;
      const readable = readableReply(reply);
      httpStatus = reply.status;
      judged = judge(reply, readable);
      if (judged.is === 'good') {
        const sentMs = reply.marks.sentMs ?? startedMs;
        read({ is: 'good', state: judged.value });
        return { ok: true, requests, httpStatus, reply, readable, value: judged.value, sentMs };
      }
    } else {
      httpStatus = pass.failure.status;
      const failure = prefixed(get.step, exchangeFailure(pass.failure, deadline, redact));
      judged = mayPass({ code: pass.failure.code })
        ? { is: 'again', throttled: false, waitMs: null, failure }
        : { is: 'failed', failure };
    }
    if (judged.is === 'again' && !judged.throttled) failures += 1;
    if (judged.is === 'failed' || failures > target.getRetries) {
      read({ is: 'failed', ...judged.failure });
      return { ok: false, requests, httpStatus, ...judged.failure };
    }
    const waitMs = waitBeforeMs(judged.waitMs, attempt, edge.random);
    read({ is: 'again', throttled: judged.throttled, code: judged.failure.error.code, waitMs });
    await edge.sleep(waitMs, deadline.signal);
    const broken = brokenOff(deadline);
    if (broken !== null) return { ok: false, requests, httpStatus, ...endedAfter(broken, judged.failure) };
  }
}

/** A call whose time was over while a failure was waited out: that failure is why. */
function endedAfter(broken: CallFailure, { error: last }: CallFailure): CallFailure {
  if (broken.outcome !== 'timed_out') return broken;
  const message = `${broken.error.message}; last ${last.code}: ${last.message}`.replace(/: $/, '');
  return { ...broken, error: { ...broken.error, message } };
}

/** Says of an error which step it came from. */
function prefixed(step: Get['step'], failure: CallFailure): CallFailure {
  if (failure.outcome !== 'error') return failure;
  return { ...failure, error: { ...failure.error, code: `${step}_${failure.error.code}` } };
}
