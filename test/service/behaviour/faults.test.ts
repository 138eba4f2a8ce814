import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { formOf, KEY, quick, type Running, runService } from '../running-service.ts';

let service: Running | null = null;

afterEach(async () => {
  await service?.close();
  service = null;
});

async function withRules(...rules: string[]): Promise<Running> {
  service = await runService({ rules });
  return service;
}

async function bytesOf(response: Response): Promise<Buffer> {
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

function sha(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function pixelsOf(png: Buffer): Promise<Buffer> {
  return await sharp(png).raw().toBuffer();
}

/** All bytes that come back on a socket until it ends, in any way. */
async function exchange(port: number, parts: Record<string, string>): Promise<Buffer> {
  const request = new Request('http://x/', { method: 'POST', body: formOf(parts) });
  const body = Buffer.from(await request.arrayBuffer());
  const head = [
    'POST /v2/image/generations HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${KEY}`,
    `Content-Type: ${request.headers.get('content-type')}`,
    `Content-Length: ${body.length}`,
    '',
    '',
  ].join('\r\n');
  return await new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.concat([Buffer.from(head), body])));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

function splitAnswer(answer: Buffer): { readonly head: string; readonly body: Buffer; readonly declared: number } {
  const end = answer.indexOf('\r\n\r\n');
  const head = answer.subarray(0, end).toString();
  return { head, body: answer.subarray(end + 4), declared: Number(/content-length: (\d+)/i.exec(head)?.[1]) };
}

describe('answers that are refusals', () => {
  test.each([
    ['error: { status: 402, code: payment_required }', 402, 'payment_required'],
    ['error: { status: 424, code: no_tokens, message: No tokens left }', 424, 'no_tokens'],
    ['moderation: { answer: refuse }', 422, 'content_moderated'],
  ])('the service refuses: %s', async (rule, status, code) => {
    const { ask, quietStats } = await withRules(`name: it, ${rule}`);
    const response = await ask(quick());
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, code });
    expect(await quietStats()).toMatchObject({ behaviours: { it: 1 }, generations: { sampled: 0 } });
  });

  test('rate_limit answers 429 with what to wait, then admits again', async () => {
    const { ask, quietStats } = await withRules('rate_limit: { requests: 1, per: 400ms }');
    const first = await ask(quick());
    expect(first.headers.get('x-ratelimit-remaining')).toBe('0');
    await first.arrayBuffer();
    let response = await ask(quick());
    let refused = 0;
    while (response.status === 429) {
      refused++;
      await response.arrayBuffer();
      await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after-ms'))));
      response = await ask(quick());
    }
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    expect((await quietStats()).behaviours).toEqual(refused === 0 ? {} : { rate_limit: refused });
  });

  test('rate_limit refuses the second of two at once', async () => {
    const { ask } = await withRules('rate_limit: { requests: 1, per: 1m }');
    const statuses = (await Promise.all([ask(quick()), ask(quick())])).map((response) => response.status);
    expect(statuses.sort()).toEqual([200, 429]);
  });

  test('slow_worker occupies its worker longer, and says so; the next one waits for it', async () => {
    const { ask, quietStats } = await withRules('slow_worker: { factor: 3 }, when: { first: 1 }');
    const answers = await Promise.all([ask(quick()), ask(quick())]);
    const [next = 0, slow = 0] = answers
      .map((answer) => Number(answer.headers.get('x-inference-ms')))
      .sort((a, b) => a - b);
    expect(slow).toBeGreaterThan(next);
    const { requests, behaviours } = await quietStats();
    expect(behaviours).toEqual({ slow_worker: 1 });
    const began = Math.min(...requests.map(({ receivedMs }) => receivedMs));
    const ended = Math.max(...requests.map(({ finishedMs }) => finishedMs ?? 0));
    expect(ended - began).toBeGreaterThan(slow + next);
  });

  test('crash ends the worker, its request is a 500, the next one is served', async () => {
    const { ask, quietStats } = await withRules('crash: {}, when: { first: 1 }');
    const broken = await ask(quick());
    expect(broken.status).toBe(500);
    expect(await broken.json()).toMatchObject({ code: 'generation_failed' });
    await bytesOf(await ask(quick()));
    expect((await quietStats()).generations.sampled).toBe(1);
  });
});

