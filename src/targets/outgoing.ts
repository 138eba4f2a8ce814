import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Json } from '../kit/json.ts';
import type { Credential } from './credential.ts';
import { ImageText } from './language/filter.ts';
import type { RenderedJson } from './language/template.ts';
import { downloadAddresses, mayCarryCredential, type Origins } from './origins.ts';
import type { RenderedRequest, WireBody, WirePart } from './request.ts';
import type { HttpRequest } from './wire.ts';

export interface EncodedRequest extends Omit<RenderedRequest, 'body'> {
  readonly body: EncodedBody | null;
}

export const BODY_BYTES = 256 * 1024 * 1024;

/** Sent with every request. Nothing is decompressed: that would add time which is not the service's. */
const OUR_HEADERS = [
  ['user-agent', 'retake'],
  ['accept', '*/*'],
  ['accept-encoding', 'identity'],
] as const;

const NO_CONTENT: WireBody = { encoding: 'none' };

export interface Addressing {
  readonly origins: Origins;
  readonly baseUrl: string;
  readonly credential: () => Credential | null;
}

export interface AddressedRequest extends HttpRequest {
  /** Whether it contains the credential. */
  readonly credential: boolean;
  /** Its body before it was serialised; null for a submit, whose body is bytes. */
  readonly content: WireBody | null;
}

/** Adds the credential if `origins.auth` allows it. */
export function outgoingSubmit(
  { method, url, headers, body }: EncodedRequest,
  addressing: Addressing,
): AddressedRequest {
  const request = { method, url, addresses: 'any', ...withBody(headers, body), content: null } as const;
  return withCredential(request, addressing);
}

/** Adds the credential if `auth` is true and `origins.auth` allows it. */
export function outgoingGet(
  url: URL,
  addresses: HttpRequest['addresses'],
  addressing: Addressing,
  { headers, auth }: { readonly headers: HttpRequest['headers']; readonly auth: boolean },
): AddressedRequest {
  const request = { method: 'GET', url: url.href, addresses, ...withBody(headers, null), content: NO_CONTENT };
  return auth ? withCredential(request, addressing) : { ...request, credential: false };
}

export function outgoingCancel(
  { url, headers, body }: { readonly url: URL; readonly headers: HttpRequest['headers']; readonly body: Json | null },
  { method, auth }: { readonly method: string; readonly auth: boolean },
  addressing: Addressing,
): AddressedRequest {
  const content: WireBody = body === null ? NO_CONTENT : { encoding: 'json', value: body };
  const addresses = downloadAddresses(url, addressing.origins, addressing.baseUrl);
  const request = { method, url: url.href, addresses, ...withBody(headers, encodeBody(content)), content };
  return auth ? withCredential(request, addressing) : { ...request, credential: false };
}

function withBody(declared: HttpRequest['headers'], body: EncodedBody | null): Pick<HttpRequest, 'headers' | 'body'> {
  const given = new Set(declared.map(([name]) => name));
  const described = body === null ? [] : ([['content-type', body.contentType]] as const);
  const lacking = [...OUR_HEADERS, ...described].filter(([name]) => !given.has(name));
  return { headers: [...lacking, ...declared], body: body?.bytes ?? null };
}

function withCredential(request: Omit<AddressedRequest, 'credential'>, addressing: Addressing): AddressedRequest {
  const credential = addressing.credential();
  if (credential === null) return { ...request, credential: false };
  const url = new URL(request.url);
  if (!mayCarryCredential(url, addressing.origins, addressing.baseUrl)) {
    // A redirect may have copied the query of the earlier request, with the key.
    const bare = credential.in === 'query' ? { ...request, url: withoutParameter(url, credential) } : request;
    return { ...bare, credential: false };
  }
  if (credential.in === 'header') {
    const others = request.headers.filter(([name]) => name !== credential.name);
    return { ...request, headers: [...others, [credential.name, credential.value]], credential: true };
  }
  const bare = withoutParameter(url, credential);
  const pair = new URLSearchParams([[credential.name, credential.value]]).toString();
  return { ...request, url: `${bare}${bare.includes('?') ? '&' : '?'}${pair}`, credential: true };
}

/** Other parameters stay as written, because a URL may be signed. */
function withoutParameter(url: URL, { name }: Credential): string {
  const bare = new URL(url);
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !new URLSearchParams(pair).has(name));
  bare.search = kept.length === 0 ? '' : `?${kept.join('&')}`;
  return bare.href;
}

export interface EncodedBody {
  readonly bytes: Uint8Array;
  /** Used unless the request's own headers set it. */
  readonly contentType: string;
}

type Piece =
  /** `quote` can be applied to slices of the text that cut no surrogate pair. */
  | { readonly text: string; readonly quote: (text: string) => string }
  | { readonly bytes: Uint8Array; readonly as: 'base64' | 'bytes' };

