import type { Hop } from '../../model/job.ts';
import { mergeReported, readReported } from '../../reply/reply.ts';
import { type BoundFollowUp, renderFollowUp } from '../../request/follow-up-request.ts';
import { captureValues } from '../capture.ts';
import { classifyGet } from '../classify-reply.ts';
import { type Answer, type Answered, arrivalOf, type CallContext } from '../context.ts';
import { getWithRetries } from '../get.ts';

/** Gives the last reply. These requests count as download, because the job was ready before. */
export async function fetchHops(
  from: Answer,
  hops: readonly Hop[],
  bound: readonly BoundFollowUp[],
  context: CallContext,
): Promise<Answered> {
  const { target, addressing, redact } = context;
  const { marks } = from.trace;
  let answer: Answer = {
    ...from,
    trace: { ...from.trace, marks: { ...marks, readyMs: marks.readyMs ?? from.arrived.endedMs } },
  };
  for (const [index, request] of bound.entries()) {
    let { trace } = answer;
    const rendered = renderFollowUp(request, addressing.baseUrl, trace.captured);
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
    const captured = captureValues(hops[index]?.capture ?? [], readable, trace.captured, 'fetch', context);
    if (!captured.ok) return { ...captured, trace };
    trace = { ...trace, captured: captured.values };
    answer = { trace, reply, readable, arrived: arrivalOf(reply), from: 'hop' };
  }
  return { ok: true, ...answer };
}