describe('images that are not what they should be', () => {
  test('moderation gives a black image', async () => {
    const { ask } = await withRules('moderation: { answer: blank }');
    expect((await pixelsOf(await bytesOf(await ask(quick())))).every((value) => value === 0)).toBe(true);
  });

  test('seed_ignored gives another image each time, and reports the seed asked for', async () => {
    const { ask } = await withRules('seed_ignored: {}');
    const [one, two] = [await ask(quick(5)), await ask(quick(5))];
    expect([one.headers.get('x-seed'), two.headers.get('x-seed')]).toEqual(['5', '5']);
    expect(sha(await bytesOf(one))).not.toBe(sha(await bytesOf(two)));
  });

  test('seed_omitted gives the same image whenever no seed is sent', async () => {
    const { ask } = await withRules('seed_omitted: { seed: 42 }');
    const { seed: _, ...unseeded } = quick();
    const [one, two] = [await ask(unseeded), await ask(unseeded)];
    expect(one.headers.get('x-seed')).toBe('42');
    expect(sha(await bytesOf(one))).toBe(sha(await bytesOf(two)));
  });

  test('mismatch reports the seed asked for on the take that departs', async () => {
    const { ask } = await withRules('mismatch: {}, when: { every: 2 }');
    const [one, two, three] = [await ask(quick(5)), await ask(quick(5)), await ask(quick(5))];
    expect(two.headers.get('x-seed')).toBe('5');
    const digests = [sha(await bytesOf(one)), sha(await bytesOf(two)), sha(await bytesOf(three))];
    expect(digests[0]).toBe(digests[2]);
    expect(digests[0]).not.toBe(digests[1]);
  });

  test('cached answers a repeat from memory, byte-identical and marked', async () => {
    const { ask, quietStats } = await withRules('cached: { header: x-cache }');
    const [one, two] = [await ask(quick()), await ask(quick())];
    expect([one.headers.get('x-cache'), two.headers.get('x-cache')]).toEqual(['MISS', 'HIT']);
    expect(sha(await bytesOf(one))).toBe(sha(await bytesOf(two)));
    expect(await quietStats()).toMatchObject({ generations: { sampled: 1 }, behaviours: { cached: 1 } });
  });

  test('metadata_noise gives other bytes and the same pixels', async () => {
    const { ask } = await withRules('metadata_noise: {}');
    const [one, two] = [await bytesOf(await ask(quick())), await bytesOf(await ask(quick()))];
    expect(sha(one)).not.toBe(sha(two));
    expect((await pixelsOf(one)).equals(await pixelsOf(two))).toBe(true);
  });

  test('one_bit gives two outputs, one value apart by one', async () => {
    const { ask } = await withRules('one_bit: {}, when: { every: 2 }');
    const [one, two] = [
      await pixelsOf(await bytesOf(await ask(quick()))),
      await pixelsOf(await bytesOf(await ask(quick()))),
    ];
    const apart = [...one].map((value, i) => Math.abs(value - (two[i] ?? 0))).filter((by) => by > 0);
    expect(apart).toEqual([1]);
  });

  test('batch_dependent changes the lowest bits beside other requests, and nothing alone', async () => {
    const { ask, quietStats } = await withRules('batch_dependent: {}');
    const alone = await pixelsOf(await bytesOf(await ask(quick())));
    const together = await Promise.all([1, 2, 3].map(async () => pixelsOf(await bytesOf(await ask(quick())))));
    const furthest = together.map((pixels) =>
      pixels.reduce((far, v, i) => Math.max(far, Math.abs(v - (alone[i] ?? 0))), 0),
    );
    expect(Math.max(...furthest)).toBe(1);
    const fired = (await quietStats()).behaviours.batch_dependent ?? 0;
    expect(furthest.filter((far) => far > 0).length).toBe(fired);
    expect((await pixelsOf(await bytesOf(await ask(quick())))).equals(alone)).toBe(true);
  });
});