/** About half a millisecond of work. A multiple of 3, so that base64 can be joined. */
export const STEP_BYTES = 384 * 1024;

/** Null if there is no body. The same body gives the same bytes. */
export function encodeBody(body: WireBody): EncodedBody | null {
  const steps = encodeInSteps(body, (bytes) => Buffer.allocUnsafeSlow(bytes));
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Serialises in steps of 384 KiB between which the caller can work: 32 MiB take 50 to 100 ms. `take` allocates. */
export function* encodeInSteps(
  body: WireBody,
  take: (bytes: number) => Buffer,
): Generator<undefined, EncodedBody | null> {
  if (body.encoding === 'none') return null;
  const { pieces, contentType } = piecesOf(body);
  const parts: Extract<Piece, { bytes: Uint8Array }>[] = [];
  for (const piece of pieces) {
    if ('bytes' in piece) parts.push(piece);
    else {
      for (const slice of slicesOf(piece.text)) {
        parts.push({ bytes: Buffer.from(piece.quote(slice), 'utf8'), as: 'bytes' });
        if (slice.length < piece.text.length) yield;
      }
    }
  }
  const whole = take(parts.reduce((sum, part) => sum + encodedLength(part), 0));
  let at = 0;
  for (const { bytes, as } of parts) {
    for (let from = 0; from < bytes.length; from += STEP_BYTES) {
      if (from > 0) yield;
      const slice = Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.min(STEP_BYTES, bytes.length - from));
      at += as === 'bytes' ? slice.copy(whole, at) : whole.write(slice.toString('base64'), at, 'latin1');
    }
  }
  return { bytes: whole, contentType };
}

function encodedLength({ bytes, as }: Extract<Piece, { bytes: Uint8Array }>): number {
  return as === 'bytes' ? bytes.length : Math.ceil(bytes.length / 3) * 4;
}

/** Slices of at most one step that cut no surrogate pair; one slice for an empty text. */
function* slicesOf(text: string): Generator<string> {
  let from = 0;
  do {
    const cut = Math.min(from + STEP_BYTES, text.length);
    const isHigh = /[\ud800-\udbff]/.test(text.charAt(cut - 1)) && cut < text.length;
    const to = isHigh ? cut - 1 : cut;
    yield text.slice(from, to);
    from = to;
  } while (from < text.length);
}

function piecesOf(body: Exclude<WireBody, { encoding: 'none' }>): {
  readonly pieces: readonly Piece[];
  readonly contentType: string;
} {
  switch (body.encoding) {
    case 'json':
      return { pieces: jsonPieces(body.value), contentType: 'application/json' };
    case 'form':
      return {
        pieces: body.fields.flatMap(([name, value], index) => [
          plain(`${index === 0 ? '' : '&'}${formText(name)}=`),
          { text: value, quote: formText },
        ]),
        contentType: 'application/x-www-form-urlencoded',
      };
    case 'multipart':
      return {
        pieces: [...body.parts.flatMap((part) => partPieces(part, body.boundary)), plain(`--${body.boundary}--\r\n`)],
        contentType: `multipart/form-data; boundary=${body.boundary}`,
      };
    case 'raw':
      return typeof body.content === 'string'
        ? { pieces: [plain(body.content)], contentType: 'text/plain; charset=utf-8' }
        : { pieces: [{ bytes: body.content.bytes, as: 'bytes' }], contentType: body.content.mime };
  }
}

function jsonPieces(value: RenderedJson): readonly Piece[] {
  const held: (readonly Piece[])[] = [];
  // A placeholder that cannot occur elsewhere in the body.
  const mark = randomUUID();
  const text = JSON.stringify(value, (_key, item: RenderedJson) => {
    if (item instanceof ImageText)
      held.push([
        { text: item.before, quote: jsonText },
        { bytes: item.image.bytes, as: 'base64' },
      ]);
    else if (typeof item === 'string' && item.length > STEP_BYTES) held.push([{ text: item, quote: jsonText }]);
    else return item;
    return mark;
  });
  return text.split(mark).flatMap((between, index) => [plain(between), ...(held[index] ?? [])]);
}

function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function formText(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

function plain(text: string): Piece {
  return { text, quote: (slice) => slice };
}

/**
 * One part, as browsers write it (WHATWG HTML, "multipart form data"), but for newlines, which stay what they are, as
 * in JSON: in the quoted name and file name `"` becomes %22, CR %0D and LF %0A; everything else is plain UTF-8.
 */
function partPieces(part: WirePart, boundary: string): readonly Piece[] {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(part.name)}"`;
  if ('value' in part) return [plain(`${head}\r\n\r\n`), plain(part.value), plain('\r\n')];
  const { fileName, mime, bytes } = part.file;
  const file = `; filename="${quoted(fileName)}"\r\nContent-Type: ${mime}\r\n\r\n`;
  return [plain(head + file), { bytes, as: 'bytes' }, plain('\r\n')];
}

function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
