import type { Redact } from '../../kit/redact.ts';
import { type RequestEnded, type ShownBody, type Step, showBody, showReceived, showRequest } from '../call-event.ts';
import { serverTimings } from '../language/server-timing.ts';
import { type AddressedRequest, BODY_BYTES } from '../outgoing.ts';
import { showUrl } from '../reply/reply.ts';
import type { ReplyWatch, TransportFailure, TransportReply } from '../wire.ts';
import type { CallContext } from './context.ts';

interface Sending {
  readonly step: Step;
  readonly redirect: number;
  readonly beganMs: number;
  readonly watch?: ReplyWatch | undefined;
}

/** Sends every request of a call, so that a watcher gets each. Without a watcher it costs nothing. */
export async function send(
  request: AddressedRequest,
  sending: Sending,
  { deadline, redact, edge }: Pick<CallContext, 'deadline' | 'redact' | 'edge'>,
): Promise<TransportReply | TransportFailure> {
  const { tell } = edge;
  const counted = tell === undefined ? null : countBytes(sending.watch);
  const watch = counted?.watch ?? sending.watch;
  const options = { signal: deadline.signal, limits: { bodyBytes: BODY_BYTES }, watch };
  const exchange = await edge.transport.send(request, options);
  if (tell !== undefined) {
    const { step, redirect, beganMs } = sending;
    const { marks } = exchange;
    const timings = exchange.ok ? serverTimings(exchange.headers) : [];
    const event: RequestEnded = {
      event: 'request',
      step,
      redirect,
      method: request.method,
      url: showUrl(request.url, redact),
      credential: request.credential,
      beganMs,
      sentMs: marks.sentMs ?? null,
      endedMs: marks.doneMs ?? edge.now(),
      connectMs: marks.connectedMs === undefined ? null : marks.connectedMs - beganMs,
      sentBytes: request.body?.byteLength ?? 0,
      receivedBytes: exchange.ok ? (counted?.seen() ?? exchange.body.byteLength) : null,
      status: exchange.status,
      failure: exchange.ok ? null : exchange.code,
      left: exchange.sent,
      ...(timings.length === 0 ? {} : { timings: timings.map(({ name, ms }) => ({ name: redact(name), ms })) }),
      ...(edge.shown !== undefined
        ? {
            shown: {
              request: showRequest(request, bodyOf(request, edge.shown, redact), redact, step === 'submit'),
              reply: exchange.ok ? showReceived(exchange, counted?.seen() ?? null, redact) : null,
            },
          }
        : {}),
    };
    tell(event);
  }
  return exchange;
}

function bodyOf({ content }: AddressedRequest, submitted: ShownBody, redact: Redact): ShownBody {
  return content === null ? submitted : showBody(content, redact);
}

function countBytes(watch: ReplyWatch | undefined): {
  readonly watch: ReplyWatch | undefined;
  readonly seen: () => number | null;
} {
  let bytes: number | null = null;
  if (watch === undefined) return { watch, seen: () => null };
  return {
    watch: {
      head: (status, headers) => {
        const looksAt = watch.head(status, headers);
        if (looksAt) bytes = 0;
        return looksAt;
      },
      data: (piece, atMs) => {
        bytes = (bytes ?? 0) + piece.byteLength;
        return watch.data(piece, atMs);
      },
      heldBytes: watch.heldBytes,
    },
    seen: () => bytes,
  };
}
