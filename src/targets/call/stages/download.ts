import type { Readable } from '../../language/locator.ts';
import type { Redact } from '../../redact.ts';
import { bodySnippet } from '../../reply/reply.ts';
import { askedGetWaitMs } from '../../reply/throttle.ts';
import { absoluteUrl } from '../../request/follow-up-request.ts';
import type { TransportReply } from '../../wire.ts';
import type { CallContext } from '../context.ts';
import { isTransient } from '../exchange-failure.ts';
import { type Classified, type Got, getWithRetries } from '../get.ts';
import type { CallFailure } from '../trace.ts';

/** Repeats transient failures within the deadline. A relative `text` is resolved against the base. */
export async function download(text: string, context: CallContext): Promise<Got<null>> {
  const url = absoluteUrl(text, context.addressing.baseUrl);
  if (url === null) {
    const message = 'the media URL is not http or https';
    return { ok: false, requests: 0, httpStatus: null, ...failure('bad_url', message) };
  }
  const classify = (reply: TransportReply, readable: Readable) => classifyMedia(reply, readable, context.redact);
  return getWithRetries({ step: 'download', url, headers: [], auth: true, answers: () => false }, classify, context);
}

function classifyMedia({ status }: TransportReply, readable: Readable, redact: Redact): Classified<null> {
  // An empty body is an output too: one that is not media.
  if (status >= 200 && status < 300) return { is: 'good', value: null };
  const snippet = bodySnippet(readable, redact);
  const message = `the media request was answered with HTTP ${status}${snippet === '' ? '' : `: ${snippet}`}`;
  const failed = failure(`download_http_${status}`, message);
  if (!isTransient({ status })) return { is: 'failed', failure: failed };
  return { is: 'again', throttled: false, waitMs: askedGetWaitMs(readable), failure: failed };
}

function failure(code: string, message: string): CallFailure {
  return { outcome: 'error', error: { code, message } };
}
