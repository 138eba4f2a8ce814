import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import {
  type AbortNotice,
  failureCode,
  failureMessage,
  type NewConnection,
  type ReplyWatch,
  type TransportFailure,
  type TransportReply,
  type WireLimits,
  type WireMarks,
  type WireStage,
} from '../wire.ts';

/** Limit of all bodies in flight together: many long ones, each below its own limit, would fill the memory. */
const BODIES_BYTES = 512 * 1024 * 1024;

/** What a reply keeps in memory. `refuse` must end it at once. */
interface HeldBody {
  bytes: number;
  readonly refuse: () => void;
}

interface BodyBudget {
  readonly open: (body: HeldBody) => void;
  /** Changes the number of kept bytes; a negative one lowers it. */
  readonly grow: (body: HeldBody, bytes: number) => void;
  readonly close: (body: HeldBody) => void;
  readonly mostBytes: number;
}

/**
 * If bodies are too large together, the largest is refused, so that others pass beside an endless one. A list, as
 * outgrown tables of a Map would keep what each exchange read until a full collection (see `run/wire.ts`).
 */
export function createBodyBudget(mostBytes = BODIES_BYTES): BodyBudget {
  const bodies: HeldBody[] = [];
  let total = 0;
  return {
    mostBytes,
    open: (body) => void bodies.push(body),
    grow: (body, bytes) => {
      if (!bodies.includes(body)) return;
      body.bytes += bytes;
      total += bytes;
      if (total > mostBytes) bodies.reduce((most, one) => (one.bytes > most.bytes ? one : most)).refuse();
    },
    close: (body) => {
      total -= body.bytes;
      bodies.splice(bodies.indexOf(body), 1);
    },
  };
}

/** Smaller chunks are joined: a reply in single bytes must not cost an object for each. */
const SMALL_CHUNK_BYTES = 16 * 1024;

interface CollectedBody {
  readonly add: (chunk: Uint8Array) => void;
  /** Owns its buffer, so that it can be transferred to another thread. */
  readonly whole: () => Uint8Array;
}

/** Memory that is reserved for an announced length, at most. */
const MOST_AHEAD_BYTES = 16 * 1024 * 1024;

/**
 * Collects a body in about twice its size in memory, however small its pieces; in its size if `announcedBytes` is
 * right.
 */
export function createBody(announcedBytes: number | null = null): CollectedBody {
  const chunks: Uint8Array[] = [];
  const ahead = announcedBytes !== null && announcedBytes <= MOST_AHEAD_BYTES ? announcedBytes : 0;
  let gathered = bytesToFill(ahead);
  let filled = 0;
  let size = 0;
  const flush = (): void => {
    if (filled === 0) return;
    chunks.push(gathered.subarray(0, filled));
    gathered = new Uint8Array(0);
    filled = 0;
  };
  return {
    add: (chunk) => {
      size += chunk.byteLength;
      if (filled + chunk.byteLength > gathered.byteLength) {
        flush();
        if (chunk.byteLength >= SMALL_CHUNK_BYTES) {
          chunks.push(chunk);
          return;
        }
        // Most small bodies come in one piece: it gets what it needs.
        gathered = bytesToFill(size === chunk.byteLength ? size : SMALL_CHUNK_BYTES);
      }
      gathered.set(chunk, filled);
      filled += chunk.byteLength;
    },
    whole: () => {
      if (filled === size && gathered.byteLength === size) return gathered;
      flush();
      const whole = bytesToFill(size);
      let at = 0;
      for (const chunk of chunks) {
        whole.set(chunk, at);
        at += chunk.byteLength;
      }
      return whole;
    },
  };
}

/** Not zeroed, because it is overwritten; its own buffer, so that it can be transferred to another thread. */
function bytesToFill(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
}

export interface OpenedSocket {
  readonly connection: NewConnection;
  readonly readyMs: number;
  used: boolean;
  /** Its first error: the library only reports the end of the connection that follows. */
  error: Error | null;
}

export interface SendingObserver {
  readonly headWriting: (socket: Socket) => void;
  readonly bodyWritten: () => void;
}

interface ExchangeOptions {
  readonly now: () => number;
  readonly opened: WeakMap<object, OpenedSocket>;
  readonly expect: (observer: SendingObserver) => void;
  readonly bodies: BodyBudget;
  readonly limits: WireLimits;
  readonly watch: ReplyWatch | undefined;
  readonly signal: AbortNotice;
  readonly resolve: (result: TransportReply | TransportFailure) => void;
}

