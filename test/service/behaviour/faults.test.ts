import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { testsOfOneService } from '../one-service.ts';
import { formOf, KEY, quick, runService } from '../running-service.ts';

const testWith = testsOfOneService();

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
  for (const [rule, status, code] of [
    ['error: { status: 402, code: payment_required }', 402, 'payment_required'],
    ['error: { status: 424, code: no_tokens, message: No tokens left }', 424, 'no_tokens'],
    ['moderation: { answer: refuse }', 422, 'content_moderated'],
  ] as const) {
    testWith(`the service refuses: ${rule}`, [rule], async ({ ask, counted }) => {
      const response = await ask();
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ status, code });
      expect(await counted()).toMatchObject({
        behaviours: { [rule.slice(0, rule.indexOf(':'))]: 1 },
        generations: { sampled: 0 },
      });
    });
  }

  testWith(
    'rate_limit answers 429 with what to wait, then admits again',
    ['rate_limit: { requests: 1, per: 400ms }'],
    async ({ ask, counted }) => {
      const first = await ask();
      expect(first.headers.get('x-ratelimit-remaining')).toBe('0');
      await first.arrayBuffer();
      let response = await ask();
      let refused = 0;
      while (response.status === 429) {
        refused++;
        await response.arrayBuffer();
        await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after-ms'))));
        response = await ask();
      }
      expect(response.status).toBe(200);
      await response.arrayBuffer();
      expect((await counted()).behaviours).toEqual(refused === 0 ? {} : { rate_limit: refused });
    },
  );

  testWith(
    'rate_limit refuses the second of two at once',
    ['rate_limit: { requests: 1, per: 1m }'],
    async ({ ask }) => {
      const statuses = (await Promise.all([ask(), ask()])).map((response) => response.status);
      expect(statuses.sort()).toEqual([200, 429]);
    },
  );

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
      expect(broken.status).toBe(500);
      expect(await broken.json()).toMatchObject({ code: 'generation_failed' });
      await bytesOf(await ask());
      expect((await counted()).generations.sampled).toBe(1);
    },
  );
});

describe('images that are not what they should be', () => {
  testWith('moderation gives a black image', ['moderation: { answer: blank }'], async ({ ask }) => {
    expect((await pixelsOf(await bytesOf(await ask()))).every((value) => value === 0)).toBe(true);
  });

  testWith(
    'seed_ignored gives another image each time, and reports the seed asked for',
    ['seed_ignored: {}'],
    async ({ ask }) => {
      const [one, two] = [await ask(5), await ask(5)];
      expect([one.headers.get('x-seed'), two.headers.get('x-seed')]).toEqual(['5', '5']);
      expect(sha(await bytesOf(one))).not.toBe(sha(await bytesOf(two)));
    },
  );

  testWith(
    'seed_omitted gives the same image whenever no seed is sent',
    ['seed_omitted: { seed: 42 }'],
    async ({ ask }) => {
      const [one, two] = [await ask(null), await ask(null)];
      expect(one.headers.get('x-seed')).toBe('42');
      expect(sha(await bytesOf(one))).toBe(sha(await bytesOf(two)));
    },
  );

  testWith(
    'mismatch reports the seed asked for on the take that departs',
    ['mismatch: {}, when: { every: 2 }'],
    async ({ ask }) => {
      const [one, two, three] = [await ask(5), await ask(5), await ask(5)];
      expect(two.headers.get('x-seed')).toBe('5');
      const digests = [sha(await bytesOf(one)), sha(await bytesOf(two)), sha(await bytesOf(three))];
      expect(digests[0]).toBe(digests[2]);
      expect(digests[0]).not.toBe(digests[1]);
    },
  );

  testWith(
    'cached answers a repeat from memory, byte-identical and marked',
    ['cached: { header: x-cache }'],
    async ({ ask, counted }) => {
      const [one, two] = [await ask(), await ask()];
      expect([one.headers.get('x-cache'), two.headers.get('x-cache')]).toEqual(['MISS', 'HIT']);
      expect(sha(await bytesOf(one))).toBe(sha(await bytesOf(two)));
      expect(await counted()).toMatchObject({ generations: { sampled: 1 }, behaviours: { cached: 1 } });
    },
  );

  testWith('metadata_noise gives other bytes and the same pixels', ['metadata_noise: {}'], async ({ ask }) => {
    const [one, two] = [await bytesOf(await ask()), await bytesOf(await ask())];
    expect(sha(one)).not.toBe(sha(two));
    expect((await pixelsOf(one)).equals(await pixelsOf(two))).toBe(true);
  });

  testWith(
    'one_bit gives two outputs, one value apart by one',
    ['one_bit: {}, when: { every: 2 }'],
    async ({ ask }) => {
      const [one, two] = [await pixelsOf(await bytesOf(await ask())), await pixelsOf(await bytesOf(await ask()))];
      const apart = [...one].map((value, i) => Math.abs(value - (two[i] ?? 0))).filter((by) => by > 0);
      expect(apart).toEqual([1]);
    },
  );

  testWith(
    'batch_dependent changes the lowest bits beside other requests, and nothing alone',
    ['batch_dependent: {}'],
    async ({ ask, counted }) => {
      const alone = await pixelsOf(await bytesOf(await ask()));
      const together = await Promise.all([1, 2, 3].map(async () => pixelsOf(await bytesOf(await ask()))));
      const furthest = together.map((pixels) =>
        pixels.reduce((far, v, i) => Math.max(far, Math.abs(v - (alone[i] ?? 0))), 0),
      );
      expect(Math.max(...furthest)).toBe(1);
      const fired = (await counted()).behaviours.batch_dependent ?? 0;
      expect(furthest.filter((far) => far > 0).length).toBe(fired);
      expect((await pixelsOf(await bytesOf(await ask()))).equals(alone)).toBe(true);
    },
  );
});

