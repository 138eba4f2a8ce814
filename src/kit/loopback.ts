import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIP(plain);
  return family !== 0 && LOOPBACK.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

/** Without a zone, such as `%eth0`: URLs have none. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

export function isLocalName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/** Whether a URL leads to this machine, by its text. */
export function isLocalUrl(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
  return isLocalName(host) || isLoopback(host);
}

/** Without a slash at the end. */
export function urlOf(address: string, port: number): string {
  return `http://${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
}

interface Addressed {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

export type Foreign = 'foreign_host' | 'foreign_origin';

export type HostCheck = (headers: Addressed) => Foreign | null;

interface OwnHosts {
  /** Without port. */
  readonly names: readonly string[];
  /** IP addresses; `any` accepts all, as no address can be rebound. Those of this machine are always accepted. */
  readonly addresses: 'any' | readonly string[];
}

/**
 * Refuses what a page of another site can make a browser send: a foreign `Host` (DNS rebinding leads a name of the
 * attacker to this machine), or an `Origin` that is not this server.
 */
export function hostCheck({ names, addresses }: OwnHosts): HostCheck {
  const known = new Set(names.map((name) => name.toLowerCase()));
  const isOwn = (hostname: string): boolean => {
    const name = bare(hostname);
    if (isLocalName(name) || isLoopback(name) || known.has(name)) return true;
    return isAddress(name) && (addresses === 'any' || addresses.includes(name));
  };
  return ({ host, origin }) => {
    const asked = host === undefined ? null : authorityOf(`http://${host}`);
    if (asked === null || !isOwn(asked.hostname)) return 'foreign_host';
    if (origin === undefined) return null;
    const page = authorityOf(origin);
    return page !== null && (page.host === asked.host || known.has(page.hostname)) ? null : 'foreign_origin';
  };
}

export function isLoopbackHost(host: string | undefined): boolean {
  const name = host === undefined ? null : (authorityOf(`http://${host}`)?.hostname ?? null);
  return name !== null && (isLocalName(name) || isLoopback(bare(name)));
}

function authorityOf(url: string): Pick<URL, 'host' | 'hostname'> | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  // An origin has neither a path nor a user.
  const isOrigin =
    parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.pathname === '/';
  return isOrigin ? { host: parsed.host, hostname: parsed.hostname } : null;
}

function bare(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1');
}

/** Headers that only browsers send. */
interface Fetched {
  readonly 'sec-fetch-site'?: string | string[] | undefined;
  readonly 'sec-fetch-mode'?: string | string[] | undefined;
  readonly 'sec-fetch-dest'?: string | string[] | undefined;
}

/**
 * Whether a page of another site, or another port, loads something from here, such as an image (sent without `Origin`).
 * Does not refuse a link that somebody follows.
 */
export function isLoadedByForeignSite(headers: Fetched): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return !(headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document');
}
