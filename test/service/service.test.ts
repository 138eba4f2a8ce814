import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formOf, quick, type Running, runService } from './running-service.ts';

let service: Running;

const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

beforeAll(async () => {
  service = await runService({ workers: 2 });
});
afterAll(() => service.close());

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

describe('an image over HTTP', () => {
  test('an image over HTTP is a PNG of the asked size, with what was done in the headers', async () => {
    const response = await service.ask({ ...quick(7), aspect_ratio: '16:9' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('x-seed')).toBe('7');
    expect(response.headers.get('x-model')).toBe('fast-lcm');
    expect(response.headers.get('x-score-evaluations')).toBe('4');
    expect(Number(response.headers.get('x-inference-ms'))).toBeGreaterThan(0);
    const png = await bytesOf(response);
    expect(Number(response.headers.get('content-length'))).toBe(png.length);
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 512, height: 288 });
  });

  test('the same request gives the same bytes on any worker', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, async () => bytesOf(await service.ask(quick(3)))));
    expect(new Set(all.map((png) => createHash('sha256').update(png).digest('hex'))).size).toBe(1);
  });

  test('an image without a seed is its own, and the reported seed makes it again', async () => {
    const { seed: _, ...unseeded } = quick();
    const [one, two] = await Promise.all([service.ask(unseeded), service.ask(unseeded)]);
    const [first, second] = [await bytesOf(one), await bytesOf(two)];
    expect(first.equals(second)).toBe(false);
    const again = await service.ask({ ...unseeded, seed: one.headers.get('x-seed') ?? '' });
    expect((await bytesOf(again)).equals(first)).toBe(true);
  });

  test('the anime route and the anime style are one', async () => {
    const route = await service.ask(quick(), { path: '/v2/anime/generations' });
    const style = await service.ask({ ...quick(), style: 'anime' });
    const plain = await bytesOf(await service.ask(quick()));
    const drawn = await bytesOf(route);
    expect(drawn.equals(await bytesOf(style))).toBe(true);
    expect(drawn.equals(plain)).toBe(false);
  });
});

describe('what the service refuses', () => {
  test.each<[string, number, string, () => Promise<Response>]>([
    ['no key', 401, 'missing_key', () => service.ask(quick(), { key: null })],
    ['a wrong key', 401, 'wrong_key', () => service.ask(quick(), { key: 'other' })],
    ['an empty prompt', 422, 'prompt_empty', () => service.ask({ prompt: ' ' })],
    ['a body that is too large', 413, 'body_too_large', () => service.ask({ prompt: 'x'.repeat(1_100_000) })],
    ['a part that is too large', 413, 'part_too_large', () => service.ask({ prompt: 'x'.repeat(300_000) })],
    ['JSON', 415, 'wrong_content_type', () => postRaw('application/json', '{"prompt":"x"}')],
    ['a form without boundary', 400, 'bad_multipart', () => postRaw('multipart/form-data', 'x')],
    ['no body', 400, 'not_multipart', () => postRaw(null, null)],
    ['another path', 404, 'not_found', () => fetch(`${service.url}/v2/nothing`)],
    ['another method', 404, 'not_found', () => fetch(`${service.url}/v2/image/generations`)],
    ['a file where text belongs', 400, 'file_not_expected', () => withPart('prompt', new Blob(['x']))],
    ['a doubled part', 400, 'doubled_part', () => withPart('seed', '2')],
  ])('a request with %s is refused: %i %s', async (_what, status, code, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('x-request-id')).toBeTruthy();
    const [error, message] = Array(2).fill(expect.any(String));
    expect(await response.json()).toMatchObject({ status, code, error, message });
  });

  function withPart(name: string, value: string | Blob): Promise<Response> {
    const form = formOf(quick());
    form.append(name, value);
    return service.ask(form);
  }

  function postRaw(type: string | null, body: string | null): Promise<Response> {
    const headers: Record<string, string> = { authorization: 'Bearer test-key' };
    if (type !== null) headers['content-type'] = type;
    return fetch(`${service.url}/v2/image/generations`, { method: 'POST', headers, body });
  }
});

test('the service says that it is up, and describes its routes and what each takes', async () => {
  expect(await (await fetch(`${service.url}/healthz`)).json()).toEqual({ status: 'ok' });
  const { paths, components } = await (await fetch(`${service.url}/v2/openapi.json`)).json();
  const common = ['prompt', 'style', 'seed', 'model'];
  const image = [...common, 'aspect_ratio'];
  for (const [path, parts] of [
    ['image/generations', image],
    ['anime/generations', image],
    ['image/edits', [...common, 'image', 'mask', 'strength']],
    ['video/text-to-video', [...image, 'seconds']],
    ['video/image-to-video', [...image, 'seconds', 'file']],
  ] as const) {
    const { schema } = paths[`/v2/${path}`].post.requestBody.content['multipart/form-data'];
    expect(Object.keys(schema.properties)).toEqual(parts);
    expect(schema.required).toEqual(parts.filter((part) => ['prompt', 'file', 'image'].includes(part)));
  }
  expect(components.schemas.Asset.properties.video.properties.status.enum).toContain('cancelled');
  for (const [, name] of JSON.stringify(paths).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    expect(components.schemas).toHaveProperty(name ?? '');
  }
  // What is described is there: asked without what it needs, it does not say that nothing is there.
  for (const [path, operations] of Object.entries<object>(paths)) {
    for (const method of Object.keys(operations)) {
      const url = `${service.url}${path.replace(/\{\w+\}/, 'none')}`;
      const answer = await (await fetch(url, { method: method.toUpperCase() })).text();
      expect(answer).not.toContain('there is nothing here');
    }
  }
});

