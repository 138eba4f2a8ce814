import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTransport } from '../../../src/targets/transport.ts';
import type { HttpRequest, Transport } from '../../../src/targets/wire.ts';
import { serveBytes } from '../loopback.ts';

/* Servers that answer before they are asked, more often than they are asked, or in heads that are broken. */

function startTransport(): Transport {
  const transport = createTransport({ now: () => performance.now(), connections: 1 });
  onTestFinished(() => transport.close());
  return transport;
}

const send = (transport: Transport, url: string, keys: Partial<HttpRequest> = {}) =>
  transport.send(
    { method: 'GET', url, headers: [], body: null, addresses: 'any', ...keys },
    { signal: new AbortController().signal, limits: { bodyBytes: 1_000_000 } },
  );

const answer = (text: string, head = '200 OK') =>
  `HTTP/1.1 ${head}\r\ncontent-type: text/plain\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
const soon = () => new Promise((resolve) => setTimeout(resolve, 30));
const textOf = (reply: Awaited<ReturnType<typeof send>>) =>
  reply.ok ? Buffer.from(reply.body).toString() : `${reply.code}: ${reply.message}`;

/** More than sockets hold on both sides: its last byte leaves only when the server reads. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');

describe('what was sent before the request is no answer to it', () => {
  test('a connection on which the server speaks first is closed, and nothing is sent on it', async () => {
    let asked = 0;
    const server = await serveBytes(
      () => (asked += 1),
      (socket) => void socket.write(answer('early')),
    );
    // The server has to be heard before the request is written: it has its own turn of this thread.
    const reply = await send(startTransport(), server.url, { method: 'POST', body: Buffer.from('x') });
    expect(reply).toMatchObject({ ok: false, code: 'bad_http', sent: false, status: null });
    expect(asked).toBe(0);
  });

  test.each([
    ['in one piece with the answer', 0],
    ['a while after the answer', 10],
  ])('a second answer %s is taken for no other request', async (_when, laterMs) => {
    const server = await serveBytes((socket, count) => {
      socket.write(laterMs === 0 ? answer(`a${count}`) + answer('again') : answer(`a${count}`));
      if (laterMs > 0) setTimeout(() => socket.write(answer('again')), laterMs);
    });
    const transport = startTransport();
    for (let count = 1; count <= 3; count += 1) {
      expect(textOf(await send(transport, server.url))).toBe(`a${count}`);
      await soon();
    }
    expect(server.connections()).toBe(3);
  });

  test.each(['garbage', '\r\n\r\nHTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n'])(
    'an idle connection on which came %j is not used again',
    async (bytes) => {
      const server = await serveBytes((socket, count) => {
        socket.write(answer(`a${count}`));
        setTimeout(() => socket.write(bytes), 5);
      });
      const transport = startTransport();
      expect(textOf(await send(transport, server.url))).toBe('a1');
      await soon();
      expect(textOf(await send(transport, server.url))).toBe('a2');
      expect(server.connections()).toBe(2);
    },
  );
});

describe('a reply that begins before the request has been sent', () => {
  const answerAtOnce = (head: string) => (socket: Socket) => {
    socket.pause(); // the rest of the request stays on its way
    socket.write(answer('early', head));
  };

  test('a reply that begins before the request has been sent is bad_http where it says success, and its connection is closed', async () => {
    const server = await serveBytes(answerAtOnce('200 OK'));
    const transport = startTransport();
    const reply = await send(transport, server.url, { method: 'POST', body: LARGE });
    expect(reply).toMatchObject({ ok: false, code: 'bad_http', sent: true, status: 200 });
    expect(reply.marks.sentMs).toBeUndefined();
  });

  test.each(['413 Too Large', '503 Busy', '308 Elsewhere'])(
    'a reply that begins before the request has been sent is the answer where it says %s',
    async (head) => {
      const server = await serveBytes(answerAtOnce(head));
      const transport = startTransport();
      const reply = await send(transport, server.url, { method: 'POST', body: LARGE });
      expect(reply).toMatchObject({ ok: true, status: Number(head.slice(0, 3)) });
      expect(textOf(reply)).toBe('early');
      // What is left of the request is not sent before the next one.
      await send(transport, server.url, { method: 'POST', body: LARGE });
      expect(server.connections()).toBe(2);
    },
  );
});

describe('a broken head is bad_http and no dropped connection', () => {
  test.each([
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    ['an astronomic length', `HTTP/1.1 200 OK\r\ncontent-length: ${'9'.repeat(40)}\r\n\r\nok`],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\ncontent-length: two\r\n\r\nok'],
    ['the status 000', 'HTTP/1.1 000 Nothing\r\ncontent-length: 2\r\n\r\nok'],
    ['the status 099', 'HTTP/1.1 099 Nothing\r\n\r\n'],
    ['ESC in a header', 'HTTP/1.1 200 OK\r\nx: a\u001bb\r\ncontent-length: 2\r\n\r\nok'],
    ['ESC in a header behind a length', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx: a\u001bb\r\n\r\nok'],
    ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['a 100 that was not asked for', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('a broken head is bad_http and no dropped connection: %s', async (_what, head) => {
    const server = await serveBytes((socket) => void socket.end(head));
    const reply = await send(startTransport(), server.url);
    expect(reply).toMatchObject({ ok: false, code: 'bad_http', sent: true });
    if (!reply.ok) expect(reply.message).toMatch(/HTTP|status|reply/);
    expect(server.connections()).toBe(1);
  });
});
