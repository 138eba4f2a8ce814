import type { Reading } from '../call-event.ts';
import type { Readable } from '../language/locator.ts';
import type { PollState } from '../model/job.ts';
import { downloadAddresses, mayAsk, mayDownloadFrom } from '../origins.ts';
import { outgoingGet } from '../outgoing.ts';
import { readableReply, waitBeforeMs } from '../reply/reply.ts';
import { absoluteUrl } from '../request/follow-up-request.ts';
import type { TransportFailure, TransportReply } from '../wire.ts';
import { type CallContext, deadlineFailure, exchangeFailure, isTransient } from './context.ts';
import { send } from './send.ts';
import type { CallFailure } from './trace.ts';

/** Redirects are followed by hand: each hop is checked, and gets only what its origin may have. */
const MOST_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

interface Get {
  /** Decides which origins are allowed; errors name it. */
  readonly step: 'download' | 'poll' | 'fetch';
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Whether the credential is sent, if `origins.auth` allows it. */
  readonly auth: boolean;
  /** Whether a reply with that status is final even if it redirects. */
  readonly answers: (status: number) => boolean;
}

type Pass =
  | { readonly ended: 'reply'; readonly reply: TransportReply }
  | { readonly ended: 'broken'; readonly failure: TransportFailure }
  | { readonly ended: 'refused'; readonly code: string; readonly message: string };

/**
 * Sends a GET and follows its redirects, calling `count` for each. Media come only from `origins.download`, earlier
 * requests also from the base and `origins.auth`; only `origins.auth` gets the credential.
 */
async function follow(
  get: Get,
  context: Pick<CallContext, 'addressing' | 'deadline' | 'redact' | 'edge'>,
  count: () => void,
): Promise<Pass> {
  const { addressing, edge } = context;
  const { origins, baseUrl } = addressing;
  const may = get.step === 'download' ? mayDownloadFrom : mayAsk;
  let url: URL | null = get.url;
  for (let redirects = 0; ; redirects += 1) {
    if (url === null) return refused('bad_url', 'the redirect URL is not http or https');
    if (!may(url, origins, baseUrl)) {
      const where = get.step === 'download' ? 'origins.download' : 'origins.auth or origins.download';
      const remedy =
        get.step === 'download'
          ? `; to trust it, add origins: { download: [${url.origin}] } to the variant, or run retake try with --download-origin ${url.origin}`
          : '';
      return refused(`${get.step}_refused`, `${url.origin} is not among ${where}${remedy}`);
    }
    count();
    const beganMs = edge.now();
    const request = outgoingGet(url, downloadAddresses(url, origins, baseUrl), addressing, get);
    const reply = await send(request, { step: get.step, redirect: redirects, beganMs }, context);
    if (!reply.ok) return { ended: 'broken', failure: reply };
    if (!REDIRECTS.includes(reply.status) || get.answers(reply.status)) return { ended: 'reply', reply };
    if (redirects === MOST_REDIRECTS) return refused('too_many_redirects', `more than ${MOST_REDIRECTS} redirects`);
    const [, location = ''] = reply.headers.find(([name]) => name === 'location') ?? [];
    url = absoluteUrl(location, url.href);
  }
}

function refused(code: string, message: string): Pass {
  return { ended: 'refused', code, message };
}

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
