import { codeOf } from '../../kit/diagnostic.ts';
import { isAddress } from '../../kit/loopback.ts';
import { visibleLine } from '../../kit/visible.ts';
import type { Edge } from '../edge.ts';

export interface Listening {
  readonly port: number;
  readonly host: string;
}

/** Null for a valid address and port. */
export function wrongListening({ port, host }: Listening): string | null {
  if (!isAddress(host))
    return '--host takes an IP address without a zone: 127.0.0.1, or 0.0.0.0 for all of this machine';
  if (!Number.isInteger(port) || port < 0 || port > 65535) return '--port takes a whole number from 0 to 65535';
  return null;
}

/** Null for other errors than those of the system. */
export function listenFault(error: unknown, asked: Listening): string | null {
  return REFUSED_BY_SYSTEM[codeOf(error) ?? '']?.(asked) ?? null;
}

const REFUSED_BY_SYSTEM: Readonly<Record<string, (asked: Listening) => string>> = {
  EADDRINUSE: ({ port }) => `port ${port} is in use; choose another with --port, or 0 for a free one`,
  EADDRNOTAVAIL: ({ host }) => `this machine does not have the address ${host}; choose another with --host`,
  EACCES: ({ port }) => `port ${port} needs more rights; choose one above 1023 with --port`,
};

/** Prints an internal error of a server to the user who started it; clients do not get it. */
export function complain({ err }: Pick<Edge, 'err'>, command: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  err.write(`${command}: internal error; please report it: ${text.split('\n').map(visibleLine).join('\n')}\n`);
}
