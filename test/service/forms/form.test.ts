import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEY, type Running, runService } from '../running-service.ts';

let service: Running;

const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

beforeAll(async () => {
  // Whatever is well-formed after all is refused here, so that no image is sampled: only reading is tried.
  service = await runService({ rules: ['error: { status: 418, code: well_formed }'] });
});
afterAll(() => service.close());

/** Sends bytes as they are and gives what came back, until the service has ended the connection. */
function send(...chunks: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      for (const chunk of chunks) socket.write(chunk);
    });
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(answer));
  });
}

function post(body: Uint8Array, contentType: string, length = body.length): Promise<string> {
  const head = `POST /v2/image/generations HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: ${contentType}\r\nContent-Length: ${length}\r\n\r\n`;
  return send(head, body);
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

function expectRefusal(answer: string): void {
  const status = statusOf(answer);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
  expect(body).toMatchObject({
    status,
    code: expect.any(String),
    error: expect.any(String),
    message: expect.any(String),
  });
}

const part = (name: string, value: string, extra = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${extra}\r\n\r\n${value}\r\n`;
const END = '--b--\r\n';

const pieces = fc.oneof(
  fc.constantFrom(
    '--b\r\n',
    '--b--\r\n',
    '--b--',
    '--b',
    '\r\n',
    '\r\n\r\n',
    'Content-Disposition: form-data; name="prompt"',
    'Content-Disposition: form-data; name="prompt"; filename="x"',
    'Content-Disposition: form-data; name="__proto__"',
    'Content-Disposition: form-data; name="toString"',
    'Content-Disposition: form-data',
    'Content-Disposition: attachment; name="seed"',
    'Content-Type: application/json',
    'Content-Type: text/plain; charset=utf-16le',
    'Content-Type: text/plain; charset=nonsense',
    'Content-Transfer-Encoding: base64',
    part('prompt', 'a fox'),
    part('seed', '1'),
    part('file', 'x', '; filename="a.png"'),
    `--b\r\nContent-Disposition: form-data; name="seed"\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n`,
  ),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

test('whatever the body is, the answer is one refusal in JSON, and the service lives', async () => {
  const types = fc.constantFrom(
    'multipart/form-data; boundary=b',
    'multipart/form-data; boundary="b"',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary',
    'multipart/form-data',
    'multipart/mixed; boundary=b',
    'MULTIPART/FORM-DATA; BOUNDARY=b',
    'text/plain',
    'x',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 14 }), types, async (body, type) => {
      expectRefusal(await post(Buffer.from(body.join('')), type));
    }),
    { numRuns: 400 },
  );
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
});

test.each<[string, () => Promise<string>, number]>([
  ['a form', () => post(Buffer.from(part('prompt', 'x') + END), 'multipart/form-data; boundary=b'), 418],
  [
    'a form with an epilogue',
    () => post(Buffer.from(`${part('prompt', 'x')}${END}more`), 'multipart/form-data; boundary=b'),
    418,
  ],
  ['a form without its end', () => post(Buffer.from(part('prompt', 'x')), 'multipart/form-data; boundary=b'), 400],
  ['another boundary', () => post(Buffer.from(part('prompt', 'x') + END), 'multipart/form-data; boundary=c'), 400],
  [
    'JSON in a part',
    () =>
      post(
        Buffer.from(
          `--b\r\nContent-Disposition: form-data; name="prompt"\r\nContent-Type: application/json\r\n\r\n{}\r\n${END}`,
        ),
        'multipart/form-data; boundary=b',
      ),
    400,
  ],
  [
    'too many parts',
    () => post(Buffer.from(part('prompt', 'x').repeat(40) + END), 'multipart/form-data; boundary=b'),
    413,
  ],
  ['something that is not HTTP', () => send('hello\r\n\r\n'), 400],
  ['headers without end', () => send(`GET / HTTP/1.1\r\nx: ${'y'.repeat(80_000)}\r\n\r\n`), 431],
  ['an address that is none', () => send('GET /%zz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'), 400],
])('a form with %s has the right status', async (_what, exchange, status) => {
  const answer = await exchange();
  expect(statusOf(answer)).toBe(status);
  expectRefusal(answer);
});

test('a body without a declared length is refused when it grows too large', async () => {
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const head = `POST /v2/image/generations HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const answer = await send(head, ...Array.from({ length: 20 }, () => chunk));
  expect(statusOf(answer)).toBe(413);
});

test('a client that leaves in the middle of its form is an incomplete request, nothing more', async () => {
  const socket = connect(service.port, '127.0.0.1');
  const head = `POST /v2/image/generations HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000\r\n\r\n`;
  const before = (await service.quietStats()).routes['POST /v2/image/generations']?.statuses.incomplete ?? 0;
  socket.write(head + part('prompt', 'x'));
  while (((await service.stats()).routes['POST /v2/image/generations']?.inFlight ?? 0) === 0) await pause();
  socket.destroy();
  const after = (await service.quietStats()).routes['POST /v2/image/generations']?.statuses.incomplete ?? 0;
  expect(after).toBe(before + 1);
});
