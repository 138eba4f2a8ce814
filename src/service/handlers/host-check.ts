import { isIP } from 'node:net';
import type { Refusal } from '../forms/refusal.ts';
import { isLoopback } from './authorization.ts';

/** What a request says of the server that it is meant for, and of the page that sends it. */
export interface Addressed {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/** Why a request is refused before anything else is looked at; null: it is not. */
export type HostCheck = (headers: Addressed) => Refusal | null;

/**
 * Refuses what a page of another site can make a browser send: a `Host` that is a foreign name (DNS rebinding leads a name of the
 * attacker to this machine), and an `Origin` that is not this service. An IP address cannot be rebound, so each is accepted as `Host`.
 *
 * @param names further host names that lead to this service, without port
 */
export function hostCheck(names: readonly string[]): HostCheck {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return ({ host, origin }) => {
    const asked = host === undefined ? null : authorityOf(`http://${host}`);
    if (
      asked === null ||
      !(isLocalName(asked.hostname) || isAddress(bare(asked.hostname)) || known.has(asked.hostname))
    ) {
      const message = 'the Host header names another server; start the service with --allow-host to accept its name';
      return { status: 403, code: 'foreign_host', message };
    }
    if (origin === undefined) return null;
    const page = authorityOf(origin);
    if (page !== null && (page.host === asked.host || known.has(page.hostname))) return null;
    return { status: 403, code: 'foreign_origin', message: 'pages of other sites may not use this service' };
  };
}

/** Whether a `Host` header names this machine itself. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = host === undefined ? null : (authorityOf(`http://${host}`)?.hostname ?? null);
  return name !== null && (isLocalName(name) || isLoopback(bare(name)));
}

function authorityOf(url: string): Pick<URL, 'host' | 'hostname'> | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  // An origin has neither a path nor a user; "null" and files are no origins of ours.
  const isOrigin =
    parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.pathname === '/';
  return isOrigin ? { host: parsed.host, hostname: parsed.hostname } : null;
}

function isLocalName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/** Whether text is an IP address, without brackets. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/** An IPv6 address without the brackets of a URL. */
function bare(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1');
}
