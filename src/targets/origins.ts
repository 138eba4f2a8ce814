import { BlockList, isIP } from 'node:net';
import { unescape as decode } from 'node:querystring';
import type { Diagnostic, Fault } from '../kit/diagnostic.ts';
import { isLocalName, isLoopback } from '../kit/loopback.ts';

export type OriginPattern =
  | { readonly match: 'base' }
  /** Scheme, host and port. */
  | { readonly match: 'origin'; readonly origin: string }
  /** Every host below a domain, on the scheme's default port. */
  | { readonly match: 'below'; readonly protocol: string; readonly domain: string }
  | { readonly match: 'any' };

export interface Origins {
  readonly auth: readonly OriginPattern[];
  readonly download: readonly OriginPattern[];
  /** Media may come from private, loopback and link-local addresses. */
  readonly allowPrivate: boolean;
}

export function parseOriginPattern(text: string): OriginPattern | null {
  if (text === 'base') return { match: 'base' };
  if (text === '*') return { match: 'any' };
  const [, protocol, domain] = /^(https?:)\/\/\*\.([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i.exec(text) ?? [];
  if (protocol !== undefined && domain !== undefined) {
    return { match: 'below', protocol: protocol.toLowerCase(), domain: domain.toLowerCase() };
  }
  const url = httpUrl(text);
  const bare = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return bare && url.pathname === '/' && !text.includes('*') ? { match: 'origin', origin: url.origin } : null;
}

/** An absolute http or https URL; else null. */
export function httpUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== '' ? url : null;
}

export function mayCarryCredential(url: URL, origins: Origins, baseUrl: string): boolean {
  return origins.auth.some((pattern) => matches(pattern, url, baseUrl));
}

/** Whether the URL allows a download; its address is checked separately. A base may replace a provider's server. */
export function mayDownloadFrom(url: URL, origins: Origins, baseUrl: string): boolean {
  if (matches({ match: 'base' }, url, baseUrl)) return true;
  return origins.download.some((pattern) => matches(pattern, url, baseUrl));
}

/** Whether a request before the media may go to `url`: the base, and the origins for credentials and media. */
export function mayAsk(url: URL, origins: Origins, baseUrl: string): boolean {
  if (matches({ match: 'base' }, url, baseUrl)) return true;
  return mayCarryCredential(url, origins, baseUrl) || mayDownloadFrom(url, origins, baseUrl);
}

/** Any address for the base, which is called anyway, if the base is private or the target allows it; else public. */
export function downloadAddresses(url: URL, origins: Origins, baseUrl: string): 'any' | 'public' {
  const base = httpUrl(baseUrl);
  if (origins.allowPrivate || base === null || base.origin === url.origin) return 'any';
  return isPrivateHost(base.hostname) ? 'any' : 'public';
}

function matches(pattern: OriginPattern, url: URL, baseUrl: string): boolean {
  switch (pattern.match) {
    case 'any':
      return true;
    case 'base':
      return httpUrl(baseUrl)?.origin === url.origin;
    case 'origin':
      return pattern.origin === url.origin;
    case 'below':
      return url.protocol === pattern.protocol && url.port === '' && url.hostname.endsWith(`.${pattern.domain}`);
  }
}

/** In lower case, an IPv6 address without its brackets. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

function isPrivateHost(hostname: string): boolean {
  const bare = bareHost(hostname);
  if (isIP(bare) !== 0) return !isPublicAddress(bare);
  return bare === 'localhost' || bare.endsWith('.localhost');
}

/** By the IANA special-purpose address registries (RFC 6890 and its successors), and multicast. */
const SPECIAL_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;
/** All but 2000::/3, and in it documentation, ORCHID, Teredo and 6to4 (which can wrap private addresses). */
const SPECIAL_V6 = [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

// Two lists: in one, an IPv4 address would match the IPv6 range that can wrap it.
const specialV4 = new BlockList();
const specialV6 = new BlockList();
for (const [network, prefix] of SPECIAL_V4) specialV4.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_V6) specialV6.addSubnet(network, prefix, 'ipv6');

/** Whether an IP address is on the public internet. An IPv6 address that wraps an IPv4 one is not. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  switch (isIP(bare)) {
    case 4:
      return !specialV4.check(bare, 'ipv4');
    case 6:
      return !specialV6.check(bare, 'ipv6');
    default:
      return false;
  }
}

/** Stands for the reference service of the run. */
export const EMBEDDED = 'embedded:';

/** A base URL: absolute, normalised, without a slash at its end, or `embedded:`; else its fault. */
export function parseBaseUrl(
  text: string,
): { readonly ok: true; readonly baseUrl: string } | ({ readonly ok: false } & Fault) {
  if (text === EMBEDDED) return { ok: true, baseUrl: EMBEDDED };
  const url = httpUrl(text);
  if (url === null) {
    return { ok: false, cause: `"${text}" is not an absolute http or https URL`, remedy: 'write https://host/path' };
  }
  if (url.username !== '' || url.password !== '') {
    const remedy = 'put credentials into auth of the target, from ${secret.NAME}';
    return { ok: false, cause: 'the base URL holds a user or password', remedy };
  }
  if (url.search !== '' || url.hash !== '') {
    const remedy = 'put parameters into submit.query of the target';
    return { ok: false, cause: 'the base URL has a query or fragment', remedy };
  }
  return { ok: true, baseUrl: url.href.replace(/\/+$/, '') };
}

export interface HttpProxy {
  /** Without user and password. */
  readonly origin: string;
  readonly variable: string;
  /** The value of `Proxy-Authorization`; null without a user. Secret. */
  readonly authorization: string | null;
}

export interface Proxies {
  readonly http: HttpProxy | null;
  readonly https: HttpProxy | null;
  /** Entries of NO_PROXY. */
  readonly except: readonly string[];
}

type ProxyVariables = Readonly<Record<string, string | undefined>>;
type UrlParts = Pick<URL, 'protocol' | 'hostname' | 'port'>;

export const NO_PROXIES: Proxies = { http: null, https: null, except: [] };

/**
 * As undici's EnvHttpProxyAgent reads them: HTTP_PROXY is also for https URLs if HTTPS_PROXY is missing or empty. What
 * is not the URL of an HTTP proxy counts as missing: see `checkProxies`.
 */
export function proxiesOf(env: ProxyVariables): Proxies {
  const http = proxyOf(settingOf('HTTP_PROXY', env));
  const https = proxyOf(settingOf('HTTPS_PROXY', env)) ?? http;
  return { http, https, except: settingOf('NO_PROXY', env).value.split(/[,\s]+/) };
}

/** Names the variables that are not the URL of an HTTP proxy, if a server beyond this machine is called. */
export function checkProxies(
  env: ProxyVariables,
  servers: readonly { readonly baseUrl: string }[],
): readonly Diagnostic[] {
  if (servers.every(({ baseUrl }) => isOwn(new URL(baseUrl)))) return [];
  return (['HTTP_PROXY', 'HTTPS_PROXY'] as const).flatMap((name) => {
    const setting = settingOf(name, env);
    const { variable, value } = setting;
    if (value === '') return [];
    if (proxyOf(setting) === null) {
      const cause = `the environment variable ${variable} is not the URL of an HTTP proxy`;
      const remedy = `set it to http://HOST:PORT, or remove it: env -u ${variable} retake ...`;
      return [{ place: null, cause, remedy }];
    }
    if (!/%(?![0-9a-f]{2})/i.test(value)) return [];
    const cause = `the user or password in the environment variable ${variable} has a "%" that begins no escape`;
    return [{ place: null, cause, remedy: 'write %25 for "%"' }];
  });
}

/**
 * The proxy for a URL; null: none. Never for loopback, nor for an entry of NO_PROXY: a host with all below it, with or
 * without a port, or `*` for all. An entry may begin with `.` or `*.`.
 */
export function proxyFor(url: UrlParts, { http, https, except }: Proxies): HttpProxy | null {
  const host = bareHost(url.hostname);
  const isExcepted = except.some((entry) => {
    const [, name = entry, port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
    const domain = bareHost(name).replace(/^\*?\./, '');
    if (domain === '' || (port !== undefined && port !== portOf(url))) return false;
    return domain === '*' || host === domain || host.endsWith(`.${domain}`);
  });
  if (isExcepted || isOwn(url)) return null;
  return url.protocol === 'https:' ? https : url.protocol === 'http:' ? http : null;
}

/** The port of a URL, also where it is that of its scheme. */
export function portOf({ port, protocol }: Pick<UrlParts, 'protocol' | 'port'>): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}

/** Whether it is this machine: loopback, or the unspecified address, which servers print if they listen on all. */
function isOwn({ hostname }: Pick<UrlParts, 'hostname'>): boolean {
  const host = bareHost(hostname);
  return isLocalName(host) || isLoopback(host) || host === '0.0.0.0' || host === '::';
}

function settingOf(name: string, env: ProxyVariables): { readonly variable: string; readonly value: string } {
  const variable = env[name.toLowerCase()] === undefined ? name : name.toLowerCase();
  return { variable, value: env[variable]?.trim() ?? '' };
}

/** Null if it is empty or not the URL of an HTTP proxy. */
function proxyOf({ variable, value }: ReturnType<typeof settingOf>): HttpProxy | null {
  const url = httpUrl(value.includes('://') ? value : `http://${value}`);
  if (url === null) return null;
  const user = Buffer.from(`${decode(url.username)}:${decode(url.password)}`, 'utf8').toString('base64');
  return { origin: url.origin, variable, authorization: url.username === '' ? null : `Basic ${user}` };
}
