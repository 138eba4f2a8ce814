import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { AbortNotice } from './abort.ts';
import type { BodyBudget } from './body-budget.ts';
import { createBody } from './collected-body.ts';
import {
  failureCode,
  failureMessage,
  type NewConnection,
  type ReplyWatch,
  type TransportFailure,
  type TransportReply,
  type WireLimits,
  type WireMarks,
  type WireStage,
} from './wire.ts';

export interface OpenedSocket {
  readonly connection: NewConnection;
  readonly readyMs: number;
  used: boolean;
  /** Its first error: the library only reports the end of the connection that follows. */
  error: Error | null;
}

/** Called when the library writes the head of a request, and when it has handed over the last byte. */
export interface SendingObserver {
  readonly headWriting: (socket: Socket) => void;
  readonly bodyWritten: () => void;
}

/** One request and its reply, as the library's handler; resolves exactly once. */
export function startExchange({
  now,
  opened,
  expect,
  bodies,
  limits,
  watch,
  signal,
  resolve,
}: {
  readonly now: () => number;
  readonly opened: WeakMap<object, OpenedSocket>;
  readonly expect: (observer: SendingObserver) => void;
  readonly bodies: BodyBudget;
  readonly limits: WireLimits;
  readonly watch: ReplyWatch | undefined;
  readonly signal: AbortNotice;
  readonly resolve: (result: TransportReply | TransportFailure) => void;
}): Dispatcher.DispatchHandler {
  const startedMs = now();
  let marks: WireMarks = {};
  let connection: NewConnection | null = null;
  let stage: WireStage = 'connecting';
  let head: { readonly status: number; readonly headersMs: number; readonly headers: [string, string][] } | null = null;
  let controller: Dispatcher.DispatchController | null = null;
  let usedSocket: Socket | null = null;
  let body = createBody();
  let size = 0;
  let watched = false;
  let heldBytes = 0;
  let settled = false;

  const settle = (result: TransportReply | TransportFailure): void => {
    if (settled) return;
    settled = true;
    budgeted.close();
    signal.removeEventListener('abort', onAbort);
    resolve(result);
  };
  const fail = (code: TransportFailure['code'], message: string): void => {
    settle({ ok: false, code, message, status: head?.status ?? null, marks, connection, sent: stage !== 'connecting' });
    controller?.abort(new Error(message));
  };
  const end = (doneMs: number): void => {
    if (head === null) {
      fail('bad_http', 'the reply has no head');
      return;
    }
    const { status, headers, headersMs } = head;
    settle({
      ok: true,
      status,
      headers,
      body: body.whole(),
      marks: { ...marks, headersMs, doneMs },
      connection,
      sent: true,
    });
    // The reply came before the request ended: the rest of it must not precede another request.
    if (marks.sentMs === undefined) usedSocket?.destroy();
  };
  const budgeted = bodies.open(() => {
    const together = `the replies in flight are larger than ${bodies.mostBytes} bytes together`;
    fail('body_too_large', `${together}, and this one is the largest; lower load.concurrency if media are that large`);
    body = createBody();
  });
  const onAbort = () => fail('aborted', 'the request was aborted');
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);

  const observer: SendingObserver = {
    headWriting: (socket) => {
      stage = 'waiting';
      usedSocket = socket;
      const socketOpened = opened.get(socket);
      if (socketOpened === undefined || socketOpened.used) return;
      socketOpened.used = true;
      if (socketOpened.readyMs < startedMs) return; // Opened for a request that was aborted before.
      connection = socketOpened.connection;
      marks = { ...marks, connectedMs: socketOpened.readyMs };
    },
    bodyWritten: () => {
      if (!settled) marks = { ...marks, sentMs: now() };
    },
  };

  return {
    onRequestStart: (given) => {
      controller = given;
      if (settled) given.abort(new Error('the request was aborted'));
      else expect(observer);
    },
    onResponseStart: (_controller, status, headers) => {
      if (status < 200) return; // Informational: the reply is still to come.
      const headersMs = now();
      stage = 'receiving';
      head = { status, headersMs, headers: flatten(headers) };
      marks = { ...marks, headersMs };
      const headerValue = (wanted: string) =>
        head?.headers
          .find(([name]) => name === wanted)?.[1]
          .trim()
          .toLowerCase();
      const encoding = headerValue('content-encoding') ?? 'identity';
      if (status < 300 && marks.sentMs === undefined) {
        fail('bad_http', 'the reply began before the request had been sent');
      } else if (encoding !== 'identity' && encoding !== '') {
        fail('encoded_body', `the reply is encoded as ${encoding}, which was not asked for`);
      } else if (Number(headerValue('content-length') ?? 0) > limits.bodyBytes) {
        fail('body_too_large', tooLarge(limits));
      } else {
        watched = watch?.head(status, head.headers) ?? false;
        if (!watched) body = createBody(announcedBytes(headerValue('content-length')));
      }
    },
    onResponseData: (_controller, chunk) => {
      if (settled) return;
      const atMs = watched || size === 0 ? now() : 0;
      if (size === 0) marks = { ...marks, firstByteMs: atMs };
      size += chunk.byteLength;
      if (!watched) {
        body.add(chunk);
        budgeted.grow(chunk.byteLength);
      }
      if (settled) return;
      if (size > limits.bodyBytes) fail('body_too_large', tooLarge(limits));
      else if (watched && watch !== undefined) {
        const enough = watch.data(chunk, atMs);
        if (enough) {
          end(atMs);
          controller?.abort(new Error('enough was seen'));
          return;
        }
        const before = heldBytes;
        heldBytes = watch.heldBytes();
        budgeted.grow(heldBytes - before);
      }
    },
    onResponseEnd: () => {
      // If the connection's end is the body's end, the library takes a reset for it.
      const broken = usedSocket?.errored ?? null;
      if (broken === null) end(now());
      else fail('truncated_body', broken.message);
    },
    onResponseError: (_controller, error) => {
      const cause = (usedSocket === null ? null : opened.get(usedSocket)?.error) ?? error;
      fail(failureCode(cause, stage), failureMessage(cause, stage));
    },
  };
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value = []]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name.toLowerCase(), one]),
  );
}

function announcedBytes(length: string | undefined): number | null {
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

function tooLarge({ bodyBytes }: WireLimits): string {
  return `the reply is larger than ${bodyBytes} bytes`;
}
