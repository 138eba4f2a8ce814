import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { lookup as resolveHost } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Agent, type buildConnector } from 'undici';
import { isPublicAddress } from '../model/origins.ts';
import { createBodyBudget } from './body-budget.ts';
import { type OpenedSocket, type SendingObserver, startExchange } from './exchange.ts';
import { ADDRESS_REFUSED, type HttpRequest, SPOKE_FIRST, type Transport } from './wire.ts';

export interface TransportOptions {
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  /** Open sockets per origin; further requests queue. */
  readonly connections: number;
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
  connectTimeoutMs = 10_000,
  bodiesBytes,
}: TransportOptions): Transport {
  const opened = new WeakMap<Socket, OpenedSocket>();
  const agentFor = (addresses: HttpRequest['addresses']): Agent =>
    new Agent({
      connect: createConnector({ now, connectTimeoutMs, addresses, opened }),
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
      const exchange = startExchange({ now, opened, expect: watcher.expect, bodies, limits, watch, signal, resolve });
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
      await Promise.all([agents.any.destroy(), agents.public.destroy()]);
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

/** Opens TCP and TLS connections, times name, connection and handshake separately, and checks each address. */
function createConnector({
  now,
  connectTimeoutMs,
  addresses,
  opened,
}: {
  readonly now: () => number;
  readonly connectTimeoutMs: number;
  readonly addresses: HttpRequest['addresses'];
  readonly opened: WeakMap<Socket, OpenedSocket>;
}): buildConnector.connector {
  const allowed = (address: string) => addresses === 'any' || isPublicAddress(address);
  const refusal = () => failWith(ADDRESS_REFUSED, 'the host has a private, loopback or link-local address');

  return ({ hostname, port, protocol, servername }, callback) => {
    const secure = protocol === 'https:';
    const startMs = now();
    let resolvedMs: number | null = null;
    let tcpMs: number | null = null;
    if (isIP(hostname) !== 0 && !allowed(hostname)) return callback(refusal(), null);

    const lookup: LookupFunction = (host, options, done) => {
      resolveHost(host, { ...options, all: true }, (error, found) => {
        resolvedMs = now();
        const usable = error === null ? found.filter(({ address }) => allowed(address)) : [];
        const [first] = usable;
        if (error !== null) done(error, '');
        else if (first === undefined) done(refusal(), '');
        else if (options.all === true) done(null, usable);
        else done(null, first.address, first.family);
      });
    };

    const where = { host: hostname, port: Number(port) || (secure ? 443 : 80), lookup, noDelay: true, keepAlive: true };
    const name = servername ?? (isIP(hostname) === 0 ? hostname : '');
    const socket: Socket = secure
      ? connectTls({ ...where, servername: name, ALPNProtocols: ['http/1.1'] })
      : connectTcp(where);
    const onTimeout = () => socket.destroy(failWith('UND_ERR_CONNECT_TIMEOUT', 'no connection was made in time'));
    const onError = (error: Error) => callback(error, null);
    socket.setTimeout(connectTimeoutMs, onTimeout);
    socket.once('error', onError);
    socket.once('connect', () => {
      tcpMs = now() - (resolvedMs ?? startMs);
    });
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      const readyMs = now();
      socket.setTimeout(0);
      socket.off('timeout', onTimeout);
      if (!allowed(socket.remoteAddress ?? '')) {
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
        if (socket.readableLength > 0) {
          socket.destroy();
          callback(failWith(SPOKE_FIRST, 'the server sent something before the request'), null);
        } else if (socket.destroyed || socket.readableEnded) {
          socket.destroy();
          callback(failWith('ECONNRESET', 'the server closed the connection before the request'), null);
        } else {
          callback(null, socket);
        }
      });
    });
  };
}
