import { type Deadline, startDeadline } from './deadline.ts';
import { download } from './download.ts';
import { type Addressing, outgoingSubmit } from './outgoing.ts';
import { createRedact, type Redact } from './redact.ts';
import { declaredMime } from './reply.ts';
import type { WireRequest } from './request.ts';
import { type Asset, type Assets, readOutput } from './result.ts';
import { type StepEdge, type SubmitEdge, type Submitted, submit } from './submit.ts';
import type { Target } from './target.ts';
import type { CallFailure, CallTrace } from './trace.ts';

/** One call to make. */
export interface Call {
  readonly target: Target;
  readonly submit: WireRequest;
  /** Absolute: where the variant says `embedded:`, the reference service of the run. */
  readonly baseUrl: string;
  /** From the first start to the last byte, waits for a throttling server among it. */
  readonly timeoutMs: number;
  readonly onThrottle: 'wait' | 'fail' | 'stop';
}

/** The world as a call meets it. */
export interface CallEdge extends SubmitEdge {
  /** Aborted: the call is broken off and ends as cancelled. */
  readonly signal: AbortSignal;
  /** Values that must not get out in any text. */
  readonly secrets: readonly string[];
}

/** What became of a call. */
export type CallResult = CallTrace & (({ readonly outcome: 'ok' } & Delivered) | CallFailure);

interface Delivered {
  /** At least one; the first is judged. Each owns its buffer. */
  readonly assets: Assets;
}

/**
 * Makes one call: submit, then its result. What the remote does wrong is an outcome; it rejects only on a defect of
 * ours. Texts of replies and errors are redacted and shortened before they get out.
 */
export async function performCall(call: Call, edge: CallEdge): Promise<CallResult> {
  const { target, baseUrl } = call;
  const { credential } = call.submit;
  const redact = createRedact([...edge.secrets, ...(credential === null ? [] : [credential.value])]);
  const addressing: Addressing = { origins: target.origins, baseUrl, credential };
  const request = outgoingSubmit(call.submit, addressing);
  const deadline = startDeadline(call.timeoutMs, edge);
  try {
    const submitted = await submit(request, call, deadline, redact, edge);
    if (submitted.ok) return await collect(submitted, { target, addressing, deadline, redact, edge });
    const { outcome, error, trace } = submitted;
    return { ...trace, outcome, error };
  } finally {
    deadline.end();
  }
}

/** What the steps after the submit share. */
interface CallContext {
  readonly target: Target;
  readonly addressing: Addressing;
  readonly deadline: Deadline;
  readonly redact: Redact;
  readonly edge: StepEdge;
}

/** Reads the outputs of a reply, downloading them where it only says where they are. */
async function collect(submitted: Extract<Submitted, { ok: true }>, context: CallContext): Promise<CallResult> {
  const { trace, reply, readable } = submitted;
  const output = readOutput(context.target.result, reply, readable);
  const { headersMs, firstByteMs, doneMs } = reply.marks;
  switch (output.found) {
    case 'nothing':
      return { ...trace, outcome: 'error', error: { code: output.code, message: output.message } };
    case 'assets': {
      // The reply holds the bytes: it was accepted and ready when its head came, the rest is the download.
      const media = { acceptedMs: headersMs, readyMs: headersMs, firstByteMs: firstByteMs ?? headersMs, doneMs };
      return { ...trace, marks: { ...trace.marks, ...media }, outcome: 'ok', assets: output.assets };
    }
    case 'urls':
      return downloadAll(output.urls, { ...trace, marks: { ...trace.marks, readyMs: doneMs } }, context);
  }
}

/** Downloads one after the other: the first is what the caller waits for, and what the marks are of. */
async function downloadAll(
  urls: readonly [string, ...string[]],
  trace: CallTrace,
  { target, addressing, deadline, redact, edge }: CallContext,
): Promise<CallResult> {
  const assets: Asset[] = [];
  let after = trace;
  for (const url of urls) {
    const got = await download(url, addressing, target.getRetries, deadline, redact, edge);
    after = { ...after, downloads: after.downloads + got.requests };
    if (!got.ok) {
      const { outcome, error, httpStatus } = got;
      return { ...after, httpStatus: httpStatus ?? after.httpStatus, outcome, error };
    }
    const { marks } = got.reply;
    if (assets.length === 0) {
      const media = { firstByteMs: marks.firstByteMs ?? marks.headersMs, doneMs: marks.doneMs };
      after = { ...after, marks: { ...after.marks, ...media } };
    }
    assets.push({ bytes: got.reply.body, declaredMime: declaredMime(got.reply) });
  }
  const [first, ...others] = assets;
  if (first === undefined) throw new Error('a result with URLs has at least one');
  return { ...after, outcome: 'ok', assets: [first, ...others] };
}
