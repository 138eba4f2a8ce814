import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { lookup as resolveHost } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Agent, type buildConnector } from 'undici';
import { type HttpProxy, isPublicAddress, NO_PROXIES, type Proxies, portOf, proxyFor } from './origins.ts';
import { createBodyBudget, Exchange, type OpenedSocket, type SendingObserver } from './transport/exchange.ts';
import { ADDRESS_REFUSED, type HttpRequest, type ProxyFailure, SPOKE_FIRST, type Transport } from './wire.ts';

export interface TransportOptions {
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  /** Open sockets per origin; further requests queue. */
  readonly connections: number;
  readonly proxies?: Proxies;
  /** By default 10 seconds. */
  readonly connectTimeoutMs?: number;
  /** Of all replies in flight; by default 512 MiB. */
  readonly bodiesBytes?: number;
}

const HEAD_BYTES = 64 * 1024;

/**
 * HTTP/1.1 over undici with keep-alive, one request at a time per connection. Opens sockets as requests come and takes
 * timestamps on the caller's clock. The limits and the address check hold for any server.
 */
export function createTransport({
  now,
  connections,
  proxies = NO_PROXIES,
  connectTimeoutMs = 10_000,
  bodiesBytes,
}: TransportOptions): Transport {
  const opened = new WeakMap<Socket, OpenedSocket>();
  const tunnels = new Agent({ connect: { timeout: connectTimeoutMs }, headersTimeout: connectTimeoutMs });
  const agentFor = (addresses: HttpRequest['addresses']): Agent =>
    new Agent({
      connect: createConnector({ now, proxies, tunnels, connectTimeoutMs, addresses, opened }),
      connections,
      pipelining: 1,
      maxHeaderSize: HEAD_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  // Separate sockets, so that no request uses one that passed another check.
  const agents = { any: agentFor('any'), public: agentFor('public') };

  const watcher = watchSending();
  const bodies = createBodyBudget(bodiesBytes);
  const send: Transport['send'] = (request, { signal, limits, watch }) =>
    new Promise((resolve) => {
      const exchange = new Exchange({ now, opened, expect: watcher.expect, bodies, limits, watch, signal, resolve });
      if (signal.aborted) return;
      const url = new URL(request.url);
      agents[request.addresses].dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: request.method,
          headers: request.headers.flat(),
          body: request.body,
        },
        exchange,
      );
    });
  return {
    send,
    close: async () => {
      await Promise.all([agents.any, agents.public, tunnels].map((agent) => agent.destroy()));
      watcher.stop();
    },
  };
}

interface SendingWatcher {
  /** Sets the receiver of the next head: the library starts a request and writes its head synchronously. */
  readonly expect: (observer: SendingObserver) => void;
  readonly stop: () => void;
}

function watchSending(): SendingWatcher {
  let next: SendingObserver | null = null;
  // The library writes head and body synchronously too: at most one request is between the two.
  let writing: { readonly request: object; readonly socket: Socket; readonly observer: SendingObserver } | null = null;
  const onHead = (message: unknown) => {
    const { request, socket } = message as { readonly request: object; readonly socket: Socket };
    if (next === null) return;
    writing = { request, socket, observer: next };
    next.headWriting(socket);
    next = null;
  };
  const onBody = (message: unknown) => {
    const { request } = message as { readonly request: object };
    if (writing?.request !== request) return;
    const { socket, observer } = writing;
    writing = null;
    if (socket.writableNeedDrain) socket.once('drain', observer.bodyWritten);
    else observer.bodyWritten();
  };
  subscribe('undici:client:sendHeaders', onHead);
  subscribe('undici:request:bodySent', onBody);
  return {
    expect: (observer) => {
      next = observer;
    },
    stop: () => {
      unsubscribe('undici:client:sendHeaders', onHead);
      unsubscribe('undici:request:bodySent', onBody);
    },
  };
}

/** Calls once the event loop has read its input, which it does between two rounds of immediates. */
function afterLook(call: () => void): void {
  setImmediate(() => setImmediate(call));
}

function failWith(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

const WANTS_USER = 'wants a valid user and password, as in http://USER:PASSWORD@HOST:PORT';

/** A connection that a proxy opens to the host of a URL (CONNECT; RFC 9110, section 9.3.6): it sees none of TLS. */
function openTunnel(
  agent: Agent,
  { origin, variable, authorization }: HttpProxy,
  url: Pick<URL, 'protocol' | 'hostname' | 'port'>,
): Promise<Socket> {
  const path = `${isIP(url.hostname) === 6 ? `[${url.hostname}]` : url.hostname}:${portOf(url)}`;
  const headers = { host: path, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) };
  // By default undici expects the certificate of the host in the header.
  const request = { origin, path, method: 'CONNECT', headers, servername: new URL(origin).hostname } as const;
  const failed = (code: ProxyFailure, what: string): Error =>
    failWith(
      code,
      `the proxy ${origin} (${variable}) ${what}; correct ${variable}, or name ${url.hostname} in NO_PROXY`,
    );
  return new Promise((resolve, reject) => {
    agent.dispatch(request, {
      onRequestStart: () => {},
      onRequestUpgrade: (_controller, status, _headers, socket) => {
        if (!(socket instanceof Socket)) return reject(new Error('a tunnel is a socket'));
        if (status >= 200 && status < 300) return resolve(socket);
        socket.on('error', () => {}).destroy();
        const code = status === 407 ? 'proxy_auth' : status >= 500 ? 'proxy_failed' : 'proxy_refused';
        const what = status === 407 ? WANTS_USER : `does not connect to ${path}`;
        reject(failed(code, `${what} (HTTP ${status})`));
      },
      onResponseError: (_controller, error: NodeJS.ErrnoException) =>
        reject(failed('proxy_failed', `cannot be used: ${error.message === '' ? error.code : error.message}`)),
    });
  });
}

