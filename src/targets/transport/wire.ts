import type { Marks } from '../model/marks.ts';
import type { AbortNotice } from './abort.ts';

/** A request as the transport sends it: everything serialised. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute http or https. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
  /** Which addresses may be connected to; checked before and after connecting. */
  readonly addresses: 'any' | 'public';
}

/** Milliseconds that a new connection took, part by part; null where a part did not happen. */
export interface NewConnection {
  readonly dnsMs: number | null;
  readonly tcpMs: number | null;
  readonly tlsMs: number | null;
}

/** The marks that an exchange can set. */
export type WireMarks = Pick<Marks, 'connectedMs' | 'sentMs' | 'headersMs' | 'firstByteMs' | 'doneMs'>;

interface Exchange {
  /** Null where an open connection was used again, or none came about. */
  readonly connection: NewConnection | null;
  /** Whether a byte of the request can have left: from then on the server may be at work. */
  readonly sent: boolean;
}

/** A reply that was received whole. */
export interface TransportReply extends Exchange {
  readonly ok: true;
  readonly status: number;
  /** Names in lower case, in the order they came; a name may come several times. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Owns its buffer. */
  readonly body: Uint8Array;
  readonly marks: WireMarks & Required<Pick<WireMarks, 'headersMs' | 'doneMs'>>;
}

/** An exchange that failed, and how far it came. */
export interface TransportFailure extends Exchange {
  readonly ok: false;
  readonly code: FailureCode;
  /** In the words of the platform; may hold host names and addresses. */
  readonly message: string;
  /** The status, where the head of a reply came. */
  readonly status: number | null;
  readonly marks: WireMarks;
}

/** Stable codes for the ways an exchange can fail. */
export type FailureCode =
  | 'dns_failed'
  | 'connect_refused'
  | 'connect_timeout'
  | 'connect_failed'
  | 'no_descriptors'
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

/** Sends requests and stamps what happens. One request, one exchange: no retries, no redirects, no pipelining. */
export interface Transport {
  readonly send: (
    request: HttpRequest,
    options: { readonly signal: AbortNotice; readonly limits: WireLimits; readonly watch?: ReplyWatch | undefined },
  ) => Promise<TransportReply | TransportFailure>;
  /** Ends every connection. */
  readonly close: () => Promise<void>;
}

/** Looks into a reply while it comes; a body that is looked at is not kept. */
export interface ReplyWatch {
  /** Told of the head; says whether the body is to be looked at. */
  readonly head: (status: number, headers: TransportReply['headers']) => boolean;
  /** Told of each piece of the body. True: enough was seen, and the exchange ends here as if the reply had. */
  readonly data: (piece: Uint8Array, atMs: number) => boolean;
  /** About how many bytes it keeps now. */
  readonly heldBytes: () => number;
}

export interface WireLimits {
  readonly bodyBytes: number;
}

/** The codes of errors of ours: an address may not be connected to; a server spoke before the request anything. */
export const ADDRESS_REFUSED = 'ERR_ADDRESS_REFUSED';
export const SPOKE_FIRST = 'ERR_SPOKE_FIRST';

/** How far an exchange had come when it failed. */
export type Stage = 'connecting' | 'waiting' | 'receiving';

const TLS_WORDS = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_PURPOSE)/;

/**
 * Alerts by which a server ends a handshake because of the certificate of its client. With TLS 1.3 they come after the client's own
 * handshake has ended, and so after a request may have left.
 */
const CLIENT_CERTIFICATE = /^ERR_SSL_.*_ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|ACCESS_DENIED)$/;

/** The word for an error of the platform or of the HTTP library, by what it says and how far the exchange had come. */
export function failureCode(error: Error & { readonly code?: unknown }, stage: Stage): FailureCode {
  const code = typeof error.code === 'string' ? error.code : '';
  const broken = stage === 'receiving' ? 'truncated_body' : 'connection_dropped';
  // The parser's errors carry no code of use; one of them says that the connection ended too early.
  if (error.name === 'HTTPParserError') return error.message.includes('Invalid EOF state') ? broken : 'bad_http';
  if (badHead(error, stage) !== null) return 'bad_http';
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

/** What a failure says: the error's own words, or better ones where the library's are of no use. */
export function failureMessage(error: Error & { readonly code?: unknown }, stage: Stage): string {
  return badHead(error, stage) ?? tlsAlert(error) ?? error.message;
}

/** What OpenSSL says, without its places in its source; null for other errors. */
function tlsAlert({ code, reason }: Error & { readonly code?: unknown; readonly reason?: unknown }): string | null {
  if (typeof code !== 'string' || !code.startsWith('ERR_SSL_') || typeof reason !== 'string') return null;
  const hint = CLIENT_CERTIFICATE.test(code)
    ? '; the server may demand a client certificate, and Retake sends none'
    : '';
  return `the TLS handshake failed: ${reason}${hint}`;
}

/**
 * What is wrong with the head of a reply that the library rejects without its parser's word; null for other errors.
 * A length that does not fit is reported for a body too, but before there is a head it only means that the parser stopped
 * behind a `content-length`.
 */
function badHead({ code, message }: Error & { readonly code?: unknown }, stage: Stage): string | null {
  if (stage === 'connecting') return null;
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && stage === 'waiting') {
    return 'the head of the reply is not valid HTTP; it has a content-length';
  }
  if (code === 'ERR_ASSERTION') return 'the status of the reply is not valid';
  if (code !== 'UND_ERR_SOCKET') return null;
  if (message === 'bad response') return 'the reply is a 100 (Continue), or follows another that was not asked for';
  return message === 'bad upgrade' ? 'the reply changes to another protocol' : null;
}
