import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { testsOfOneService } from '../one-service.ts';
import { formOf, KEY, quick, runService } from '../running-service.ts';

/* What end-to-end tests do not see of the effects: what a run finds is in those of faults, probes and determinism. */

const testWith = testsOfOneService();

async function bytesOf(response: Response): Promise<Buffer> {
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** All bytes that come back on a socket until it ends, in any way. */
async function exchange(port: number, parts: Record<string, string>): Promise<Buffer> {
  const request = new Request('http://x/', { method: 'POST', body: formOf(parts) });
  const body = Buffer.from(await request.arrayBuffer());
  const type = request.headers.get('content-type');
  const head = `POST /v2/image/generations HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return await new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.concat([Buffer.from(head), body])));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

testWith(
  'slow_worker occupies its worker longer, and says so; the next one waits for it',
  ['slow_worker: { factor: 3 }, when: { first: 1 }'],
  async ({ ask, counted }) => {
    const answers = await Promise.all([ask(), ask()]);
    const [next = 0, slow = 0] = answers
      .map((answer) => Number(answer.headers.get('x-inference-ms')))
      .sort((a, b) => a - b);
    expect(slow).toBeGreaterThan(next);
    const { requests, behaviours } = await counted();
    expect(behaviours).toEqual({ slow_worker: 1 });
    const began = Math.min(...requests.map(({ receivedMs }) => receivedMs));
    const ended = Math.max(...requests.map(({ finishedMs }) => finishedMs ?? 0));
    expect(ended - began).toBeGreaterThan(slow + next);
  },
);

testWith(
  'crash ends the worker, its request is a 500, the next one is served',
  ['crash: {}, when: { first: 1 }'],
  async ({ ask, counted }) => {
    const broken = await ask();
    expect([broken.status, (await broken.json()).code]).toEqual([500, 'generation_failed']);
    await bytesOf(await ask());
    expect((await counted()).generations.sampled).toBe(1);
  },
);

testWith(
  'mismatch reports the seed asked for on the take that departs',
  ['mismatch: {}, when: { every: 2 }'],
  async ({ ask }) => {
    const [one, two] = [await ask(5), await ask(5)];
    expect(two.headers.get('x-seed')).toBe('5');
    expect((await bytesOf(one)).equals(await bytesOf(two))).toBe(false);
  },
);

testWith(
  'drop_connection ends before the headers, or right after them',
  ['drop_connection: { at: before_headers }, when: { first: 1 }', 'drop_connection: { at: after_headers }'],
  async ({ port, parts, counted }) => {
    expect((await exchange(port, parts())).length).toBe(0);
    expect((await exchange(port, parts())).toString()).toMatch(/^HTTP\/1\.1 200.*content-length: \d{4,}.*\r\n\r\n$/s);
    const { requests, behaviours } = await counted();
    expect(requests.filter(({ route }) => route.startsWith('POST')).map(({ status }) => status)).toEqual([null, 200]);
    expect(behaviours).toEqual({ drop_connection: 2 });
  },
);

test('latency and stall answer no earlier than declared', async () => {
  const fresh = await runService({ rules: ['latency: { constant: 300ms }', 'stall: { at: 0ms, for: 1500ms }'] });
  await bytesOf(await fresh.ask(quick()));
  const { requests, behaviours } = await fresh.quietStats();
  await fresh.close();
  const [image] = requests.filter(({ route }) => route.startsWith('POST'));
  expect((image?.finishedMs ?? 0) - (image?.receivedMs ?? 0)).toBeGreaterThanOrEqual(299);
  expect(image?.finishedMs).toBeGreaterThanOrEqual(1499);
  expect(behaviours).toMatchObject({ latency: 1 });
});
