import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listening } from '../fixtures/listening.ts';

/** A request as a server saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Loopback {
  readonly url: string;
  readonly seen: Seen[];
  /** Connections that were ever opened. */
  readonly connections: () => number;
}

type Answer = (seen: Seen, response: ServerResponse, count: number) => void;

/** An HTTP server on a free loopback port that records what it is asked; gone when the test is. */
export async function serve(answer: Answer, options: { readonly keepAliveTimeout?: number } = {}): Promise<Loopback> {
  const { close, loopback } = await listen(answer, options);
  onTestFinished(close);
  return loopback;
}

/** The same for many tests: gone when the process is. */
export async function serveOnAndOn(answer: Answer): Promise<Loopback> {
  const { server, loopback } = await listen(answer);
  server.unref();
  return loopback;
}

async function listen(answer: Answer, options: ServerOptions = {}) {
  const seen: Seen[] = [];
  let opened = 0;
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString('latin1') };
      seen.push(one);
      answer(one, response, seen.length);
    });
  };
  const server = createServer(options, listener);
  server.on('connection', () => {
    opened += 1;
  });
  const { url, close } = await listening(server);
  return { server, close, loopback: { url, seen, connections: () => opened } };
}

/** A server that speaks bytes: `speak` is called once the head of a request has come, `greet` for each connection. */
export async function serveBytes(
  speak: (socket: Socket, count: number) => void,
  greet: (socket: Socket) => void = () => {},
): Promise<Loopback> {
  let opened = 0;
  let spoken = 0;
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    let head = '';
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      head = '';
      spoken += 1;
      speak(socket, spoken);
    });
    greet(socket);
  });
  const { url, close } = await listening(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    return close();
  });
  return { url, seen: [], connections: () => opened };
}

/** A loopback URL that nobody listens at. */
export async function closedUrl(): Promise<string> {
  const { url, close } = await listening(createTcpServer());
  await close();
  return url;
}
