import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Field, RefusedRequest } from '../../../src/service/forms/form.ts';
import type { ImageRoute } from '../../../src/service/forms/generation.ts';
import { LONGEST_PROMPT, readGeneration } from '../../../src/service/forms/video-form.ts';
import type { ServiceStats } from '../../../src/service/jobs/request-log.ts';
import { draws } from '../../test-options.ts';
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

function headOf(type: string, length: string): string {
  return `POST /v2/image/generations HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`;
}

function post(body: Uint8Array, type: string): Promise<string> {
  return send(headOf(type, `Content-Length: ${body.length}`), body);
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

function expectRefusal(answer: string): void {
  const status = statusOf(answer);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  const [code, error, message] = Array(3).fill(expect.any(String));
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({ status, code, error, message });
}

const part = (name: string, value: string, extra = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${extra}\r\n\r\n${value}\r\n`;
const END = '--b--\r\n';

const MULTIPART = 'multipart/form-data; boundary=b';
const NAMED = 'Content-Disposition: form-data; name=';

const pieces = fc.oneof(
  fc.constantFrom(
    ...['--b\r\n', '--b--\r\n', '--b--', '--b', '\r\n', '\r\n\r\n', 'Content-Disposition: form-data'],
    ...['"prompt"', '"prompt"; filename="x"', '"__proto__"', '"toString"'].map((name) => NAMED + name),
    'Content-Disposition: attachment; name="seed"',
    ...['application/json', 'text/plain; charset=utf-16le', 'text/plain; charset=no'].map(
      (of) => `Content-Type: ${of}`,
    ),
    'Content-Transfer-Encoding: base64',
    part('prompt', 'a fox'),
    part('seed', '1'),
    part('file', 'x', '; filename="a.png"'),
    part('seed', '{"a":1}', '\r\nContent-Type: application/json'),
  ),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

test('whatever the body is, the answer is one refusal in JSON, and the service lives', async () => {
  const types = fc.constantFrom(
    ...['; boundary=b', '; boundary="b"', '; boundary=', '; boundary', ''].map((end) => `multipart/form-data${end}`),
    ...['multipart/mixed; boundary=b', MULTIPART.toUpperCase(), 'text/plain', 'x'],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 14 }), types, async (body, type) => {
      expectRefusal(await post(Buffer.from(body.join('')), type));
    }),
    { numRuns: draws(400) },
  );
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
});

const form = (body: string, type = MULTIPART) => post(Buffer.from(body), type);
const PROMPT = part('prompt', 'x');

test.each<[string, () => Promise<string>, number]>([
  ['a form', () => form(PROMPT + END), 418],
  ['a form with an epilogue', () => form(`${PROMPT}${END}more`), 418],
  ['a form without its end', () => form(PROMPT), 400],
  ['another boundary', () => form(PROMPT + END, 'multipart/form-data; boundary=c'), 400],
  ['JSON in a part', () => form(part('prompt', '{}', '\r\nContent-Type: application/json') + END), 400],
  ['too many parts', () => form(PROMPT.repeat(40) + END), 413],
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
  const answer = await send(
    headOf(MULTIPART, 'Transfer-Encoding: chunked'),
    ...Array.from({ length: 20 }, () => chunk),
  );
  expect(statusOf(answer)).toBe(413);
});

test('a client that leaves in the middle of its form is an incomplete request, nothing more', async () => {
  const route = async (of: Promise<ServiceStats>) => (await of).routes['POST /v2/image/generations'];
  const before = (await route(service.quietStats()))?.statuses.incomplete ?? 0;
  const socket = connect(service.port, '127.0.0.1');
  socket.write(headOf(MULTIPART, 'Content-Length: 5000') + PROMPT);
  while (((await route(service.stats()))?.inFlight ?? 0) === 0) await pause();
  socket.destroy();
  expect((await route(service.quietStats()))?.statuses.incomplete).toBe(before + 1);
});

function read(parts: Readonly<Record<string, string>>, route: ImageRoute = 'image') {
  return readGeneration(
    Object.entries(parts).map(([name, value]): Field => ({ name, value })),
    route,
  );
}

test('only the prompt is needed; the rest has defaults, and is taken unchanged', () => {
  const plain = { prompt: ' a fox ', style: 'realistic', ratio: '1:1', model: 'standard', seed: null };
  expect(read({ prompt: ' a fox ' })).toEqual(plain);
  expect(read({ prompt: ' a fox ' }, 'anime')).toEqual({ ...plain, style: 'anime' });
  const asked = { prompt: 'x', style: 'anime', model: 'fast-lcm' };
  const all = read({ ...asked, aspect_ratio: '9:16', seed: '4294967295' });
  expect(all).toEqual({ ...asked, ratio: '9:16', seed: 4294967295 });
  // Characters, not code units.
  expect(read({ prompt: '🦊'.repeat(LONGEST_PROMPT) }).prompt).toContain('🦊');
});

describe('what is refused', () => {
  test.each<[Readonly<Record<string, string>>, number, string, string]>([
    [{}, 400, 'missing_part', '"prompt"'],
    [{ prompt: 'x', promt: 'y' }, 400, 'unknown_part', '"promt"'],
    [{ prompt: 'x', seed: 'seven' }, 400, 'invalid_seed', 'not a whole number'],
    [{ prompt: 'x', seed: '' }, 400, 'invalid_seed', 'not a whole number'],
    [{ prompt: 'x', seed: '1.5' }, 400, 'invalid_seed', 'not a whole number'],
    [{ prompt: 'x', seed: '0x10' }, 400, 'invalid_seed', 'not a whole number'],
    [{ prompt: 'x', seed: '-1' }, 400, 'invalid_seed', 'not between 0 and 4294967295'],
    [{ prompt: 'x', seed: '4294967296' }, 400, 'invalid_seed', 'not between 0 and 4294967295'],
    [{ prompt: 'x', seed: '9'.repeat(400) }, 400, 'invalid_seed', 'not between'],
    [{ prompt: 'x', aspect_ratio: '1-1' }, 400, 'invalid_aspect_ratio', '16:9'],
    [{ prompt: 'x', aspect_ratio: '5:1' }, 400, 'invalid_aspect_ratio', '16:9'],
    [{ prompt: 'x', model: 'turbo' }, 400, 'invalid_model', 'fast-lcm'],
    [{ prompt: 'x', style: 'cubist' }, 400, 'invalid_style', 'anime'],
    [{ prompt: '' }, 422, 'prompt_empty', 'empty'],
    [{ prompt: ' \n' }, 422, 'prompt_empty', 'empty'],
    [{ prompt: 'x'.repeat(LONGEST_PROMPT + 1) }, 422, 'prompt_too_long', '2001 characters'],
  ])('a form with %o is refused', (parts, status, code, part) => {
    expect(refusalOf(() => read(parts))).toMatchObject({ status, code, message: expect.stringContaining(part) });
  });

  test('a form with another style on the anime route is refused', () => {
    expect(refusalOf(() => read({ prompt: 'x', style: 'realistic' }, 'anime'))).toMatchObject({
      code: 'invalid_style',
    });
  });

  function refusalOf(act: () => unknown): unknown {
    try {
      return act();
    } catch (error) {
      return error instanceof RefusedRequest ? error.refusal : error;
    }
  }
});
