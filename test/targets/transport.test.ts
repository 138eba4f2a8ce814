import { describe, expect, onTestFinished, test } from 'vitest';
import { createEventReader } from '../../src/targets/transport/event-stream.ts';
import { createTransport } from '../../src/targets/transport.ts';
import type { HttpRequest, ReplyWatch, Transport, TransportFailure, TransportReply } from '../../src/targets/wire.ts';
import { closedUrl, serve, serveBytes } from './loopback.ts';

function startTransport(
  options: { connectTimeoutMs?: number; connections?: number; bodiesBytes?: number } = {},
): Transport {
  const transport = createTransport({ now: () => performance.now(), connections: 4, ...options });
  onTestFinished(() => transport.close());
  return transport;
}

function get(url: string, keys: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url, headers: [], body: null, addresses: 'any', ...keys };
}

function send(
  transport: Transport,
  request: HttpRequest,
  { signal = new AbortController().signal, bodyBytes = 1_000_000 } = {},
): Promise<TransportReply | TransportFailure> {
  return transport.send(request, { signal, limits: { bodyBytes } });
}

const OK_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n';

describe('a reply', () => {
  test('a reply comes whole, with lower-case names, duplicates and ordered marks', async () => {
    const server = await serve((_seen, response) => {
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.writeHead(201, { 'X-Seed': '7', __proto__: 'p' });
      response.write('hel');
      setImmediate(() => response.end('lo'));
    });
    const body = Buffer.alloc(300_000, 'x');
    const reply = await send(
      startTransport(),
      get(`${server.url}/a?b=1`, { method: 'POST', body, headers: [['x-a', 'b']] }),
    );
    if (!reply.ok) throw new Error(reply.message);
    expect(reply).toMatchObject({ status: 201, sent: true, connection: { dnsMs: null, tlsMs: null } });
    expect(Buffer.from(reply.body).toString()).toBe('hello');
    expect(reply.body.byteLength).toBe(reply.body.buffer.byteLength);
    expect(reply.headers.filter(([name]) => name === 'set-cookie')).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
    expect(reply.headers).toContainEqual(['x-seed', '7']);
    expect(server.seen).toMatchObject([
      { method: 'POST', url: '/a?b=1', headers: { 'x-a': 'b', 'content-length': '300000' } },
    ]);
    const { connectedMs = Number.NaN, sentMs = Number.NaN, headersMs, firstByteMs = Number.NaN, doneMs } = reply.marks;
    expect(connectedMs).toBeLessThanOrEqual(sentMs);
    expect(sentMs).toBeLessThanOrEqual(headersMs);
    expect(headersMs).toBeLessThanOrEqual(firstByteMs);
    expect(firstByteMs).toBeLessThanOrEqual(doneMs);
  });

  test('a reply leaves the connection open for the next, which says so', async () => {
    const server = await serve((_seen, response) => void response.end('ok'));
    const transport = startTransport({ connections: 1 });
    const first = await send(transport, get(server.url));
    const second = await send(transport, get(server.url));
    expect(server.connections()).toBe(1);
    expect(first.connection).not.toBeNull();
    expect(second).toMatchObject({ ok: true, connection: null });
    expect(second.marks.connectedMs).toBeUndefined();
  });

  test('a reply is not disturbed by a server that closes idle connections', async () => {
    const server = await serveBytes((socket) => {
      socket.end(`${OK_HEAD}content-length: 2\r\n\r\nok`);
    });
    const transport = startTransport();
    for (let count = 1; count <= 5; count += 1) {
      const reply = await send(transport, get(server.url, { method: 'POST', body: Buffer.from('x') }));
      expect(reply).toMatchObject({ ok: true });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });

  test('a reply may have no body, or informational heads before it', async () => {
    const empty = await serve((_seen, response) => void response.writeHead(204).end());
    const reply = await send(startTransport(), get(empty.url));
    expect(reply).toMatchObject({ ok: true, status: 204 });
    expect(reply.marks.firstByteMs).toBeUndefined();
    const early = await serveBytes((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
      socket.write(`${OK_HEAD}content-length: 2\r\n\r\nok`);
    });
    expect(await send(startTransport(), get(early.url))).toMatchObject({ ok: true, status: 200 });
  });

  test('a reply that redirects is given unchanged', async () => {
    const server = await serve((_seen, response) => void response.writeHead(302, { location: '/b' }).end());
    expect(await send(startTransport(), get(server.url))).toMatchObject({ ok: true, status: 302 });
    expect(server.seen.length).toBe(1);
  });
});

describe('an exchange that fails has a stable code', () => {
  const chunked = `${OK_HEAD}transfer-encoding: chunked\r\n`;
  const closing = `${OK_HEAD}connection: close\r\n\r\n`;
  test.each<[string, string, TransportFailure['code'], number | null]>([
    ['connection closed without a reply', '', 'connection_dropped', null],
    ['head cut off', 'HTTP/1.1 200 OK\r\ncontent-', 'connection_dropped', null],
    ['body shorter than announced', `${OK_HEAD}content-length: 10\r\n\r\nhalf`, 'truncated_body', 200],
    ['last chunk missing', `${chunked}\r\n4\r\nhalf\r\n`, 'truncated_body', 200],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', 'bad_http', null],
    ['a chunk that is none', `${chunked}\r\nzz\r\n`, 'bad_http', 200],
    ['a chunk cut off before the end', `${chunked}connection: close\r\n\r\n9\r\nhalf`, 'truncated_body', 200],
    ['a head without end', `${OK_HEAD}x: ${'y'.repeat(80_000)}\r\n\r\n`, 'headers_too_large', null],
    ['an encoding not asked for', `${OK_HEAD}content-encoding: gzip\r\n\r\nok`, 'encoded_body', 200],
    ['a body announced too large', `${OK_HEAD}content-length: 2000000\r\n\r\nxx`, 'body_too_large', 200],
    ['a body that grows too large', closing + 'x'.repeat(1_500_000), 'body_too_large', 200],
  ])('an exchange with a stable code: %s', async (_what, bytes, code, status) => {
    const server = await serveBytes((socket) => void socket.end(bytes));
    expect(await send(startTransport(), get(server.url))).toMatchObject({ ok: false, code, status, sent: true });
    expect(server.connections()).toBe(1);
  });

  test('a body with its length undeclared ends with the connection', async () => {
    const server = await serveBytes((socket) => void socket.end(`${OK_HEAD}connection: close\r\n\r\nall of it`));
    expect(await send(startTransport(), get(server.url))).toMatchObject({ ok: true });
  });

  test('an exchange with a port where nobody listens has a stable code', async () => {
    const reply = await send(startTransport(), get(await closedUrl()));
    expect(reply).toMatchObject({ ok: false, code: 'connect_refused', sent: false, status: null });
  });

  test('an exchange with a name that does not exist has a stable code', async () => {
    const reply = await send(startTransport(), get('http://does-not-exist.invalid/'));
    expect(reply).toMatchObject({ ok: false, code: 'dns_failed', sent: false });
  });

  test('an exchange over TLS with a server without it has a stable code', async () => {
    const server = await serve(() => {});
    const reply = await send(startTransport(), get(server.url.replace('http:', 'https:')));
    expect(reply).toMatchObject({ ok: false, code: 'tls_failed', sent: false });
  });

  test('an exchange whose connection never comes about has a stable code', async () => {
    // TLS towards a server that accepts and stays silent.
    const server = await serveBytes(() => {});
    const reply = await send(startTransport({ connectTimeoutMs: 50 }), get(server.url.replace('http:', 'https:')));
    expect(reply).toMatchObject({ ok: false, code: 'connect_timeout', sent: false });
  });

  test('an exchange with a header that cannot be sent has a stable code', async () => {
    const server = await serve((_seen, response) => void response.end());
    const reply = await send(startTransport(), get(server.url, { headers: [['x', 'a\nb']] }));
    expect(reply).toMatchObject({ ok: false, code: 'bad_request', sent: false });
    expect(server.seen).toEqual([]);
  });
});

describe('aborting', () => {
  test('an abort while waiting for the reply ends the connection', async () => {
    const abort = new AbortController();
    let closed = (): void => {};
    const ended = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const server = await serve((_seen, response) => {
      response.on('close', closed);
      abort.abort();
    });
    const reply = await send(startTransport(), get(server.url), { signal: abort.signal });
    expect(reply).toMatchObject({ ok: false, code: 'aborted', sent: true, status: null });
    await ended;
  });

  test('an abort within the body ends the exchange', async () => {
    const abort = new AbortController();
    const server = await serve((_seen, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('half', () => setTimeout(() => abort.abort(), 20));
    });
    const reply = await send(startTransport(), get(server.url), { signal: abort.signal });
    expect(reply).toMatchObject({ ok: false, code: 'aborted', status: 200 });
    expect(reply.marks.headersMs).toBeDefined();
  });

  test('an abort before anything left sends nothing', async () => {
    const server = await serve((_seen, response) => void response.end());
    const reply = await send(startTransport(), get(server.url), { signal: AbortSignal.abort() });
    expect(reply).toMatchObject({ ok: false, code: 'aborted', sent: false });
    const late = new AbortController();
    const transport = startTransport();
    const pending = send(transport, get(server.url), { signal: late.signal });
    late.abort();
    expect(await pending).toMatchObject({ ok: false, code: 'aborted', sent: false });
    expect(await send(transport, get(`${server.url}/after`))).toMatchObject({ ok: true });
    expect(server.seen.map(({ url }) => url)).toEqual(['/after']);
  });
});

describe('where only public addresses are allowed', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]'])(
    'a private address %s is refused before a connection is opened',
    async (host) => {
      const server = await serve((_seen, response) => void response.end());
      const url = server.url.replace('127.0.0.1', host);
      const reply = await send(startTransport(), get(url, { addresses: 'public' }));
      expect(reply).toMatchObject({ ok: false, code: 'address_refused', sent: false });
      expect(server.connections()).toBe(0);
    },
  );

  test('an open connection to a private address is not used', async () => {
    const server = await serve((_seen, response) => void response.end());
    const transport = startTransport();
    expect(await send(transport, get(server.url))).toMatchObject({ ok: true });
    const reply = await send(transport, get(server.url, { addresses: 'public' }));
    expect(reply).toMatchObject({ ok: false, code: 'address_refused' });
    expect(server.seen.length).toBe(1);
  });
});

