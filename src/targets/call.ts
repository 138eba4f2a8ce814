import type { JsonObject } from '../kit/json.ts';
import { withoutSecrets } from './call/capture.ts';
import { type Answer, type Answered, type CallContext, startDeadline } from './call/context.ts';
import { type Cancellation, cancelJob } from './call/stages/cancel.ts';
import { watchEvents } from './call/stages/events.ts';
import { download, fetchHops } from './call/stages/fetch.ts';
import { submit } from './call/stages/submit.ts';
import { attachToJob, waitForJob } from './call/stages/wait.ts';
import type { CallFailure, CallTrace } from './call/trace.ts';
import type { CallEdge } from './call-event.ts';
import { holdsFor } from './inputs.ts';
import type { Origins } from './origins.ts';
import { type Addressing, type EncodedRequest, outgoingSubmit } from './outgoing.ts';
import { declaredMime, showReply } from './reply/reply.ts';
import { type Asset, type Assets, decodeDataUri, readOutput } from './reply/result.ts';
import type { KnownSecrets } from './secrets.ts';
import type { Target } from './target.ts';

export interface Call {
  readonly target: Target;
  readonly submit: EncodedRequest;
  /** Absolute; for `embedded:` that of the reference service of the run. */
  readonly baseUrl: string;
  /** From the first start to the last byte, with waits for a throttling server. */
  readonly timeoutMs: number;
  readonly onThrottle: 'wait' | 'fail' | 'stop';
  /** Absent: the target's. */
  readonly origins?: Origins;
  /** Values of a job that another process submitted: it is polled, nothing is submitted. */
  readonly attach?: JsonObject;
}

export type CallResult = CallEnd & {
  readonly endedMs: number;
  /** The reply to the cancel of an abandoned job; null if there is no job or no cancel request. */
  readonly cancel: Cancellation | null;
};

type CallEnd = CallTrace & (({ readonly outcome: 'ok' } & DeliveredCall) | CallFailure);

interface DeliveredCall {
  /** At least one; the first counts. Each owns its buffer. */
  readonly assets: Assets;
}

/** Makes one call. An error of the remote is an outcome; rejects only on a defect of Retake. Texts are redacted. */
export async function performCall(given: Call, edge: CallEdge): Promise<CallResult> {
  const call = { ...given, target: withCostRule(given) };
  const { target, baseUrl } = call;
  const { secrets } = edge;
  const { redact } = secrets;
  const credential = edge.credentials.of(call.submit.credential);
  const addressing: Addressing = { origins: call.origins ?? target.origins, baseUrl, credential };
  const deadline = startDeadline(call.timeoutMs, edge);
  const { constants } = call.submit;
  const context = { target, constants, addressing, deadline, secrets, redact, edge };
  try {
    const answer = await findAnswer(call, context);
    const ended = await conclude(answer, context);
    const endedMs = edge.now();
    const cancel = target.wait?.until?.by === 'poll' ? target.wait.until.cancel : [];
    const cancels = cancel.length > 0 && isAbandoned(ended);
    // Uses the raw values: reported ones lack the secrets.
    return { ...ended, endedMs, cancel: cancels ? await cancelJob(cancel, answer.trace.captured, context) : null };
  } finally {
    deadline.end();
  }
}

/** With the rule of `cost_usd` that is for the constants of the call alone. */
function withCostRule({ target, submit: { constants } }: Call): Target {
  const rule = target.meta.cost_usd?.find((one) => holdsFor(one, constants));
  return { ...target, meta: { ...target.meta, cost_usd: rule === undefined ? [] : [rule] } };
}

async function conclude(answer: Answered, context: CallContext): Promise<CallEnd> {
  const { secrets } = context;
  const trace = { ...answer.trace, captured: withoutSecrets(answer.trace.captured, secrets) };
  if (answer.ok) return withoutTellingTypes(await collect({ ...answer, trace }, context), secrets);
  const { outcome, error } = answer;
  return { ...trace, outcome, error };
}

function isAbandoned({ outcome, marks }: CallEnd): boolean {
  const broken = outcome === 'timed_out' || outcome === 'cancelled';
  return broken && marks.lastPendingMs !== undefined && marks.readyMs === undefined;
}

async function findAnswer(call: Call, context: CallContext & { readonly edge: CallEdge }): Promise<Answered> {
  const { target, addressing, deadline, redact, edge } = context;
  const until = target.wait?.until ?? null;
  const startWatch = until?.by === 'events' ? () => watchEvents(until, target, redact) : null;
  const request = () => outgoingSubmit(call.submit, addressing);
  let answer: Answered;
  if (call.attach !== undefined) {
    answer = await attachToJob(call.attach, target.wait, context);
  } else {
    answer = await submit(request, call, deadline, redact, edge, startWatch);
    if (answer.ok && target.wait !== undefined) answer = await waitForJob(answer, target.wait, context);
  }
  if (answer.ok && target.hops.length > 0) answer = await fetchHops(answer, target.hops, context);
  return answer;
}

async function collect({ trace, reply, readable, arrived, from }: Answer, context: CallContext): Promise<CallEnd> {
  const output = readOutput(context.target.result, reply, readable);
  const { beganMs, firstByteMs, endedMs } = arrived;
  switch (output.found) {
    case 'nothing': {
      const shown = reply.body.byteLength === 0 ? '' : `: ${showReply(readable)}`;
      return {
        ...trace,
        outcome: 'error',
        error: { code: output.code, message: context.redact(output.message + shown) },
      };
    }
    case 'assets': {
      // A reply that contains the bytes was the result when its head came; the rest of it is the download.
      const accepted = from === 'submit' ? { acceptedMs: beganMs } : {};
      const ready = from === 'hop' ? {} : { readyMs: beganMs };
      const marks = { ...trace.marks, ...accepted, ...ready, firstByteMs, doneMs: endedMs };
      return { ...trace, marks, outcome: 'ok', assets: output.assets };
    }
    case 'urls': {
      const ready = from === 'submit' ? { readyMs: endedMs } : {};
      const marks = { ...trace.marks, ...ready };
      return downloadAll(output.urls, endedMs, { ...trace, marks }, context);
    }
  }
}

/**
 * Sequential: the caller waits for the first output, and the timestamps are of the first. A data URI was there when the
 * reply ended.
 */
async function downloadAll(
  urls: readonly [string, ...string[]],
  endedMs: number,
  trace: CallTrace,
  context: CallContext,
): Promise<CallEnd> {
  const assets: Asset[] = [];
  let after = trace;
  for (const url of urls) {
    const data = decodeDataUri(url);
    if (data !== null) {
      if (assets.length === 0) after = { ...after, marks: { ...after.marks, firstByteMs: endedMs, doneMs: endedMs } };
      assets.push(data);
      continue;
    }
    const got = await download(url, context);
    after = { ...after, downloads: after.downloads + got.requests };
    if (!got.ok) {
      const { outcome, error, httpStatus } = got;
      // Without a result, the timestamps of the first output are left out.
      return { ...trace, downloads: after.downloads, httpStatus: httpStatus ?? after.httpStatus, outcome, error };
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

function withoutTellingTypes(result: CallEnd, secrets: KnownSecrets): CallEnd {
  if (result.outcome !== 'ok') return result;
  const clean = (asset: Asset): Asset =>
    asset.declaredMime !== null && secrets.isIn(asset.declaredMime) ? { ...asset, declaredMime: null } : asset;
  const [first, ...others] = result.assets;
  return { ...result, assets: [clean(first), ...others.map(clean)] };
}
