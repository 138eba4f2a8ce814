import type { Marks, Reported } from './recorded.ts';

export interface HttpRequest {
  readonly method: string;
  /** Absolute http or https. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
  /** Which addresses may be connected to; checked before and after connecting. */
  readonly addresses: 'any' | 'public';
}

/** Milliseconds of each part of opening a connection; null if it did not happen. */
export interface NewConnection {
  readonly dnsMs: number | null;
  readonly tcpMs: number | null;
  readonly tlsMs: number | null;
}

export type WireMarks = Pick<Marks, 'connectedMs' | 'sentMs' | 'headersMs' | 'firstByteMs' | 'doneMs'>;

interface ExchangeFacts {
  /** Null if an open connection was used, or none was made. */
  readonly connection: NewConnection | null;
  /** Whether a byte of the request may have been sent: the server may be working. */
  readonly sent: boolean;
}

export interface TransportReply extends ExchangeFacts {
  readonly ok: true;
  readonly status: number;
  /** Names in lower case, in order; a name may occur several times. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Owns its buffer. */
  readonly body: Uint8Array;
  readonly marks: WireMarks & Required<Pick<WireMarks, 'headersMs' | 'doneMs'>>;
}

export interface TransportFailure extends ExchangeFacts {
  readonly ok: false;
  readonly code: FailureCode;
  /** In the words of the platform; may contain host names and addresses. */
  readonly message: string;
  readonly status: number | null;
  readonly marks: WireMarks;
}

export type FailureCode =
  | 'dns_failed'
  | 'connect_refused'
  | 'connect_timeout'
  | 'connect_failed'
  | 'no_descriptors'
  | ProxyFailure
  | 'tls_failed'
  | 'address_refused'
  | 'connection_dropped'
  | 'truncated_body'
  | 'body_too_large'
  | 'headers_too_large'
  | 'encoded_body'
  | 'bad_http'
  | 'bad_request'
  | 'aborted';

/**
 * `proxy_failed`: the proxy cannot be reached, or cannot reach the host; `proxy_auth`: it asks for user and password,
 * or refuses them; `proxy_refused`: it refuses the request.
 */
export const PROXY_FAILURES = ['proxy_failed', 'proxy_auth', 'proxy_refused'] as const;
export type ProxyFailure = (typeof PROXY_FAILURES)[number];

/** One request, one exchange: no retries, no redirects, no pipelining. */
export interface Transport {
  readonly send: (
    request: HttpRequest,
    options: { readonly signal: AbortNotice; readonly limits: WireLimits; readonly watch?: ReplyWatch | undefined },
  ) => Promise<TransportReply | TransportFailure>;
  readonly close: () => Promise<void>;
}

/** Reads a reply while it comes; its body is not kept. */
export interface ReplyWatch {
  readonly head: (status: number, headers: TransportReply['headers']) => boolean;
  /** True: enough was read, and the exchange ends as if the reply had. */
  readonly data: (piece: Uint8Array, atMs: number) => boolean;
  /** About how many bytes it keeps now. */
  readonly heldBytes: () => number;
}

export interface WireLimits {
  readonly bodyBytes: number;
}

/** The codes of our own errors: an address is not allowed; a server sent data before a request. */
export const ADDRESS_REFUSED = 'ERR_ADDRESS_REFUSED';
export const SPOKE_FIRST = 'ERR_SPOKE_FIRST';

export type WireStage = 'connecting' | 'waiting' | 'receiving';

const TLS_WORDS = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_PURPOSE)/;

/**
 * Alerts by which a server ends a handshake because of the client's certificate. With TLS 1.3 they come after the
 * client's own handshake, so a request may have been sent.
 */
const CLIENT_CERTIFICATE = /^ERR_SSL_.*_ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|ACCESS_DENIED)$/;