describe('answers that do not arrive as they should', () => {
  testWith(
    'truncated_body sends fewer bytes than declared, then ends',
    ['truncated_body: { keep: 0.25 }'],
    async ({ port, parts, counted }) => {
      const { head, body, declared } = splitAnswer(await exchange(port, parts()));
      expect(head).toMatch(/^HTTP\/1\.1 200/);
      expect(body.length).toBe(Math.floor(declared / 4));
      expect((await counted()).incomplete).toBe(1);
    },
  );

  testWith(
    'truncated_png sends a whole answer that holds half an image',
    ['truncated_png: {}, when: { every: 2 }'],
    async ({ ask }) => {
      const [whole, half] = [await bytesOf(await ask()), await bytesOf(await ask())];
      expect(half.equals(whole.subarray(0, whole.length >> 1))).toBe(true);
      await expect(sharp(half, { failOn: 'truncated' }).raw().toBuffer()).rejects.toThrow();
    },
  );

  testWith(
    'content_type and html change what an answer says it is',
    ['content_type: { as: application/octet-stream }, when: { first: 1 }', 'html: {}'],
    async ({ ask }) => {
      const typed = await ask();
      expect(typed.headers.get('content-type')).toBe('application/octet-stream');
      expect((await bytesOf(typed)).subarray(1, 4).toString()).toBe('PNG');
      const page = await ask();
      expect(page.headers.get('content-type')).toContain('text/html');
      expect((await bytesOf(page)).toString()).toContain('<!doctype html>');
    },
  );

  testWith(
    'drop_connection ends before the headers, or right after them',
    ['drop_connection: { at: before_headers }, when: { first: 1 }', 'drop_connection: { at: after_headers }'],
    async ({ port, parts, counted }) => {
      expect((await exchange(port, parts())).length).toBe(0);
      const { head, body, declared } = splitAnswer(await exchange(port, parts()));
      expect(head).toMatch(/^HTTP\/1\.1 200/);
      expect(body.length).toBe(0);
      expect(declared).toBeGreaterThan(1000);
      const { requests, behaviours } = await counted();
      expect(requests.filter(({ route }) => route.startsWith('POST')).map(({ status }) => status)).toEqual([null, 200]);
      expect(behaviours).toEqual({ drop_connection: 2 });
    },
  );

  testWith(
    'slow_body sends the whole image, in many pieces',
    ['slow_body: { over: 200ms }, when: { every: 2 }'],
    async ({ ask }) => {
      const whole = await bytesOf(await ask());
      const response = await ask();
      const pieces: Buffer[] = [];
      for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece));
      expect(pieces.length).toBeGreaterThan(2);
      expect(Buffer.concat(pieces).equals(whole)).toBe(true);
    },
  );

  testWith(
    'redirect leads to another host, where the image is, and the account says who came with a key',
    ['redirect: { host: localhost, status: 303 }'],
    async ({ ask, port, url, counted }) => {
      const response = await ask();
      expect(response.status).toBe(303);
      const location = new URL(response.headers.get('location') ?? '');
      expect([location.hostname, location.port]).toEqual(['localhost', String(port)]);
      const png = await bytesOf(await fetch(`${url}${location.pathname}`));
      expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 384 });
      const { requests } = await counted();
      expect(requests.find(({ route }) => route === 'GET /v2/media/:file')).toMatchObject({
        authorized: false,
        status: 200,
      });
      expect((await fetch(`${url}/v2/media/other.png`)).status).toBe(404);
    },
  );

  testWith(
    'redirect leads to a given address',
    ["redirect: { to: 'http://example.invalid/x', status: 307 }"],
    async ({ ask }) => {
      const response = await ask();
      expect([response.status, response.headers.get('location')]).toEqual([307, 'http://example.invalid/x']);
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
});
