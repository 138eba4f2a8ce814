import type { Json } from '../../kit/json.ts';
import { downloadAddresses, mayCarryCredential, type Origins } from '../model/origins.ts';
import type { Credential } from '../secrets/credential.ts';
import type { HttpRequest } from '../transport/wire.ts';
import { type EncodedBody, encodeBody } from './encode-body.ts';
import type { RenderedRequest, WireBody } from './request.ts';

/** Body as bytes; null: none. */
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

/** The headers of a request with those that it lacks, and its body. */
function withBody(own: HttpRequest['headers'], body: EncodedBody | null): Pick<HttpRequest, 'headers' | 'body'> {
  const given = new Set(own.map(([name]) => name));
  const described = body === null ? [] : ([['content-type', body.contentType]] as const);
  const lacking = [...OUR_HEADERS, ...described].filter(([name]) => !given.has(name));
  return { headers: [...lacking, ...own], body: body?.bytes ?? null };
}

function withCredential(request: Omit<AddressedRequest, 'credential'>, addressing: Addressing): AddressedRequest {
  const url = new URL(request.url);
  const credential = addressing.credential();
  if (credential === null) return { ...request, credential: false };
  if (!mayCarryCredential(url, addressing.origins, addressing.baseUrl)) {
    // A redirect may have copied the query of the request before it, with the key.
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