/** One request and its reply, as the library's handler; resolves exactly once. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #startedMs: number;
  readonly #held: HeldBody;
  #marks: WireMarks = {};
  #connection: NewConnection | null = null;
  #stage: WireStage = 'connecting';
  #head: { readonly status: number; readonly headersMs: number; readonly headers: [string, string][] } | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #socket: Socket | null = null;
  #body = createBody();
  #size = 0;
  #watched = false;
  #settled = false;

  constructor(options: ExchangeOptions) {
    const { now, bodies, signal } = options;
    this.#options = options;
    this.#startedMs = now();
    const refuse = () => {
      const together = `the replies in flight are larger than ${bodies.mostBytes} bytes together`;
      const remedy = 'lower load.concurrency if media are that large';
      this.#fail('body_too_large', `${together}, and this one is the largest; ${remedy}`);
      this.#body = createBody();
    };
    this.#held = { bytes: 0, refuse };
    bodies.open(this.#held);
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener('abort', this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error('the request was aborted'));
    else this.#options.expect({ headWriting: this.#headWriting, bodyWritten: this.#bodyWritten });
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, received: ReceivedHeaders): void {
    if (status < 200) return; // Informational: the reply is still to come.
    const { now, limits, watch } = this.#options;
    const headersMs = now();
    const headers = flatten(received);
    this.#stage = 'receiving';
    this.#head = { status, headersMs, headers };
    this.#marks = { ...this.#marks, headersMs };
    const headerValue = (wanted: string) =>
      headers
        .find(([name]) => name === wanted)?.[1]
        .trim()
        .toLowerCase();
    const encoding = headerValue('content-encoding') ?? 'identity';
    if (status < 300 && this.#marks.sentMs === undefined) {
      this.#fail('bad_http', 'the reply began before the request had been sent');
    } else if (encoding !== 'identity' && encoding !== '') {
      this.#fail('encoded_body', `the reply is encoded as ${encoding}, which was not asked for`);
    } else if (Number(headerValue('content-length') ?? 0) > limits.bodyBytes) {
      this.#fail('body_too_large', tooLarge(limits));
    } else {
      this.#watched = watch?.head(status, headers) ?? false;
      if (!this.#watched) this.#body = createBody(announcedBytes(headerValue('content-length')));
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    const { now, limits, bodies } = this.#options;
    const atMs = this.#watched || this.#size === 0 ? now() : 0;
    if (this.#size === 0) this.#marks = { ...this.#marks, firstByteMs: atMs };
    this.#size += chunk.byteLength;
    if (!this.#watched) {
      this.#body.add(chunk);
      bodies.grow(this.#held, chunk.byteLength);
    }
    if (this.#settled) return;
    if (this.#size > limits.bodyBytes) this.#fail('body_too_large', tooLarge(limits));
    else if (this.#watched) this.#watch(chunk, atMs);
  }

  onResponseEnd(): void {
    // If the connection's end is the body's end, the library takes a reset for it.
    const broken = this.#socket?.errored ?? null;
    if (broken === null) this.#end(this.#options.now());
    else this.#fail('truncated_body', broken.message);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const cause = (this.#socket === null ? null : this.#options.opened.get(this.#socket)?.error) ?? error;
    this.#fail(failureCode(cause, this.#stage), failureMessage(cause, this.#stage));
  }

  readonly #onAbort = () => this.#fail('aborted', 'the request was aborted');

  readonly #headWriting = (socket: Socket) => {
    this.#stage = 'waiting';
    this.#socket = socket;
    const opened = this.#options.opened.get(socket);
    if (opened === undefined || opened.used) return;
    opened.used = true;
    if (opened.readyMs < this.#startedMs) return; // Opened for a request that was aborted before.
    this.#connection = opened.connection;
    this.#marks = { ...this.#marks, connectedMs: opened.readyMs };
  };

  readonly #bodyWritten = () => {
    if (!this.#settled) this.#marks = { ...this.#marks, sentMs: this.#options.now() };
  };

  #watch(chunk: Buffer, atMs: number): void {
    const { watch, bodies } = this.#options;
    if (watch === undefined) return;
    if (watch.data(chunk, atMs)) {
      this.#end(atMs);
      this.#controller?.abort(new Error('enough was seen'));
      return;
    }
    bodies.grow(this.#held, watch.heldBytes() - this.#held.bytes);
  }

  #end(doneMs: number): void {
    if (this.#head === null) {
      this.#fail('bad_http', 'the reply has no head');
      return;
    }
    const { status, headers, headersMs } = this.#head;
    const marks = { ...this.#marks, headersMs, doneMs };
    const connection = this.#connection;
    this.#settle({ ok: true, status, headers, body: this.#body.whole(), marks, connection, sent: true });
    // The reply came before the request ended: the rest of it must not precede another request.
    if (marks.sentMs === undefined) this.#socket?.destroy();
  }

  #fail(code: TransportFailure['code'], message: string): void {
    const sent = this.#stage !== 'connecting';
    const status = this.#head?.status ?? null;
    this.#settle({ ok: false, code, message, status, marks: this.#marks, connection: this.#connection, sent });
    this.#controller?.abort(new Error(message));
  }

  #settle(result: TransportReply | TransportFailure): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#options.bodies.close(this.#held);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#options.resolve(result);
  }
}

type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

function flatten(headers: ReceivedHeaders): [string, string][] {
  const flat: [string, string][] = [];
  for (const [name, value = []] of Object.entries(headers)) {
    for (const one of typeof value === 'string' ? [value] : value) flat.push([name.toLowerCase(), one]);
  }
  return flat;
}

function announcedBytes(length: string | undefined): number | null {
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

function tooLarge({ bodyBytes }: WireLimits): string {
  return `the reply is larger than ${bodyBytes} bytes`;
}