test('many exchanges at once have each its own reply, and never more sockets than allowed', async () => {
  const server = await serve((seen, response) => void setImmediate(() => response.end(seen.url)));
  const transport = startTransport();
  const replies = await Promise.all(Array.from({ length: 40 }, (_, at) => send(transport, get(`${server.url}/${at}`))));
  const bodies = replies.map((reply) => (reply.ok ? Buffer.from(reply.body).toString() : reply.code));
  expect(bodies).toEqual(Array.from({ length: 40 }, (_, at) => `/${at}`));
  expect(server.connections()).toBeLessThanOrEqual(4);
  expect(replies.every(({ marks: { sentMs, headersMs } }) => (sentMs ?? 0) <= (headersMs ?? 0))).toBe(true);
});

describe('bodies in flight', () => {
  test('endless bodies are refused, the largest first, and an ordinary one beside them comes whole', async () => {
    const server = await serve((seen, response) => {
      response.writeHead(200);
      if (seen.url === '/ordinary') {
        setTimeout(() => response.end(Buffer.alloc(50_000, 'o')), 300);
        return;
      }
      const more = setInterval(() => response.write(Buffer.alloc(100_000)), 1);
      response.on('close', () => clearInterval(more));
    });
    const transport = startTransport({ connections: 8, bodiesBytes: 2_000_000 });
    const ask = (path: string) => send(transport, get(`${server.url}${path}`), { bodyBytes: 1_000_000_000 });
    const [ordinary, ...endless] = await Promise.all([ask('/ordinary'), ask('/1'), ask('/2'), ask('/3'), ask('/4')]);
    expect(ordinary).toMatchObject({ ok: true, status: 200 });
    for (const reply of endless) {
      expect(reply).toMatchObject({ ok: false, code: 'body_too_large', sent: true });
      expect(reply.ok ? '' : reply.message).toContain('larger than 2000000 bytes together');
    }
  });

  test('event streams that are watched share the limit: one event without end is refused, many short ones pass', async () => {
    const server = await serve((seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const line =
        seen.url === '/endless' ? Buffer.alloc(100_000, 'x') : Buffer.from(`data: ${'x'.repeat(50_000)}\n\n`);
      if (seen.url === '/endless') response.write('data: ');
      let pieces = 0;
      const more = setInterval(() => {
        pieces += 1;
        if (seen.url === '/short' && pieces === 40) response.end();
        else response.write(line);
      }, 1);
      response.on('close', () => clearInterval(more));
    });
    const transport = startTransport({ bodiesBytes: 1_000_000 });
    const watch = (): ReplyWatch => {
      const reader = createEventReader();
      return {
        head: () => true,
        data: (piece, atMs) => reader.push(piece, atMs).length < 0,
        heldBytes: reader.heldBytes,
      };
    };
    const ask = (path: string) =>
      transport.send(get(`${server.url}${path}`), {
        signal: new AbortController().signal,
        limits: { bodyBytes: 1_000_000_000 },
        watch: watch(),
      });
    const [endless, short] = await Promise.all([ask('/endless'), ask('/short')]);
    expect(endless).toMatchObject({ ok: false, code: 'body_too_large', sent: true });
    // Twice the limit in all, but never at once.
    expect(short).toMatchObject({ ok: true, status: 200 });
  });

  test('bodies that were handed on count no longer', async () => {
    const server = await serve((_seen, response) => void response.end(Buffer.alloc(150_000)));
    const transport = startTransport({ bodiesBytes: 200_000 });
    for (let at = 0; at < 4; at += 1) expect(await send(transport, get(server.url))).toMatchObject({ ok: true });
  });
});
