import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/kit/json.ts';
import { type Loopback, type Seen, serve } from '../loopback.ts';
import { bytesOf, call, json, KEY, PNG, png } from './calling.ts';

/** The ways to send a credential, and how a server finds it. */
const SCHEMES: readonly [string, Json, (seen: Seen) => unknown][] = [
  [
    'Authorization',
    { in: 'header', name: 'Authorization', value: 'Key ${secret.KEY}' },
    (seen) => seen.headers.authorization,
  ],
  ['x-key', { in: 'header', name: 'x-key', value: '${secret.KEY}' }, (seen) => seen.headers['x-key']],
  ['api-key', { in: 'header', name: 'api-key', value: '${secret.KEY}' }, (seen) => seen.headers['api-key']],
  [
    'the query',
    { in: 'query', name: 'key', value: '${secret.KEY}' },
    ({ url }) => new URL(url, 'http://x').searchParams.get('key') ?? undefined,
  ],
];

const SAYS = { success: ['done'], running: ['working'] };
const URL_KEYS = {
  wait: {
    capture: { poll: '$.poll' },
    poll: { url: '${job.poll}', min_every: '1ms', capture: { file: '$.file' } },
    state: { at: '$.state', ...SAYS },
  },
  fetch: [{ url: '${job.file}' }],
  result: { from: 'url', at: '$.media' },
};

/** Everything a job is asked for stands on `there`, or is redirected to it from `here` when `redirecting`. */
async function serveElsewhere(redirecting: boolean): Promise<{ here: Loopback; there: Loopback }> {
  let base = '';
  const there = await serve((seen, response) => {
    const { pathname } = new URL(seen.url, 'http://x');
    if (pathname === '/poll') return json(response, 200, { state: 'done', file: `${base}/file` });
    if (pathname === '/file') return json(response, 200, { media: `${base}/media` });
    png(response);
  });
  const here = await serve((seen, response) => {
    if (seen.method === 'POST') return json(response, 200, { poll: `${base}/poll` });
    const { pathname } = new URL(seen.url, 'http://x');
    response.writeHead(307, { location: `${there.url}${pathname}` }).end();
  });
  base = redirecting ? here.url : there.url;
  return { here, there };
}

describe.each(SCHEMES)('a credential in %s', (_name, auth, found) => {
  test.each([false, true])(
    'a credential in %s goes to no origin that is only downloaded from (redirected: %j)',
    async (redirecting) => {
      const { here, there } = await serveElsewhere(redirecting);
      const origins = { download: ['base', there.url] };
      const { result } = await call(here.url, { keys: { ...URL_KEYS, auth, origins } });
      expect(result.outcome).toBe('ok');
      expect(there.seen.map(({ url }) => url)).toEqual(['/poll', '/file', '/media']);
      expect(there.seen.map(found)).toEqual([undefined, undefined, undefined]);
      expect(JSON.stringify(there.seen)).not.toContain(KEY);
      expect(here.seen.map(found)).not.toContain(undefined);
    },
  );

  test.each([false, true])('a credential in %s goes to origins.auth (redirected: %j)', async (redirecting) => {
    const { here, there } = await serveElsewhere(redirecting);
    const origins = { auth: ['base', there.url], download: ['base', there.url] };
    const { result } = await call(here.url, { keys: { ...URL_KEYS, auth, origins } });
    expect(result.outcome).toBe('ok');
    expect(there.seen.length).toBe(3);
    for (const seen of there.seen) expect(found(seen)).toContain(KEY);
  });

  test('a credential in %s is left out of a request that goes without', async () => {
    const server = await serve((seen, response) => {
      if (seen.method === 'POST') json(response, 200, { id: 'f' });
      else png(response);
    });
    const keys = {
      auth,
      wait: { capture: { id: '$.id' } },
      fetch: [{ path: '/files/${job.id}', auth: false }],
      result: { from: 'body' },
    };
    const { result } = await call(server.url, { keys });
    expect(result).toMatchObject({ outcome: 'ok', downloads: 1 });
    expect(server.seen.map(found)).toEqual([expect.anything(), undefined]);
  });
});

