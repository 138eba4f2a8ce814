import { unescape as decode } from 'node:querystring';
import type { Diagnostic } from '../kit/diagnostic.ts';
import { isLocalName, isLoopback } from '../kit/loopback.ts';
import { bareHost, httpUrl } from './origins.ts';

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
  return (['HTTP_PROXY', 'HTTPS_PROXY'] as const)
    .map((name) => settingOf(name, env))
    .filter((setting) => setting.value !== '' && proxyOf(setting) === null)
    .map(({ variable }) => ({
      place: null,
      cause: `the environment variable ${variable} is not the URL of an HTTP proxy`,
      remedy: `set it to http://HOST:PORT, or remove it: env -u ${variable} retake ...`,
    }));
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
