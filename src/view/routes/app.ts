import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { urlOf } from '../../kit/loopback.ts';
import type { Guard } from './guards.ts';

export interface Refusals {
  readonly notAnAddress: (reply: FastifyReply) => FastifyReply;
  readonly notWellFormed: (reply: FastifyReply, status: number) => FastifyReply;
  readonly failed: (error: unknown, reply: FastifyReply) => FastifyReply;
}

const MOST_PARAMETER = 1000;
/** Each may hold an open file. */
const MOST_CONNECTIONS = 1000;
/** One that says nothing, or does not end its request, is cut. */
const SILENT_MS = 10_000;

/** Every request passes the guard, whatever it asks for. @param mostBytes of the body of a request */
export function createApp(guard: Guard, refusals: Refusals, mostBytes = 1): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: mostBytes,
    requestTimeout: 60_000,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: MOST_PARAMETER },
    // Errors before any hook is called.
    frameworkErrors: (_error, request, reply) => {
      if (guard(request, reply) === null) refusals.notAnAddress(reply);
    },
    // Not HTTP: such a client gets no page.
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      else socket.destroy();
    },
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  app.server.headersTimeout = SILENT_MS;
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', async (request, reply) => guard(request, reply) ?? undefined);
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
    if (typeof status === 'number' && status >= 400 && status < 500) return refusals.notWellFormed(reply, status);
    return refusals.failed(error, reply);
  });
  return app;
}

export interface RunningServer {
  readonly url: string;
  /** Cuts open connections. */
  close(): Promise<void>;
}

/** Throws where the port is taken (EADDRINUSE). */
export async function listening(
  app: FastifyInstance,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<RunningServer> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    throw error;
  }
  const address = app.server.address();
  const bound = address === null || typeof address === 'string' ? port : address.port;
  return { url: urlOf(host, bound), close: () => app.close() };
}
