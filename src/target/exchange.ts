import type { Dispatcher } from 'undici';
import {
  failureCode,
  type NewConnection,
  type Stage,
  type TransportFailure,
  type TransportReply,
  type WireLimits,
  type WireMarks,
} from './wire.ts';

/** What is known of a socket since it was opened. */
export interface OpenedSocket {
  readonly connection: NewConnection;
  readonly readyMs: number;
  /** A request was sent on it. */
  used: boolean;
}

/** Told when the library writes the head of a request, and when it has handed over the last byte. */
export interface SendingObserver {
  readonly headWriting: (socket: object) => void;
  readonly bodyWritten: () => void;
}

/** One request and its reply, as the library's handler; resolves exactly once. */
export function startExchange({
  now,
  opened,
  expect,
  limits,
  signal,
  resolve,
}: {
  readonly now: () => number;
  readonly opened: WeakMap<object, OpenedSocket>;
  readonly expect: (observer: SendingObserver) => void;
  readonly limits: WireLimits;
  readonly signal: AbortSignal;
  readonly resolve: (result: TransportReply | TransportFailure) => void;
}): Dispatcher.DispatchHandler {
  const startedMs = now();
  let marks: WireMarks = {};
  let connection: NewConnection | null = null;
  let stage: Stage = 'connecting';
  let head: { readonly status: number; readonly headersMs: number; readonly headers: [string, string][] } | null = null;
  let controller: Dispatcher.DispatchController | null = null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let settled = false;

  const settle = (result: TransportReply | TransportFailure): void => {
    if (settled) return;
    settled = true;
    signal.removeEventListener('abort', onAbort);
    resolve(result);
  };
  const fail = (code: TransportFailure['code'], message: string): void => {
    settle({ ok: false, code, message, status: head?.status ?? null, marks, connection, sent: stage !== 'connecting' });
    controller?.abort(new Error(message));
  };
  const onAbort = () => fail('aborted', 'the request was broken off');
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);

  const observer: SendingObserver = {
    headWriting: (socket) => {
      stage = 'waiting';
      const socketOpened = opened.get(socket);
      if (socketOpened === undefined || socketOpened.used) return;
      socketOpened.used = true;
      if (socketOpened.readyMs < startedMs) return; // opened for a request that was broken off before
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
      if (settled) given.abort(new Error('the request was broken off'));
      else expect(observer);
    },
    onResponseStart: (_controller, status, headers) => {
      if (status < 200) return; // informational: the reply is still to come
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
      if (encoding !== 'identity' && encoding !== '') {
        fail('encoded_body', `the reply is encoded as ${encoding}, which was not asked for`);
      } else if (Number(headerValue('content-length') ?? 0) > limits.bodyBytes) {
        fail('body_too_large', tooLarge(limits));
      }
    },
    onResponseData: (_controller, chunk) => {
      if (settled) return;
      if (size === 0) marks = { ...marks, firstByteMs: now() };
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size > limits.bodyBytes) fail('body_too_large', tooLarge(limits));
    },
    onResponseEnd: () => {
      const doneMs = now();
      if (head === null) return fail('bad_http', 'the reply has no head');
      const { status, headers, headersMs } = head;
      const body = joined(chunks, size);
      settle({ ok: true, status, headers, body, marks: { ...marks, headersMs, doneMs }, connection, sent: true });
    },
    onResponseError: (_controller, error) => {
      fail(failureCode(error, stage), error.message);
    },
  };
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value = []]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name.toLowerCase(), one]),
  );
}

/** One array that owns its buffer, so that it can be handed to another thread. */
function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

function tooLarge({ bodyBytes }: WireLimits): string {
  return `the reply is larger than ${bodyBytes} bytes`;
}
