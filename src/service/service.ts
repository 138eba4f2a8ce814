import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Foreign, type HostCheck, hostCheck, isLoopback, isLoopbackHost, urlOf } from '../kit/loopback.ts';
import { BODY_LIMIT, type Refusal, RefusedRequest, refusalBody, refuse } from './forms/form.ts';
import { IMAGE_ROUTES, type ImageRoute, VIDEO_ROUTES, type VideoRoute } from './forms/generation.ts';
import { AssetHandler } from './handlers/asset-handler.ts';
import { type Authorize, authorizer } from './handlers/authorization.ts';
import { Decisions, type HandlerContext, type Observed } from './handlers/drawing.ts';
import { GenerationHandler, VideoHandler } from './handlers/generation-handlers.ts';
import { OPENAPI } from './handlers/openapi.ts';
import { Accelerators } from './jobs/accelerators.ts';
import { MEDIA_FILE } from './jobs/job.ts';
import { RequestLog } from './jobs/request-log.ts';
import type { Behaviour } from './parse-behaviour.ts';

export interface ServiceOptions {
  /** 0 picks a free port. */
  readonly port: number;
  readonly host?: string;
  /** Accepted host names beside localhost. */
  readonly allowedHosts?: readonly string[];
  readonly keys: readonly string[];
  readonly workers: number;
  readonly behaviour: Behaviour;
}

export interface RunningService {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
  /** Refuses new requests, cuts connections, stops workers. */
  close(): Promise<void>;
}

/** Requests that may wait for an accelerator; the next is refused. */
const QUEUE_LIMIT = 64;

/** Throws if the port is taken (EADDRINUSE). */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { port, host = '127.0.0.1', allowedHosts = [], keys, workers, behaviour } = options;
  const origin = performance.now();
  const now = () => performance.now() - origin;
  const log = new RequestLog(now);
  const accelerators = await Accelerators.start(workers, QUEUE_LIMIT);
  const app = createApp();
  const portOf = () => {
    const address = app.server.address();
    return address === null || typeof address === 'string' ? port : address.port;
  };
  const decisions = new Decisions(behaviour, log);
  const place: HandlerContext = { accelerators, log, now, port: portOf, decisions };
  const videos = new VideoHandler(place);
  try {
    await app.register(multipart);
    const observed = observe(app, log);
    refuseForeign(app, hostCheck({ names: allowedHosts, addresses: 'any' }));
    const routes = { app, observed, onRequest: keyCheck(authorizer(keys)) };
    addGenerations(routes, new GenerationHandler(place), videos);
    addAssets(routes, new AssetHandler(place, videos));
    addInformation(app, log);
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    await accelerators.close();
    throw error;
  }
  return {
    url: urlOf(host, portOf()),
    close: async () => {
      videos.close();
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
  app.setNotFoundHandler(() => refuse(404, 'not_found', 'there is nothing here; see /v2/openapi.json'));
  app.setErrorHandler((error, _request, reply) => sendRefusal(reply, refusalOf(error)));
  return app;
}

/** Refusals of the framework in the service's own form. Other errors are ours and give no details. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusedRequest) return error.refusal;
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 415) return { status, code: 'wrong_content_type', message: 'send the parts as multipart/form-data' };
  if (status === 413) return { status, code: 'body_too_large', message: `a body may hold at most ${BODY_LIMIT} bytes` };
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return { status, code: 'bad_request', message: 'the request is not well-formed' };
  }
  return { status: 500, code: 'internal', message: 'something went wrong in the service' };
}

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

/** Logs the start and end of each request. */
function observe(app: FastifyInstance, log: RequestLog): (request: FastifyRequest) => Observed {
  const requests = new WeakMap<FastifyRequest, Observed>();
  app.addHook('onRequest', async (request, reply) => {
    const path = request.routeOptions.url ?? 'unknown';
    const open = log.begin(request.id, `${request.method} ${path}`, request.headers.authorization !== undefined);
    const gone = new AbortController();
    reply.raw.once('close', () => {
      const complete = reply.raw.writableFinished;
      open.finish(reply.raw.headersSent ? reply.raw.statusCode : null, complete);
      if (!complete) gone.abort();
    });
    requests.set(request, { open, gone: gone.signal });
    reply.header('x-request-id', request.id);
  });
  return (request) => {
    const observed = requests.get(request);
    if (observed === undefined) throw new Error('a request that was not observed');
    return observed;
  };
}

const FOREIGN: Readonly<Record<Foreign, string>> = {
  foreign_host: 'the Host header names another server; start the service with --allow-host to accept its name',
  foreign_origin: 'pages of other sites may not use this service',
};

function refuseForeign(app: FastifyInstance, check: HostCheck): void {
  app.addHook('onRequest', async (request) => {
    const code = check(request.headers);
    if (code !== null) refuse(403, code, FOREIGN[code]);
  });
}

function keyCheck(authorize: Authorize) {
  return async (request: FastifyRequest) => authorize(request.headers.authorization);
}

interface Routes {
  readonly app: FastifyInstance;
  readonly observed: (request: FastifyRequest) => Observed;
  readonly onRequest: ReturnType<typeof keyCheck>;
}

function addGenerations({ app, observed, onRequest }: Routes, images: GenerationHandler, videos: VideoHandler): void {
  for (const [route, path] of Object.entries(IMAGE_ROUTES) as [ImageRoute, string][]) {
    app.post(path, { onRequest }, async (request, reply) => images.handle(request, reply, route, observed(request)));
  }
  for (const [route, path] of Object.entries(VIDEO_ROUTES) as [VideoRoute, string][]) {
    app.post(path, { onRequest }, async (request, reply) => videos.submit(request, reply, route, observed(request)));
  }
}

interface OfAsset {
  readonly Params: { readonly id: string };
}

function addAssets({ app, onRequest }: Omit<Routes, 'observed'>, assets: AssetHandler): void {
  app.get<OfAsset>('/v2/assets/:id/status', { onRequest }, async (request, reply) =>
    assets.status(request.params.id, request, reply),
  );
  app.post<OfAsset>('/v2/assets/:id/cancel', { onRequest }, async (request, reply) =>
    assets.cancel(request.params.id, request, reply),
  );
  app.get<OfAsset>(`/v2/assets/:id/${MEDIA_FILE}`, { onRequest }, async (request, reply) =>
    assets.media(request.params.id, reply),
  );
}

function addInformation(app: FastifyInstance, log: RequestLog): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/v2/openapi.json', async () => OPENAPI);
  app.get('/v2/admin/stats', async (request) => {
    // A proxy on this machine also connects from loopback; the client's `Host` distinguishes them.
    if (isLoopback(request.socket.remoteAddress) && isLoopbackHost(request.headers.host)) return log.stats();
    return refuse(403, 'loopback_only', 'the statistics are for this machine only');
  });
}

function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply
    .code(refusal.status)
    .headers(refusal.headers ?? {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(refusalBody(refusal)));
}
