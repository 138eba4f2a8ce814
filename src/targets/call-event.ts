import { isList, isObject, type Json, type JsonObject } from '../kit/json.ts';
import { REDACTED, type Redact } from '../kit/redact.ts';
import type { CallFailure } from './call/trace.ts';
import type { Credentials } from './credential.ts';
import type { ServerTiming } from './language/server-timing.ts';
import { plainJson } from './language/template.ts';
import type { PollState } from './model/job.ts';
import type { AddressedRequest } from './outgoing.ts';
import { declaredMime, readableReply, showUrl, withoutQueryValues } from './reply/reply.ts';
import type { WireBody } from './request.ts';
import type { KnownSecrets } from './secrets.ts';
import type { AbortNotice, FailureCode, Transport, TransportReply } from './wire.ts';

export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ShownHeaders;
  readonly body: ShownBody;
}

export interface ShownReply {
  readonly status: number;
  readonly headers: ShownHeaders;
  readonly body: ShownBody;
}

export type ShownHeaders = readonly (readonly [name: string, value: string])[];

export type ShownBody =
  | { readonly is: 'none' }
  /** JSON is indented. Long texts are cut, with their full length. */
  | { readonly is: 'json' | 'text'; readonly text: string }
  | { readonly is: 'multipart' | 'form'; readonly fields: readonly ShownField[] }
  | { readonly is: 'bytes'; readonly mime: string | null; readonly bytes: number };

export type ShownField =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly fileName: string; readonly mime: string; readonly bytes: number };

const VALUE_LENGTH = 1000;
const BODY_LENGTH = 8000;
/** A longer body is not read as text. */
const MOST_TEXT_BYTES = 32 * 1024 * 1024;

/** @param ownUrl whether the whole URL is the target's own; the query of one from a reply may be a signature */
export function showRequest(request: AddressedRequest, body: ShownBody, redact: Redact, ownUrl: boolean): ShownRequest {
  return {
    method: request.method,
    url: ownUrl ? shortened(request.url, redact) : showUrl(request.url, redact),
    headers: showHeaders(request.headers, redact),
    body,
  };
}

/** @param bytes of a body that was read and not kept; else null */
export function showReceived(
  reply: Pick<TransportReply, 'status' | 'headers' | 'body'>,
  bytes: number | null,
  redact: Redact,
): ShownReply {
  const { status, headers, body } = reply;
  const size = bytes ?? body.byteLength;
  const mime = declaredMime(reply);
  const shown = (): ShownBody => {
    if (size === 0) return { is: 'none' };
    if (bytes !== null || size > MOST_TEXT_BYTES) return { is: 'bytes', mime, bytes: size };
    const readable = readableReply(reply);
    const json = readable.json();
    if (json !== undefined) return showJson(withoutSignatures(json), redact);
    const textual = mime !== null && /^(text\/|application\/(.*\+)?xml)/i.test(mime);
    return textual
      ? { is: 'text', text: shortened(withoutQueryValues(readable.text()), redact, BODY_LENGTH) }
      : { is: 'bytes', mime, bytes: size };
  };
  const plain = headers.map(([name, value]) => [name, withoutQueryValues(value)] as const);
  return { status, headers: showHeaders(plain, redact), body: shown() };
}

function showHeaders(headers: ShownHeaders, redact: Redact): ShownHeaders {
  return headers.map(([name, value]) => {
    if (name === 'set-cookie') return [name, REDACTED]; // A session is a credential too.
    return [name, shortened(value, redact)];
  });
}

export function showBody(body: WireBody, redact: Redact): ShownBody {
  switch (body.encoding) {
    case 'none':
      return { is: 'none' };
    case 'json':
      return showJson(plainJson(body.value)?.json ?? null, redact);
    case 'form':
      return { is: 'form', fields: body.fields.map(([name, value]) => ({ name, value: shortened(value, redact) })) };
    case 'multipart':
      return {
        is: 'multipart',
        fields: body.parts.map((part) => {
          if ('value' in part) return { name: part.name, value: shortened(part.value, redact) };
          const { fileName, mime, bytes } = part.file;
          return { name: part.name, fileName: redact(fileName), mime, bytes: bytes.byteLength };
        }),
      };
    case 'raw': {
      const { content } = body;
      if (typeof content === 'string') return { is: 'text', text: shortened(content, redact, BODY_LENGTH) };
      return { is: 'bytes', mime: content.mime, bytes: content.bytes.byteLength };
    }
  }
}

/** URLs in it lose the values of their query. */
function withoutSignatures(value: Json): Json {
  if (typeof value === 'string') return withoutQueryValues(value);
  if (isList(value)) return value.map(withoutSignatures);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSignatures(item)]));
}