describe('a URL that a reply gives', () => {
  test.each([true, false])('a URL in a reply is not asked where the target names no such origin', async (direct) => {
    const { here, there } = await serveElsewhere(!direct);
    const { result } = await call(here.url, { keys: URL_KEYS });
    expect(result).toMatchObject({ outcome: 'error', error: { code: 'poll_refused' } });
    expect(there.seen).toEqual([]);
  });

  test.each(['file:///etc/passwd', 'javascript:1', 'http://', 'http://[::bad'])(
    'a URL in a reply is refused: %s',
    async (poll) => {
      const server = await serve((_seen, response) => json(response, 200, { poll }));
      const { result } = await call(server.url, { keys: URL_KEYS });
      expect(result).toMatchObject({ outcome: 'error', polls: 0, error: { code: 'bad_url' } });
    },
  );

  test('a URL in a reply may be relative to the base', async () => {
    const server = await serve((seen, response) => {
      if (seen.method === 'POST') json(response, 200, { poll: '/p?x=1&y=/2' });
      else if (seen.url.startsWith('/p')) json(response, 200, { state: 'done', file: 'f' });
      else if (seen.url === '/f') json(response, 200, { media: '/m' });
      else png(response);
    });
    const { result } = await call(server.url, { keys: URL_KEYS });
    expect(bytesOf(result)).toEqual([[...PNG]]);
    expect(server.seen.map(({ url }) => url)).toEqual(['/generate', '/p?x=1&y=/2', '/f', '/m']);
  });

  test('a URL in a reply that redirects in a circle ends the job', async () => {
    const server = await serve((seen, response) => {
      if (seen.method === 'POST') json(response, 200, { poll: '/p' });
      else response.writeHead(302, { location: '/p' }).end();
    });
    const { result } = await call(server.url, { keys: URL_KEYS });
    expect(result).toMatchObject({ outcome: 'error', polls: 6, error: { code: 'too_many_redirects' } });
  });
});

describe('requests between the answer and the result', () => {
  const keys = {
    wait: {
      capture: { id: '$.id' },
      poll: {
        path: '/jobs/${job.id}',
        min_every: '1ms',
        capture: { name: '$.out.name', kind: '$.out.kind', folder: '$.out.folder' },
      },
      state: { at: '$.state', ...SAYS },
    },
    fetch: [
      {
        path: "/files/${job.name}?kind=${job.kind}&folder=${job.folder | default('')}&v=${const.v}",
        headers: { 'X-Version': '${const.v}' },
        capture: { key: '$.key' },
      },
      { path: '/bytes/${job.key}' },
    ],
    const: { v: '2 x' },
    result: { from: 'body' },
  };

  test('requests between the answer and the result carry values from reply to reply, and belong to the download', async () => {
    const server = await serve((seen, response) => {
      if (seen.method === 'POST') json(response, 200, { id: 1 });
      else if (seen.url.startsWith('/jobs'))
        json(response, 200, { state: 'done', out: { name: 'a b', kind: 'x&y', folder: '' } });
      else if (seen.url.startsWith('/files')) json(response, 200, { key: 'k' });
      else png(response);
    });
    const { result } = await call(server.url, { keys });
    expect(result).toMatchObject({
      outcome: 'ok',
      polls: 1,
      downloads: 2,
      captured: { id: 1, name: 'a b', kind: 'x&y', key: 'k' },
    });
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/generate',
      '/jobs/1',
      '/files/a%20b?kind=x%26y&folder=&v=2%20x',
      '/bytes/k',
    ]);
    expect(server.seen[2]?.headers['x-version']).toBe('2 x');
    const { readyMs, firstByteMs, doneMs } = result.marks;
    expect(readyMs !== undefined && firstByteMs !== undefined && readyMs < firstByteMs).toBe(true);
    expect(doneMs).toBeGreaterThanOrEqual(firstByteMs ?? 0);
  });

  test.each<[string, number, Json, Json]>([
    ['a missing value', 200, {}, { outcome: 'error', downloads: 1, error: { code: 'missing_capture' } }],
    ['a rule inside a 200', 200, { error: 'no' }, { outcome: 'moderated', downloads: 1 }],
    ['a status', 404, {}, { outcome: 'rejected', downloads: 2, httpStatus: 404, error: { code: 'fetch_http_404' } }],
    [
      'a status that may pass, too often',
      503,
      {},
      { outcome: 'error', downloads: 2, error: { code: 'fetch_http_503' } },
    ],
  ])('fail by %s', async (_what, status, body, expected) => {
    const server = await serve((seen, response) => {
      if (seen.method === 'POST') json(response, 200, { id: 1 });
      else if (seen.url.startsWith('/jobs')) json(response, 200, { state: 'done', out: { name: 'n', kind: 'k' } });
      else json(response, status, body, { 'retry-after-ms': '1' });
    });
    const fail = [{ when: { at: '$.error' }, is: 'moderated' }];
    const { result } = await call(server.url, { keys: { ...keys, fail, retry: { poll: 1 } } });
    expect(result).toMatchObject(expected as object);
    expect(result.marks.readyMs).toBeDefined();
  });
});
