import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Accelerators } from './accelerators.ts';
import { authorizer, isLoopback } from './authorization.ts';
import type { Behaviour } from './behaviour.ts';
import { BODY_LIMIT } from './form.ts';
import { GENERATION_ROUTES, type GenerationRoute } from './generation-form.ts';
import { GenerationHandler, sendRefusal } from './generation-handler.ts';
import { OPENAPI } from './openapi.ts';
import { type Refusal, refusalBody } from './refusal.ts';
import { type OpenRequest, RequestLog } from './request-log.ts';

export interface ServiceOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host?: '127.0.0.1';
  readonly keys: readonly string[];
  /** Worker threads that sample, at least 1. */
  readonly workers: number;
  readonly behaviour: Behaviour;
}

export interface RunningService {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
  /** Ends it: no new requests, open connections cut, workers stopped. */
  close(): Promise<void>;
}

/** Requests that may wait for an accelerator before the next is refused. */
const QUEUE_LIMIT = 64;

/** Starts the reference service. Throws where the port is taken (EADDRINUSE). */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { port, host = '127.0.0.1', keys, workers, behaviour } = options;
  const origin = performance.now();
  const now = () => performance.now() - origin;
  const log = new RequestLog(now);
  const accelerators = await Accelerators.start(workers, QUEUE_LIMIT);
  const app = createApp();
  const portOf = () => {
    const address = app.server.address();
    return address === null || typeof address === 'string' ? port : address.port;
  };
  const handler = new GenerationHandler({ behaviour, accelerators, log, now, port: portOf });
  try {
    await app.register(multipart);
    observe(app, log);
    addGenerations(app, keys, handler);
    addInformation(app, log, handler);
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    await accelerators.close();
    throw error;
  }
  return {
    url: `http://${host}:${portOf()}`,
    close: async () => {
      await app.close();
      await accelerators.close();
    },
  };
}

function createApp(): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: 60_000,
    forceCloseConnections: true,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    clientErrorHandler: refuseMalformed,
    frameworkErrors: (_error, _request, reply) => {
      sendRefusal(reply, { status: 400, code: 'bad_request', message: 'the address is not well-formed' });
    },
  });
  app.removeAllContentTypeParsers();
  app.setNotFoundHandler((_request, reply) =>
    sendRefusal(reply, { status: 404, code: 'not_found', message: 'there is nothing here; see /v2/openapi.json' }),
  );
  app.setErrorHandler((error, _request, reply) => sendRefusal(reply, refusalOf(error)));
  return app;
}

/** What the framework refuses by itself, in the service's own form. Everything else is our fault and says no more. */
function refusalOf(error: unknown): Refusal {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 415) return { status, code: 'wrong_content_type', message: 'send the parts as multipart/form-data' };
  if (status === 413) return { status, code: 'body_too_large', message: `a body may hold at most ${BODY_LIMIT} bytes` };
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return { status, code: 'bad_request', message: 'the request is not well-formed' };
  }
  return { status: 500, code: 'internal', message: 'something went wrong in the service' };
}

/** Answers what is not even HTTP. */
function refuseMalformed(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const refusal = { status, code: 'bad_request', message: 'the request is not well-formed HTTP' };
  const body = JSON.stringify(refusalBody(refusal));
  const head = `HTTP/1.1 ${status} ${refusalBody(refusal).error}\r\nContent-Type: application/json; charset=utf-8`;
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
}

const OPEN = Symbol('open request');
const GONE = Symbol('client gone');

interface Observed {
  [OPEN]?: OpenRequest;
  [GONE]?: AbortSignal;
}

/** Gives each request its id, logs its begin and end, and a signal that tells when its client has gone. */
function observe(app: FastifyInstance, log: RequestLog): void {
  app.addHook('onRequest', async (request: FastifyRequest & Observed, reply) => {
    const path = request.routeOptions.url ?? 'unknown';
    const open = log.begin(request.id, `${request.method} ${path}`, request.headers.authorization !== undefined);
    const gone = new AbortController();
    reply.raw.once('close', () => {
      const complete = reply.raw.writableFinished;
      open.finish(reply.raw.headersSent ? reply.raw.statusCode : null, complete);
      if (!complete) gone.abort();
    });
    request[OPEN] = open;
    request[GONE] = gone.signal;
    reply.header('x-request-id', request.id);
  });
}

function addGenerations(app: FastifyInstance, keys: readonly string[], handler: GenerationHandler): void {
  const authorize = authorizer(keys);
  const checkKey = async (request: FastifyRequest, reply: FastifyReply) => {
    const refusal = authorize(request.headers.authorization);
    if (refusal !== null) return sendRefusal(reply, refusal);
  };
  for (const [route, path] of Object.entries(GENERATION_ROUTES) as [GenerationRoute, string][]) {
    app.post(path, { onRequest: checkKey }, async (request: FastifyRequest & Observed, reply) => {
      const open = request[OPEN];
      const gone = request[GONE];
      if (open === undefined || gone === undefined) throw new Error('a request that was not observed');
      return handler.handle(request, reply, route, open, gone);
    });
  }
}

function addInformation(app: FastifyInstance, log: RequestLog, handler: GenerationHandler): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/v2/openapi.json', async () => OPENAPI);
  app.get('/v2/media/:file', async (request, reply) => {
    const png = handler.media(request.url.split('?')[0] ?? '');
    if (png === undefined) return sendRefusal(reply, { status: 404, code: 'not_found', message: 'no such picture' });
    return reply.type('image/png').send(png);
  });
  app.get('/v2/admin/stats', async (request, reply) => {
    if (isLoopback(request.socket.remoteAddress)) return log.stats();
    return sendRefusal(reply, {
      status: 403,
      code: 'loopback_only',
      message: 'the statistics are for this machine only',
    });
  });
}
