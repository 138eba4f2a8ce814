import { codeOf } from '../../kit/diagnostic.ts';
import { isAddress } from '../../kit/loopback.ts';
import { visibleLine } from '../../kit/visible.ts';
import type { Edge } from '../../workflow/edge.ts';

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

/** Why the system refuses to listen there; null for other errors. */
export function listenFault(error: unknown, asked: Listening): string | null {
  return REFUSED_BY_SYSTEM[codeOf(error) ?? '']?.(asked) ?? null;
}

const REFUSED_BY_SYSTEM: Readonly<Record<string, (asked: Listening) => string>> = {
  EADDRINUSE: ({ port }) => `port ${port} is in use; choose another with --port, or 0 for a free one`,
  EADDRNOTAVAIL: ({ host }) => `this machine does not have the address ${host}; choose another with --host`,
  EACCES: ({ port }) => `port ${port} needs more rights; choose one above 1023 with --port`,
};

/** Tells whoever started a server of an error of ours; those who ask it are not told. */
export function complain({ err }: Pick<Edge, 'err'>, command: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  err.write(`${command}: internal error; please report it: ${text.split('\n').map(visibleLine).join('\n')}\n`);
}