function allowedLookup(
  allowed: (address: string) => boolean,
  refusal: () => Error,
  onResolved: () => void,
): LookupFunction {
  return (host, options, done) => {
    resolveHost(host, { ...options, all: true }, (error, addresses) => {
      onResolved();
      const usable = error === null ? addresses.filter(({ address }) => allowed(address)) : [];
      const [first] = usable;
      if (error !== null) done(error, '');
      else if (first === undefined) done(refusal(), '');
      else if (options.all === true) done(null, usable);
      else done(null, first.address, first.family);
    });
  };
}

function faultBeforeUse(socket: Socket): Error | null {
  if (socket.readableLength > 0) return failWith(SPOKE_FIRST, 'the server sent something before the request');
  if (!socket.destroyed && !socket.readableEnded) return null;
  return failWith('ECONNRESET', 'the server closed the connection before the request');
}

/**
 * Opens TCP and TLS connections, times name, connection and handshake separately, and checks each address. Through a
 * proxy the time of the connection is that of the tunnel, and the proxy resolves names.
 */
function createConnector({
  now,
  proxies,
  tunnels,
  connectTimeoutMs,
  addresses,
  opened,
}: {
  readonly now: () => number;
  readonly proxies: Proxies;
  readonly tunnels: Agent;
  readonly connectTimeoutMs: number;
  readonly addresses: HttpRequest['addresses'];
  readonly opened: WeakMap<Socket, OpenedSocket>;
}): buildConnector.connector {
  const allowed = (address: string) => addresses === 'any' || isPublicAddress(address);
  const refusal = () => failWith(ADDRESS_REFUSED, 'the host has a private, loopback or link-local address');

  return ({ hostname, port, protocol, servername }, callback) => {
    const url = { hostname, port, protocol };
    const secure = protocol === 'https:';
    const startMs = now();
    let resolvedMs: number | null = null;
    let tcpMs: number | null = null;
    if (isIP(hostname) !== 0 && !allowed(hostname)) return callback(refusal(), null);
    const proxy = proxyFor(url, proxies);

    const lookup = allowedLookup(allowed, refusal, () => {
      resolvedMs = now();
    });
    const where = { host: hostname, port: Number(portOf(url)), lookup, noDelay: true, keepAlive: true };
    const name = servername ?? (isIP(hostname) === 0 ? hostname : '');
    const open = (tunnel: Socket | null): void => {
      const way = tunnel === null ? where : { ...where, socket: tunnel };
      const socket: Socket = secure
        ? connectTls({ ...way, servername: name, ALPNProtocols: ['http/1.1'] })
        : (tunnel ?? connectTcp(where));
      const onTimeout = () => socket.destroy(failWith('UND_ERR_CONNECT_TIMEOUT', 'no connection was made in time'));
      const onError = (error: Error) => callback(error, null);
      const onReady = () => {
        const readyMs = now();
        socket.setTimeout(0);
        socket.off('timeout', onTimeout);
        // Of a tunnel it is the address of the proxy.
        if (tunnel === null && !allowed(socket.remoteAddress ?? '')) {
          socket.destroy();
          return callback(refusal(), null);
        }
        const dnsMs = resolvedMs === null ? null : resolvedMs - startMs;
        const tlsMs = secure && tcpMs !== null ? readyMs - startMs - (dnsMs ?? 0) - tcpMs : null;
        const known: OpenedSocket = { connection: { dnsMs, tcpMs, tlsMs }, readyMs, used: false, error: null };
        opened.set(socket, known);
        if (secure) {
          socket.once('error', (error) => {
            known.error = error;
          });
        }
        afterLook(() => {
          if (socket.errored !== null) return;
          socket.off('error', onError);
          const fault = faultBeforeUse(socket);
          if (fault !== null) socket.destroy();
          if (fault === null) callback(null, socket);
          else callback(fault, null);
        });
      };
      socket.setTimeout(connectTimeoutMs, onTimeout);
      socket.once('error', onError);
      if (tunnel === null) {
        socket.once('connect', () => {
          tcpMs = now() - (resolvedMs ?? startMs);
        });
      } else {
        tcpMs = now() - startMs;
      }
      if (tunnel === null || secure) socket.once(secure ? 'secureConnect' : 'connect', onReady);
      else onReady();
    };
    if (proxy === null) return open(null);
    void openTunnel(tunnels, proxy, url).then(open, (error) => callback(error, null));
  };
}
