import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { createTransport } from '../../../src/targets/transport.ts';
import type { Transport } from '../../../src/targets/wire.ts';
import { brokenText } from './break-json.ts';
import { property } from './property.ts';

const REPLIES = [
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nx-seed: 7\r\nX-Seed: 8\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.0 503 Service Unavailable\r\nretry-after: 1\r\n\r\nlater',
  'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n',
];

const MOST_BYTES = 100_000;

interface Peer {
  readonly url: string;
  readonly transport: Transport;
}

/** What the server sends to the next request. */
let next: Buffer = Buffer.alloc(0);
let peer: Promise<Peer> | null = null;

/** A server that answers each request with `next`, and ends the connection. */
async function startPeer(): Promise<Peer> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(next));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const transport = createTransport({ now: () => performance.now(), connections: 1 });
  return { url: `http://127.0.0.1:${port}/`, transport };
}

export const HTTP_PROPERTIES = [
  property({
    kind: 'http-heads',
    promise: 'whatever bytes a server answers with give a whole reply with its head, or a failure with its code',
    share: 5,
    inputs: fc.oneof(brokenText(REPLIES), fc.string({ unit: 'binary', maxLength: 200 })),
    hold: async (text) => {
      peer ??= startPeer();
      const { url, transport } = await peer;
      next = Buffer.from(text, 'latin1');
      const reply = await transport.send(
        { method: 'GET', url, headers: [], body: null, addresses: 'any' },
        { signal: new AbortController().signal, limits: { bodyBytes: MOST_BYTES } },
      );
      if (!reply.ok) return assert.match(reply.code, /^[a-z_]+$/);
      assert.ok(reply.status >= 200 && reply.status <= 999);
      assert.ok(reply.body.byteLength <= Math.min(MOST_BYTES, next.length));
      for (const [name, value] of reply.headers) {
        assert.equal(name, name.toLowerCase());
        assert.doesNotMatch(name + value, /[\r\n\0]/);
      }
      const { headersMs, doneMs } = reply.marks;
      assert.ok(headersMs <= doneMs);
    },
  }),
];