describe('answers that do not arrive as they should', () => {
  test('truncated_body sends fewer bytes than declared, then ends', async () => {
    const { port, quietStats } = await withRules('truncated_body: { keep: 0.25 }');
    const { head, body, declared } = splitAnswer(await exchange(port, quick()));
    expect(head).toMatch(/^HTTP\/1\.1 200/);
    expect(body.length).toBe(Math.floor(declared / 4));
    expect((await quietStats()).routes['POST /v2/image/generations']?.statuses).toEqual({ incomplete: 1 });
  });

  test('truncated_png sends a whole answer that holds half an image', async () => {
    const { ask } = await withRules('truncated_png: {}, when: { every: 2 }');
    const [whole, half] = [await bytesOf(await ask(quick())), await bytesOf(await ask(quick()))];
    expect(half.equals(whole.subarray(0, whole.length >> 1))).toBe(true);
    await expect(sharp(half, { failOn: 'truncated' }).raw().toBuffer()).rejects.toThrow();
  });

  test('content_type and html change what an answer says it is', async () => {
    const { ask } = await withRules('content_type: { as: application/octet-stream }, when: { first: 1 }', 'html: {}');
    const typed = await ask(quick());
    expect(typed.headers.get('content-type')).toBe('application/octet-stream');
    expect((await bytesOf(typed)).subarray(1, 4).toString()).toBe('PNG');
    const page = await ask(quick());
    expect(page.headers.get('content-type')).toContain('text/html');
    expect((await bytesOf(page)).toString()).toContain('<!doctype html>');
  });

  test('drop_connection ends before the headers, or right after them', async () => {
    const { port, quietStats } = await withRules(
      'drop_connection: { at: before_headers }, when: { first: 1 }',
      'drop_connection: { at: after_headers }',
    );
    expect((await exchange(port, quick())).length).toBe(0);
    const { head, body, declared } = splitAnswer(await exchange(port, quick()));
    expect(head).toMatch(/^HTTP\/1\.1 200/);
    expect(body.length).toBe(0);
    expect(declared).toBeGreaterThan(1000);
    const { requests, behaviours } = await quietStats();
    expect(requests.filter(({ route }) => route.startsWith('POST')).map(({ status }) => status)).toEqual([null, 200]);
    expect(behaviours).toEqual({ drop_connection: 1, 'drop_connection-2': 1 });
  });

  test('slow_body sends the whole image, in many pieces', async () => {
    const { ask } = await withRules('slow_body: { over: 200ms }, when: { every: 2 }');
    const whole = await bytesOf(await ask(quick()));
    const response = await ask(quick());
    const pieces: Buffer[] = [];
    for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece));
    expect(pieces.length).toBeGreaterThan(2);
    expect(Buffer.concat(pieces).equals(whole)).toBe(true);
  });

  test('redirect leads to another host, where the image is, and the account says who came with a key', async () => {
    const { ask, port, url, quietStats } = await withRules('redirect: { host: localhost, status: 303 }');
    const response = await ask(quick());
    expect(response.status).toBe(303);
    const location = new URL(response.headers.get('location') ?? '');
    expect([location.hostname, location.port]).toEqual(['localhost', String(port)]);
    const png = await bytesOf(await fetch(`${url}${location.pathname}`));
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 384 });
    const { requests } = await quietStats();
    expect(requests.find(({ route }) => route === 'GET /v2/media/:file')).toMatchObject({
      authorized: false,
      status: 200,
    });
    expect((await fetch(`${url}/v2/media/other.png`)).status).toBe(404);
  });

  test('redirect leads to a given address', async () => {
    const { ask } = await withRules("redirect: { to: 'http://example.invalid/x', status: 307 }");
    const response = await ask(quick());
    expect([response.status, response.headers.get('location')]).toEqual([307, 'http://example.invalid/x']);
  });

  test('latency and stall answer no earlier than declared', async () => {
    const { ask, quietStats } = await withRules('latency: { constant: 300ms }', 'stall: { at: 0ms, for: 1500ms }');
    await bytesOf(await ask(quick()));
    const { requests, behaviours } = await quietStats();
    const [image] = requests.filter(({ route }) => route.startsWith('POST'));
    expect((image?.finishedMs ?? 0) - (image?.receivedMs ?? 0)).toBeGreaterThanOrEqual(299);
    expect(image?.finishedMs).toBeGreaterThanOrEqual(1499);
    expect(behaviours).toMatchObject({ latency: 1 });
  });
});
