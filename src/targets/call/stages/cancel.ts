import type { JsonObject } from '../../../kit/json.ts';
import type { CancelRequest } from '../../model/job.ts';
import { mayAsk } from '../../origins.ts';
import { outgoingCancel } from '../../outgoing.ts';
import { renderCancel } from '../../request/follow-up-request.ts';
import { type CallContext, exchangeFailure, startDeadline } from '../context.ts';
import { send } from '../send.ts';

const LIMIT_MS = 5000;
/** The job is unknown or has ended: nothing runs at the service. */
const ENDED: readonly number[] = [404, 409, 410];

export interface Cancellation {
  readonly cancelled: boolean;
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly atMs: number;
}

/** Sends each cancel request of the job in `captured` once, all within 5 s. Nothing is charged: they are no submits. */
export async function cancelJob(
  requests: readonly CancelRequest[],
  captured: JsonObject,
  context: CallContext,
): Promise<Cancellation> {
  const { edge } = context;
  // The call's own time is over, and what aborted it must not abort this too.
  const deadline = startDeadline(LIMIT_MS, { now: edge.now, sleep: edge.sleep, signal: new AbortController().signal });
  try {
    let result: Omit<Cancellation, 'atMs'> = { cancelled: true, httpStatus: null, code: null };
    for (const request of requests) {
      const reply = await ask(request, captured, { ...context, deadline });
      result = reply.cancelled ? { ...result, httpStatus: result.httpStatus ?? reply.httpStatus } : reply;
    }
    return { ...result, atMs: edge.now() };
  } finally {
    deadline.end();
  }
}

async function ask(
  request: CancelRequest,
  captured: JsonObject,
  context: CallContext,
): Promise<Omit<Cancellation, 'atMs'>> {
  const { constants, addressing, deadline, redact, edge } = context;
  const failed = (code: string, message: string, httpStatus: number | null): Omit<Cancellation, 'atMs'> => {
    const error = { code, message: redact(message) };
    edge.tell?.({ event: 'read', step: 'cancel', reading: { is: 'failed', outcome: 'error', error } });
    return { cancelled: false, httpStatus, code };
  };
  const rendered = renderCancel(request, addressing.baseUrl, { job: captured, const: constants });
  if ('problem' in rendered) return failed('bad_url', rendered.problem, null);
  if (!mayAsk(rendered.url, addressing.origins, addressing.baseUrl)) {
    const where = 'origins.auth or origins.download';
    return failed('cancel_refused', `${rendered.url.origin} is not among ${where}`, null);
  }
  const outgoing = outgoingCancel(rendered, request, addressing);
  const reply = await send(outgoing, { step: 'cancel', redirect: 0, beganMs: edge.now() }, context);
  if (!reply.ok) {
    const { outcome, error } = exchangeFailure(reply, deadline, redact);
    const late = `the service did not answer within ${LIMIT_MS / 1000} s, and may still be at work on the job`;
    return failed(`cancel_${error.code}`, outcome === 'timed_out' ? late : error.message, reply.status);
  }
  const { status } = reply;
  if ((status < 200 || status >= 300) && !ENDED.includes(status)) {
    return failed(`cancel_http_${status}`, `the service answered ${status} and may still run the job`, status);
  }
  edge.tell?.({ event: 'read', step: 'cancel', reading: { is: 'good', state: null } });
  return { cancelled: true, httpStatus: status, code: null };
}
