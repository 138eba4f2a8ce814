import type { Redact } from '../../../kit/redact.ts';
import type { Readable } from '../../language/locator.ts';
import type { Hop } from '../../model/job.ts';
import { askedGetWaitMs, bodySnippet } from '../../reply/reply.ts';
import { mergeReported, readReported } from '../../reply/reported.ts';
import { absoluteUrl, renderFollowUp } from '../../request/follow-up-request.ts';
import type { TransportReply } from '../../wire.ts';
import { captureValues } from '../capture.ts';
import { classifyGet } from '../classify-reply.ts';
import { type Answer, type Answered, arrivalOf, type CallContext, isTransient } from '../context.ts';
import { type Classified, type Got, getWithRetries } from '../get.ts';
import type { CallFailure } from '../trace.ts';

/** Gives the last reply. These requests count as download, because the job was ready before. */
export async function fetchHops(from: Answer, hops: readonly Hop[], context: CallContext): Promise<Answered> {
  const { target, constants, addressing, redact } = context;
  const { marks } = from.trace;
  let answer: Answer = {
    ...from,
    trace: { ...from.trace, marks: { ...marks, readyMs: marks.readyMs ?? from.arrived.endedMs } },
  };
  for (const { request, capture } of hops) {
    let { trace } = answer;
    const rendered = renderFollowUp(request, addressing.baseUrl, { job: trace.captured, const: constants });
    if ('problem' in rendered) {
      return { ok: false, trace, outcome: 'error', error: { code: 'bad_url', message: redact(rendered.problem) } };
    }
    const get = { ...rendered, step: 'fetch', auth: request.auth, answers: () => false } as const;
    const got = await getWithRetries(
      get,
      (_reply, readable) => classifyGet(target.fail, readable, 'fetch', false, redact),
      context,
    );
    trace = { ...trace, downloads: trace.downloads + got.requests, httpStatus: got.httpStatus ?? trace.httpStatus };
    if (!got.ok) return { ok: false, trace, outcome: got.outcome, error: got.error };

    const { reply, readable } = got;
    trace = { ...trace, reported: mergeReported(trace.reported, readReported(target.meta, readable, redact)) };
    const captured = captureValues(capture, readable, trace.captured, 'fetch', context);
    if (!captured.ok) return { ...captured, trace };
    trace = { ...trace, captured: captured.values };
    answer = { trace, reply, readable, arrived: arrivalOf(reply), from: 'hop' };
  }
  return { ok: true, ...answer };
}

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
