import { once } from 'node:events';
import { codeOf } from '../../kit/diagnostic.ts';
import { isLoopback } from '../../kit/loopback.ts';
import { visibleLine } from '../../kit/visible.ts';
import { misuse } from '../display/print.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';

export interface Listening {
  readonly port: number;
  readonly host: string;
}

interface Listener<Server> {
  readonly command: string;
  readonly asked: Listening;
  readonly start: () => Promise<Server>;
  /** What everybody can do who can reach this machine, if it listens beyond it. */
  readonly exposes: string | null;
  /** Prints where it listens. */
  readonly tell: (server: Server) => void;
}

/** Serves until an interrupt; says why where the system does not let it listen. */
export async function listenUntilEnd<Server extends { readonly close: () => Promise<unknown> }>(
  { command, asked, start, exposes, tell }: Listener<Server>,
  edge: Edge,
): Promise<ExitCode> {
  let server: Server;
  try {
    server = await start();
  } catch (error) {
    const fault = REFUSED_BY_SYSTEM[codeOf(error) ?? '']?.(asked);
    if (fault === undefined) throw error;
    return misuse(edge, command, fault);
  }
  if (exposes !== null && !isLoopback(asked.host)) {
    edge.say(`warning: everybody who can reach this machine can ${exposes}`);
  }
  tell(server);
  if (!edge.drain.aborted) await once(edge.drain, 'abort');
  await server.close();
  return EXIT.ok;
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
