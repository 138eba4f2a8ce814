import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { type Checked, codeOf, refused } from '../kit/diagnostic.ts';
import { INBOXES, inboxPrefix } from './keys.ts';

/* The only importer of the client of NATS, an optional dependency that is loaded when a fleet is asked for. */

export interface Connection {
  readonly serverVersion: string;
  /** The largest message that the server takes. */
  readonly mostBytes: () => number;
  /** Answers each request on a subject, unless the handler gives null. The handler never rejects. */
  readonly answer: (
    subject: string,
    handler: (request: Uint8Array, subject: string) => Promise<Uint8Array | null>,
  ) => void;
  /** Null: no answer within `limitMs`, nobody listens, or the server refuses it. The request may still arrive. */
  readonly request: (subject: string, bytes: Uint8Array, limitMs: number) => Promise<Uint8Array | null>;
  /** Resolves when the server has answered all that was sent before. */
  readonly flush: () => Promise<void>;
  /** Resolves with the subject that the server does not allow. */
  readonly notAllowed: Promise<string>;
  readonly close: () => Promise<void>;
}

export interface ConnectionOptions {
  readonly url: string;
  /** Of a worker or the coordinator. Others do not hear replies to it. */
  readonly name: string;
  /** The seed of an nkey; null: the server asks for none. */
  readonly key: string | null;
}

const CONNECTS_WITHIN_MS = 10_000;

/** The default of 2 min would leave a half-open connection unnoticed. */
const PING_EVERY_MS = 5000;

const RECONNECTS_EVERY_MS = 500;

const FLUSHES_WITHIN_MS = 1000;

type Package = typeof import('@nats-io/transport-node');

export interface Engine {
  readonly makeKey: () => Key;
  /** Reconnects by itself, as often as needed, until it is closed. */
  readonly connect: (options: ConnectionOptions) => Promise<Checked<Connection>>;
}

export interface Key {
  /** Secret: it allows to connect. */
  readonly seed: string;
  /** The server has it. */
  readonly publicKey: string;
}

/** An optional dependency, pinned: later versions have parts that want Node 22. */
export const ENGINE_PACKAGE = '@nats-io/transport-node@3.3.1';

/** Loads the client on first use: most processes never need it. */
export async function loadEngine(): Promise<Checked<Engine>> {
  try {
    const nats = await import('@nats-io/transport-node');
    return {
      ok: true,
      value: { makeKey: () => makeKey(nats.nkeys.createUser()), connect: (options) => connect(nats, options) },
    };
  } catch (error) {
    // The client, or one of the packages that it loads.
    if (!ABSENT.has(codeOf(error) ?? '')) throw error;
    return refused('a fleet needs the client of NATS, which is not installed', `run npm i ${ENGINE_PACKAGE}`);
  }
}

const ABSENT: ReadonlySet<string> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

function makeKey(pair: { readonly getSeed: () => Uint8Array; readonly getPublicKey: () => string }): Key {
  return { seed: Buffer.from(pair.getSeed()).toString('ascii'), publicKey: pair.getPublicKey() };
}