export function failureCode(error: Error & { readonly code?: unknown }, stage: WireStage): FailureCode {
  const code = typeof error.code === 'string' ? error.code : '';
  const broken = stage === 'receiving' ? 'truncated_body' : 'connection_dropped';
  // The parser's errors have no useful code; one of them says that the connection ended too early.
  if (error.name === 'HTTPParserError') return error.message.includes('Invalid EOF state') ? broken : 'bad_http';
  if (badHead(error, stage) !== null) return 'bad_http';
  const ofProxy = PROXY_FAILURES.find((known) => known === code);
  if (ofProxy !== undefined) return ofProxy;
  switch (code) {
    case ADDRESS_REFUSED:
      return 'address_refused';
    case SPOKE_FIRST:
      return 'bad_http';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
      return 'dns_failed';
    case 'ECONNREFUSED':
      return 'connect_refused';
    case 'EMFILE':
    case 'ENFILE':
      return 'no_descriptors';
    case 'UND_ERR_CONNECT_TIMEOUT':
      return 'connect_timeout';
    case 'ETIMEDOUT':
      return stage === 'connecting' ? 'connect_timeout' : broken;
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'headers_too_large';
    case 'UND_ERR_INVALID_ARG':
    case 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH':
      return 'bad_request';
    default:
  }
  if (stage === 'waiting' && CLIENT_CERTIFICATE.test(code)) return 'tls_failed';
  if (stage !== 'connecting') return broken;
  return TLS_WORDS.test(code) ? 'tls_failed' : 'connect_failed';
}

/** The error's own message, or a better one if the library's is useless. */
export function failureMessage(error: Error & { readonly code?: unknown }, stage: WireStage): string {
  return badHead(error, stage) ?? tlsAlert(error) ?? error.message;
}

/** OpenSSL's reason without source locations; null for other errors. */
function tlsAlert({ code, reason }: Error & { readonly code?: unknown; readonly reason?: unknown }): string | null {
  if (typeof code !== 'string' || !code.startsWith('ERR_SSL_') || typeof reason !== 'string') return null;
  const hint = CLIENT_CERTIFICATE.test(code)
    ? '; the server may demand a client certificate, and Retake sends none'
    : '';
  return `the TLS handshake failed: ${reason}${hint}`;
}

/**
 * What is wrong with the head of a reply, if the library rejects it without a parser error; null for other errors. A
 * length mismatch is also reported for a body; before the head it only means that the parser stopped after a
 * `content-length`.
 */
function badHead({ code, message }: Error & { readonly code?: unknown }, stage: WireStage): string | null {
  if (stage === 'connecting') return null;
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && stage === 'waiting') {
    return 'the head of the reply is not valid HTTP; it has a content-length';
  }
  if (code === 'ERR_ASSERTION') return 'the status of the reply is not valid';
  if (code !== 'UND_ERR_SOCKET') return null;
  if (message === 'bad response') return 'the reply is a 100 (Continue), or follows another that was not asked for';
  return message === 'bad upgrade' ? 'the reply changes to another protocol' : null;
}

/** An `AbortSignal`, or the lighter one of `createAbort`. */
export interface AbortNotice {
  readonly aborted: boolean;
  readonly addEventListener: (type: 'abort', listener: () => void) => void;
  readonly removeEventListener: (type: 'abort', listener: () => void) => void;
}

export interface Abort {
  readonly signal: AbortNotice;
  readonly abort: () => void;
}

/**
 * An `AbortController` without its cost, as each call needs two. Listeners are called once, in order. A list, as
 * outgrown tables of a Set would keep each listening call in memory until a full collection (see `run/wire.ts`).
 */
export function createAbort(): Abort {
  const listeners: (() => void)[] = [];
  const signal = {
    aborted: false,
    addEventListener: (_type: 'abort', listener: () => void) => {
      if (!signal.aborted && !listeners.includes(listener)) listeners.push(listener);
    },
    removeEventListener: (_type: 'abort', listener: () => void) => {
      const at = listeners.indexOf(listener);
      if (at >= 0) listeners.splice(at, 1);
    },
  };
  return {
    signal,
    abort: () => {
      if (signal.aborted) return;
      signal.aborted = true;
      for (let next = listeners.shift(); next !== undefined; next = listeners.shift()) next();
    },
  };
}

export const NOTHING_REPORTED: Reported = {
  requestId: null,
  seedEcho: null,
  serverMs: null,
  costUsd: null,
  cached: null,
};
