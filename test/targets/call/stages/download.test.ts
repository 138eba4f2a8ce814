import { describe, expect, test } from 'vitest';
import { startDeadline } from '../../../../src/targets/call/context.ts';
import { download } from '../../../../src/targets/call/stages/fetch.ts';
import { knowSecrets } from '../../../../src/targets/secrets.ts';
import { createTransport } from '../../../../src/targets/transport.ts';
import { serve, serveBytes } from '../../loopback.ts';
import { targetWith } from '../../target-fixture.ts';
import { bytesOf, call, json, KEY, ordered, PNG, png } from '../calling.ts';

const result = { items: '$.urls', from: 'url', at: '$' };

/** A server that answers the submit with URLs, and all else by `media`. */
function serveUrls(
  urls: (base: string) => readonly string[],
  media: Parameters<typeof serve>[0] = (_seen, response) => png(response),
) {
  let base = '';
  let asked = 0;
  const started = serve((seen, response) => {
    if (seen.method === 'POST') return json(response, 200, { urls: urls(base) });
    asked += 1;
    media(seen, response, asked);
  });
  return started.then((server) => {
    base = server.url;
    return server;
  });
}

/** The same with one URL, at its base. */
const serveOne = (media: Parameters<typeof serve>[0]) => serveUrls(() => ['/a'], media);

describe('media behind a URL', () => {
  test('media behind a URL may always stand at the base, which takes the place of the hosts that a target names', async () => {
    const server = await serveUrls((base) => [`${base}/a.png`]);
    const origins = { download: ['https://cdn.provider.example'] };
    expect((await call(server.url, { keys: { result, origins } })).result.outcome).toBe('ok');
  });

  test('media behind a URL that is gone fail with what the host says', async () => {
    const server = await serveOne((_seen, response) =>
      response.writeHead(410, { 'content-type': 'application/xml' }).end('<Code>Expired</Code>'),
    );
    expect((await call(server.url, { keys: { result } })).result).toMatchObject({
      outcome: 'error',
      error: {
        code: 'download_http_410',
        message: 'the media request was answered with HTTP 410: <Code>Expired</Code>',
      },
    });
  });

  test('media behind a URL that are not there yet are asked for once more', async () => {
    const server = await serveOne((_seen, response, count) =>
      count === 1 ? response.writeHead(404).end() : png(response),
    );
    expect((await call(server.url, { keys: { result } })).result).toMatchObject({ outcome: 'ok', downloads: 2 });
    const gone = await serveOne((_seen, response) => response.writeHead(404).end());
    expect((await call(gone.url, { keys: { result } })).result).toMatchObject({
      outcome: 'error',
      downloads: 2,
      error: { code: 'download_http_404' },
    });
  });

  test('media behind a URL with only transient failures end as the last of them', async () => {
    const server = await serveOne((_seen, response) =>
      response.writeHead(503, { 'content-type': 'text/plain' }).end('busy'),
    );
    const { result: got } = await call(server.url, { keys: { result }, timeoutMs: 2000 });
    expect(got).toMatchObject({
      outcome: 'timed_out',
      error: {
        message:
          'no result came within 2 s (limits.timeout); last download_http_503: the media request was answered with HTTP 503: busy',
      },
    });
  });

  test('media behind a URL are downloaded, with the credential for the base', async () => {
    const server = await serveUrls((base) => [`${base}/a.png?sig=1`, '/b.png']);
    const { result: got } = await call(server.url, { keys: { result } });
    expect(got).toMatchObject({
      outcome: 'ok',
      downloads: 2,
      attempts: 1,
      assets: [{ declaredMime: 'image/png' }, {}],
    });
    expect(bytesOf(got)).toEqual([[...PNG], [...PNG]]);
    expect(server.seen.slice(1)).toMatchObject([
      { method: 'GET', url: '/a.png?sig=1', headers: { authorization: `Bearer ${KEY}` } },
      { method: 'GET', url: '/b.png', headers: { authorization: `Bearer ${KEY}` } },
    ]);
    const { startedMs, headersMs, acceptedMs, readyMs, firstByteMs, doneMs } = got.marks;
    expect(ordered(startedMs, headersMs, acceptedMs, readyMs, firstByteMs, doneMs)).toBe(true);
    expect(readyMs).toBe(acceptedMs);
  });

  test('media behind a redirect to something else than HTTP are not asked for', async () => {
    const location = 'file:///etc/passwd';
    const file = await serveOne((_seen, response) => void response.writeHead(301, { location }).end());
    expect((await call(file.url, { keys: { result } })).result).toMatchObject({ error: { code: 'bad_url' } });
  });

  test('private addresses are refused where the base is public', async () => {
    const inside = await serve((_seen, response) => png(response));
    const transport = createTransport({ now: () => performance.now(), connections: 1 });
    const edge = {
      transport,
      now: () => performance.now(),
      wallMs: () => 0,
      sleep: async () => {},
      random: () => 0,
      signal: new AbortController().signal,
    };
    const addressing = (allowPrivate: boolean) => ({
      origins: { auth: [], download: [{ match: 'any' }] as const, allowPrivate },
      baseUrl: 'https://api.example.com',
      credential: () => null,
    });
    const never = { ...edge, sleep: () => new Promise<void>(() => {}) };
    const deadline = startDeadline(10_000, never);
    const get = (allowPrivate: boolean) =>
      download(`${inside.url}/x`, {
        target: targetWith({}),
        constants: {},
        addressing: addressing(allowPrivate),
        deadline,
        secrets: knowSecrets([]),
        redact: String,
        edge,
      });
    expect(await get(false)).toMatchObject({ ok: false, error: { code: 'download_address_refused' } });
    expect(inside.connections()).toBe(0);
    expect(await get(true)).toMatchObject({ ok: true });
    deadline.end();
    await transport.close();
  });
});