function showJson(value: Json, redact: Redact): ShownBody {
  const written = JSON.stringify(showValue(value, redact), null, 2);
  // Finds what is only a secret when read as a whole; each text alone was redacted before.
  const whole = redact(written, BODY_LENGTH);
  if (count(whole) > count(written)) return { is: 'json', text: whole };
  return { is: 'json', text: written.length <= BODY_LENGTH ? written : cut(written, BODY_LENGTH) };
}

function showValue(value: Json, redact: Redact): Json {
  if (typeof value === 'string') return shortened(value, redact);
  if (isList(value)) return value.map((item) => showValue(item, redact));
  if (typeof value === 'number') {
    return redact(String(value)).includes(REDACTED) ? REDACTED : value; // A key may consist of digits.
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [shortened(key, redact), showValue(item, redact)]),
  );
}

/** Unchanged if short enough and without secrets. */
function shortened(text: string, redact: Redact, length = VALUE_LENGTH): string {
  const clean = redact(text, length);
  if (clean.includes(REDACTED)) return clean;
  return text.length <= length ? text : cut(clean, length, text.length);
}

function cut(text: string, length: number, whole = text.length): string {
  return `${text.slice(0, length).replace(/[\ud800-\udbff]?…?$/, '')}… (${whole} characters)`;
}

function count(text: string): number {
  return text.split(REDACTED).length - 1;
}

export type Step = 'submit' | 'poll' | 'fetch' | 'download' | 'cancel';

/** Events of a call while it is made, each request once, followed by what was read from it. They contain no secret. */
export type CallEvent = RequestEnded | ReplyRead | ValuesCaptured;

export interface RequestEnded {
  readonly event: 'request';
  readonly step: Step;
  /** Number of redirects before it in its step. */
  readonly redirect: number;
  readonly method: string;
  /** Absolute, without the values of its query. */
  readonly url: string;
  readonly credential: boolean;
  /** Start of the call, for the first submit. */
  readonly beganMs: number;
  /** When its last byte was written; null if not reached. */
  readonly sentMs: number | null;
  readonly endedMs: number;
  /** Time to open a connection; null if an open one was used, or none was made. */
  readonly connectMs: number | null;
  readonly sentBytes: number;
  /** Bytes of the reply's body; null if it is incomplete. */
  readonly receivedBytes: number | null;
  readonly status: number | null;
  readonly failure: FailureCode | null;
  /** Whether a byte of the request may have been sent. */
  readonly left: boolean;
  /** Of the header Server-Timing of the reply; absent without one. */
  readonly timings?: readonly ServerTiming[];
  /** Absent if the watcher did not ask for it. `reply` is null if incomplete. */
  readonly shown?: { readonly request: ShownRequest; readonly reply: ShownReply | null };
}

interface ReplyRead {
  readonly event: 'read';
  readonly step: Step;
  readonly reading: Reading;
}

export type Reading =
  /** `state` is null if the step polls no job. */
  | { readonly is: 'good'; readonly state: PollState | null }
  | { readonly is: 'again'; readonly throttled: boolean; readonly code: string; readonly waitMs: number }
  | ({ readonly is: 'failed' } & CallFailure);

/** Values for `${job.*}`, shortened, URLs without the values of their query. */
interface ValuesCaptured {
  readonly event: 'captured';
  readonly step: Step;
  readonly values: JsonObject;
}

export interface StepEdge {
  readonly transport: Transport;
  readonly now: () => number;
  /** Milliseconds since 1970: to read dates of servers, never for measurements. */
  readonly wallMs: () => number;
  readonly sleep: (ms: number, signal: AbortNotice) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
  readonly tell?: (event: CallEvent) => void;
  /** The body of the submit as people may see it; absent: events have no headers and bodies. */
  readonly shown?: ShownBody | undefined;
}

export interface SubmitEdge extends StepEdge {
  /** Called before the wait for another attempt; says whether to make it. */
  readonly refused: (attempt: RefusedAttempt) => Promise<boolean>;
  /** A text that is unique across runs: the key of an idempotent submit. */
  readonly uniqueKey: () => string;
  /** Once aborted, no further attempt is sent; a call that waits for one ends as refused. */
  readonly held: AbortNotice;
}

export interface CallEdge extends SubmitEdge {
  /** Called with each job before its first poll; polls begin when it resolves. */
  readonly accepted: (job: AcceptedJob) => Promise<void>;
  readonly signal: AbortNotice;
  readonly credentials: Credentials;
  /** A call adds the credentials that it makes. */
  readonly secrets: KnownSecrets;
}

/** Repeated after `waitMs`: throttled, or idempotent with a transient failure (status null without a reply). */
export interface RefusedAttempt {
  readonly attempt: number;
  readonly throttled: boolean;
  readonly httpStatus: number | null;
  readonly waitMs: number;
  readonly atMs: number;
}

/** An accepted job with what a poll needs: URLs whole, secrets redacted. */
export interface AcceptedJob {
  readonly captured: JsonObject;
  readonly atMs: number;
}