test('the account of the service is the truth: each request once, with its seed, prompt, status and the work done', async () => {
  const own = await runService({ workers: 1 });
  try {
    const prompts = ['one', 'two', 'three'];
    const responses = await Promise.all(prompts.map((prompt, i) => own.ask(quick(i, prompt))));
    await Promise.all(responses.map(bytesOf));
    await (await own.ask({ prompt: '' })).arrayBuffer();
    const { routes, generations, requests } = await own.quietStats();
    const statuses = { 200: 3, 422: 1 };
    expect(routes['POST /v2/image/generations']).toEqual({ started: 4, inFlight: 0, mostInFlight: 3, statuses });
    expect(generations).toEqual({ sampled: 3, cancelled: 0, evaluations: 12 });
    const drawn = { status: 200, complete: true, model: 'fast-lcm', evaluations: 4, authorized: true };
    for (const [seed, prompt] of prompts.entries()) {
      const promptSha256 = createHash('sha256').update(prompt).digest('hex');
      const entry = requests.find(({ id }) => id === responses[seed]?.headers.get('x-request-id'));
      expect(entry).toMatchObject({ ...drawn, seed, promptSha256 });
      expect(entry?.finishedMs).toBeGreaterThan(entry?.receivedMs ?? Number.POSITIVE_INFINITY);
    }
    // One worker samples one image at a time: the finished ones are in the order of the queue.
    expect(requests.flatMap(({ status, seed }) => (status === 200 ? [seed] : []))).toEqual([0, 1, 2]);
  } finally {
    await own.close();
  }
});

describe('the queue', () => {
  let own: Running;
  beforeEach(async () => {
    own = await runService({ workers: 1 });
  });
  afterEach(() => own.close());

  test('a client that leaves frees its place, waiting or being sampled', async () => {
    const controller = new AbortController();
    const left = Array.from({ length: 5 }, () =>
      own.ask({ prompt: 'a fox' }, { signal: controller.signal }).then(
        () => false,
        () => true,
      ),
    );
    while (((await own.stats()).routes['POST /v2/image/generations']?.inFlight ?? 0) < 5) await pause();
    controller.abort();
    expect(await Promise.all(left)).toEqual(Array(5).fill(true));
    await bytesOf(await own.ask(quick()));
    const stats = await own.quietStats();
    // Not one of the five was sampled to its end: the one after them is the only one.
    expect(stats.generations).toEqual({ sampled: 1, cancelled: 5, evaluations: 4 });
    expect(stats.routes['POST /v2/image/generations']?.statuses).toEqual({ 200: 1, incomplete: 5 });
  });

  test('the queue is bounded: beyond it requests are refused at once with 503', async () => {
    const controller = new AbortController();
    const answers = Array.from({ length: 68 }, () =>
      own.ask({ prompt: 'a fox' }, { signal: controller.signal }).catch(() => null),
    );
    const refused = await Promise.any(
      answers.map(async (answer) => {
        const response = await answer;
        if (response?.status !== 503) throw new Error('not refused');
        return response;
      }),
    );
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ code: 'queue_full' });
    controller.abort();
    await Promise.all(answers);
  });
});

describe('a request of a page of another site', () => {
  /** With headers that fetch does not let one set. */
  async function statusWith(path: string, headers: Record<string, string>): Promise<number | undefined> {
    const asking = request({ host: '127.0.0.1', port: service.port, path, headers });
    const [response] = await once(asking.end(), 'response');
    response.resume();
    return response.statusCode;
  }

  test.each(['/healthz', '/v2/openapi.json', '/v2/admin/stats', '/nothing'])(
    'the service refuses %s to a rebound name and to a page of another site',
    async (path) => {
      const host = `127.0.0.1:${service.port}`;
      expect(await statusWith(path, { host: `evil.example:${service.port}` })).toBe(403);
      expect(await statusWith(path, { host, origin: 'https://evil.example' })).toBe(403);
      expect(await statusWith(path, { host })).toBe(path === '/nothing' ? 404 : 200);
    },
  );

  test('the statistics are refused to who asks for this machine by an address of the network', async () => {
    const host = `192.168.1.7:${service.port}`;
    expect(await statusWith('/v2/admin/stats', { host })).toBe(403);
    expect(await statusWith('/healthz', { host })).toBe(200);
  });

  test('a page of another site gets no image even with the key', async () => {
    const { sampled } = (await service.stats()).generations;
    const headers = { authorization: 'Bearer test-key', origin: 'https://evil.example' };
    const asked = { method: 'POST', headers, body: formOf(quick()) };
    const reply = await fetch(`${service.url}/v2/image/generations`, asked);
    expect([reply.status, (await reply.json()).code]).toEqual([403, 'foreign_origin']);
    expect((await service.stats()).generations.sampled).toBe(sampled);
  });
});

test('a port that is taken is an error that says so', async () => {
  const { startService } = await import(new URL('../../dist/service/service.js', import.meta.url).href);
  const options = { port: service.port, keys: [], workers: 1, behaviour: { seed: 1, rules: [] } };
  await expect(startService(options)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