async function connect(nats: Package, { url, name, key }: ConnectionOptions): Promise<Checked<Connection>> {
  const sockets = watchSockets(url);
  let connection: NatsConnection;
  const open = () =>
    nats.connect({
      servers: url,
      name,
      ...(key === null ? {} : { authenticator: nats.nkeyAuthenticator(new TextEncoder().encode(key)) }),
      ...(url.startsWith('tls:') ? { tls: tlsOf(url) } : {}),
      inboxPrefix: inboxPrefix(name),
      noEcho: true,
      ignoreClusterUpdates: true,
      timeout: CONNECTS_WITHIN_MS,
      pingInterval: PING_EVERY_MS,
      maxPingOut: 2,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECTS_EVERY_MS,
    });
  try {
    connection = await againIfBroken(open);
  } catch (error) {
    sockets.destroy();
    return refuseConnection(url, key, error);
  }
  let tellNotAllowed: (subject: string) => void = () => {};
  const notAllowed = new Promise<string>((resolve) => {
    tellNotAllowed = resolve;
  });
  const subscriptions: Subscription[] = [];
  const mostBytes = (): number => connection.info?.max_payload ?? 0;
  return {
    ok: true,
    value: {
      mostBytes,
      serverVersion: connection.info?.version ?? '0',
      answer: (subject, handler) => {
        const subscription = connection.subscribe(subject, {
          callback: (error, message) => {
            if (error instanceof Error) return tellNotAllowed(subject);
            // The server lets a worker ask for its answer anywhere, such as at another worker.
            if (message.reply?.startsWith(INBOXES) !== true) return;
            void handler(message.data, message.subject).then((bytes) => {
              const fits = bytes !== null && bytes.byteLength <= mostBytes();
              if (fits && !connection.isClosed()) message.respond(bytes);
            });
          },
        });
        subscriptions.push(subscription);
      },
      request: async (subject, bytes, limitMs) => {
        try {
          return (await connection.request(subject, bytes, { timeout: limitMs })).data;
        } catch {
          return null;
        }
      },
      flush: () => connection.flush(),
      notAllowed,
      close: async () => {
        // The last answers may be on their way; a server that is gone never confirms.
        await Promise.race([connection.flush().catch(() => {}), pause(FLUSHES_WITHIN_MS)]);
        for (const subscription of subscriptions) subscription.unsubscribe();
        await connection.close();
        sockets.destroy();
      },
    },
  };
}

const MOST_TRIES = 3;

/** A server or a way to it that is only starting, or busy, may break a connection before it has greeted. */
async function againIfBroken<T>(open: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open();
    } catch (error) {
      if (tries === MOST_TRIES || !/undefined error|ECONNRESET/.test(String(error))) throw error;
      await pause(RECONNECTS_EVERY_MS);
    }
  }
}

/** For an address without a name, the client would expect a certificate of localhost. */
function tlsOf(url: string) {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return {
    handshakeFirst: false,
    checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
  };
}

interface WatchedSockets {
  readonly destroy: () => void;
}

/**
 * The client forgets a socket that was accepted and then hears nothing, as on a network that is cut: it would keep this
 * process from ending. Node tells of every socket that is opened.
 */
function watchSockets(url: string): WatchedSockets {
  const port = Number(new URL(url).port || DEFAULT_PORT);
  let opened: readonly Socket[] = [];
  const note = (message: unknown): void => {
    if (typeof message !== 'object' || message === null || !('socket' in message)) return;
    const { socket } = message;
    if (socket instanceof Socket) opened = [...opened.filter(({ destroyed }) => !destroyed), socket];
  };
  subscribe(OPENED_SOCKETS, note);
  return {
    destroy: () => {
      unsubscribe(OPENED_SOCKETS, note);
      for (const socket of opened) if (socket.connecting || socket.remotePort === port) socket.destroy();
    },
  };
}

const OPENED_SOCKETS = 'net.client.socket';
const DEFAULT_PORT = 4222;

function refuseConnection(url: string, key: string | null, error: unknown): Checked<never> {
  const text = error instanceof Error ? error.message : String(error);
  if (/authori[sz]ation|authentication|nkey|seed/i.test(text)) {
    return key === null
      ? refused(`the NATS server at ${url} needs a key`, 'add --key with a file that retake fleet keys wrote')
      : refused(
          `the NATS server at ${url} refused the key`,
          'use a key that retake fleet keys wrote together with the nats.conf of the server',
        );
  }
  if (/certificate has expired/i.test(text)) {
    return refused(`the certificate of the NATS server at ${url} has expired`, 'renew it');
  }
  if (/altnames/i.test(text)) {
    const remedy = 'use a host name of the certificate in --fleet';
    return refused(`the certificate of the NATS server at ${url} is for another host (${text})`, remedy);
  }
  if (/certificate/i.test(text)) {
    const remedy = 'set NODE_EXTRA_CA_CERTS to the file of its certificate, or of the authority that signed it';
    return refused(`the certificate of the NATS server at ${url} is not trusted (${text})`, remedy);
  }
  return refused(`no NATS server answers at ${url} (${text})`, 'start nats-server there, or correct --fleet');
}