describe('a download that fails', () => {
  const retry = { poll: 2 };

  test('a download with a transient failure is tried again, and counted', async () => {
    const server = await serveOne((_seen, response, count) => {
      if (count === 1) response.writeHead(503).end();
      else png(response);
    });
    const { result: got } = await call(server.url, { keys: { result, retry } });
    expect(got).toMatchObject({ outcome: 'ok', downloads: 2, attempts: 1 });
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
  });

  test('a download that fails for good is an error, after as many tries as the target says', async () => {
    const gone = await serveOne((_seen, response) => void response.writeHead(403).end());
    expect((await call(gone.url, { keys: { result, retry } })).result).toMatchObject({
      outcome: 'error',
      httpStatus: 403,
      downloads: 1,
      error: { code: 'download_http_403' },
    });
    const down = await serveOne((_seen, response) => void response.destroy());
    expect((await call(down.url, { keys: { result, retry: { poll: 1 } } })).result).toMatchObject({
      outcome: 'error',
      downloads: 2,
      error: { code: 'download_connection_dropped' },
    });
  });

  test('a download with a truncated body does not count as media', async () => {
    const media = await serveBytes((socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf'));
    const server = await serveUrls(() => [`${media.url}/a`]);
    const { result: got } = await call(server.url, {
      keys: { result, retry: { poll: 0 }, origins: { download: ['*'] } },
    });
    expect(got).toMatchObject({ outcome: 'error', error: { code: 'download_truncated_body' } });
    expect(got.marks.doneMs).toBeUndefined();
  });

  test('a download that takes too long ends the call at its limit', async () => {
    const server = await serveOne(() => {});
    const { result: got } = await call(server.url, { keys: { result }, timeoutMs: 200 });
    expect(got).toMatchObject({ outcome: 'timed_out', downloads: 1 });
    expect(got.marks.readyMs).toBeDefined();
  });
});
