import { describe, expect, test } from 'vitest';
import { bytesOf, call, json, KEY, ordered, PNG, png } from './call/calling.ts';
import { serve, serveBytes } from './loopback.ts';

const BASE64 = PNG.toString('base64');
const DATA_URI = `data:image/png;base64,${BASE64}`;
const PERCENT_ENCODED = [...PNG].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe('a reply that holds the bytes', () => {
  test('a reply that holds the bytes is delivered, with its marks and what the server says of itself', async () => {
    const server = await serve((_seen, response) => {
      response.setHeader('x-request-id', 'r-1').setHeader('x-seed', '1').setHeader('x-inference-ms', '12.5');
      png(response);
    });
    const meta = {
      inference: { at: 'header:x-inference-ms', unit: 'ms' },
      seed: 'header:x-seed',
      request_id: 'header:x-request-id',
    };
    const { result } = await call(server.url, { keys: { meta } });
    expect(result).toMatchObject({
      outcome: 'ok',
      attempts: 1,
      throttleWaitMs: 0,
      polls: 0,
      downloads: 0,
      httpStatus: 200,
      reported: { requestId: 'r-1', seedEcho: '1', serverMs: 12.5, costUsd: null },
      assets: [{ declaredMime: 'image/png' }],
    });
    expect(bytesOf(result)).toEqual([[...PNG]]);
    const { startedMs, connectedMs, sentMs, headersMs, acceptedMs, readyMs, firstByteMs, doneMs } = result.marks;
    expect(ordered(startedMs, connectedMs, sentMs, headersMs, acceptedMs, readyMs, firstByteMs, doneMs)).toBe(true);
    expect([acceptedMs, readyMs]).toEqual([headersMs, headersMs]);
    expect(structuredClone(result)).toEqual(result);
    expect(server.seen).toMatchObject([
      {
        method: 'POST',
        url: '/generate',
        headers: {
          authorization: `Bearer ${KEY}`,
          'content-type': 'application/json',
          'accept-encoding': 'identity',
        },
        body: '{"prompt":"a red fox"}',
      },
    ]);
  });

  test.each([
    ['base64', 'b64', PNG.toString('base64'), null],
    ['URL-safe base64 without padding', 'b64', PNG.toString('base64url'), null],
    ['a data URI', 'data_uri', DATA_URI, 'image/png'],
    ['a data URI of other parameters', 'data_uri', DATA_URI.replace(';', ';name=a.png;charset=x;'), 'image/png'],
    ['a data URI, percent-encoded', 'data_uri', `data:image/png,${PERCENT_ENCODED}`, 'image/png'],
    [
      'a data URI, its base64 percent-encoded',
      'url',
      `data:image/png;base64,${encodeURIComponent(BASE64)}`,
      'image/png',
    ],
    ['a data URI in place of a URL', 'url', DATA_URI, 'image/png'],
    ['a data URI in capitals in place of a URL', 'url', `DATA:IMAGE/PNG;BASE64,${BASE64}`, 'image/png'],
    ['a data URI in place of base64', 'b64', DATA_URI, 'image/png'],
  ])('a reply that holds the bytes as %s in JSON is delivered', async (_what, from, text, declaredMime) => {
    const server = await serve((_seen, response) => json(response, 200, { data: [{ x: text }, { x: text }] }));
    const { result } = await call(server.url, { keys: { result: { items: '$.data[*]', from, at: '$.x' } } });
    expect(result).toMatchObject({ outcome: 'ok', assets: [{ declaredMime }, { declaredMime }] });
    expect(bytesOf(result)).toEqual([[...PNG], [...PNG]]);
    expect(result.marks.readyMs).toBe(result.marks.headersMs);
    expect([result.downloads, server.seen.length]).toEqual([0, 1]);
  });

  test('a data URI among URLs is not downloaded, and its marks are in order', async () => {
    const media = await serve((_seen, response) => png(response));
    const server = await serve((_seen, response) =>
      json(response, 200, [{ x: DATA_URI }, { x: `${media.url}/a.png` }]),
    );
    const { result } = await call(server.url, {
      keys: { result: { items: '$', from: 'url', at: '$.x' }, origins: { download: [media.url] } },
    });
    expect(result).toMatchObject({ outcome: 'ok', downloads: 1 });
    expect(bytesOf(result)).toEqual([[...PNG], [...PNG]]);
    const { readyMs, firstByteMs, doneMs } = result.marks;
    expect(ordered(readyMs, firstByteMs, doneMs)).toBe(true);
  });

  test.each([
    ['no_result', { from: 'b64', at: '$.x' }, { y: KEY }, 'no text at $.x: {"y":"[redacted]"}'],
    [
      'no_result',
      { items: '$.data', from: 'b64', at: ['$.x', '$.y'] },
      { data: [{ x: 'AAAA' }, {}] },
      'no text at $.x or $.y of item 2 at $.data: {"data":[{"x":"AAAA"},{}]}',
    ],
    ['no_result', { items: '$.d', from: 'b64', at: '$.x' }, { d: [] }, 'the reply holds no outputs at $.d: {"d":[]}'],
    ['bad_base64', { from: 'b64', at: '$.x' }, { x: 'not base64!' }, 'the value at $.x is not base64: {"x":"not'],
    ['bad_data_uri', { from: 'data_uri', at: '$.x' }, { x: 'data:image/png;base64,a?' }, 'at $.x is not a data URI: {'],
    ['bad_url', { from: 'url', at: '$.x' }, { x: 'file:///etc/passwd' }, ''],
    ['bad_url', { from: 'url', at: '$.x' }, { x: 'http://' }, ''],
    ['bad_data_uri', { from: 'url', at: '$.x' }, { x: 'data:image/png;base64,' }, 'at $.x is not a data URI: {'],
    ['too_many_items', { items: '$.x', from: 'b64', at: '$' }, { x: Array(100).fill('AAAA') }, 'more than 64 outputs'],
  ])('a reply with %s is refused', async (code, result, body, message) => {
    const server = await serve((_seen, response) => json(response, 200, body));
    const { result: ended } = await call(server.url, { keys: { result } });
    expect(ended).toMatchObject({ outcome: 'error', error: { code, message: expect.stringContaining(message) } });
  });

  test('a reply that is not JSON holds no URL, and an empty one is an output without bytes', async () => {
    const html = await serve((_seen, response) => void response.end('<html>'));
    const fromJson = await call(html.url, { keys: { result: { from: 'url', at: '$.x' } } });
    expect(fromJson.result).toMatchObject({ outcome: 'error', error: { code: 'bad_json' } });
    const empty = await serve((_seen, response) => void response.end());
    // An output without bytes, which whoever sniffs it takes for no media.
    const { result } = await call(empty.url);
    expect(result).toMatchObject({ outcome: 'ok', marks: { firstByteMs: expect.any(Number) } });
    expect(result.outcome === 'ok' && result.assets.map(({ bytes }) => bytes.byteLength)).toEqual([0]);
  });
});

describe('failures', () => {
  const fail = [
    { when: { status: [402, 424] }, is: 'no_credit' },
    {
      when: { status: 422, at: '$.code', in: ['moderated'] },
      is: 'moderated',
      code: '$.code',
      message: ['$.message', '$.error'],
    },
    { when: { at: '$.error' }, is: 'error', code: '$.error.code', message: '$.error.message' },
    { when: { at: '$.state', not: ['done', 0] }, is: 'rejected', message: '$.state' },
    { when: { status: 503, at: 'header:x-why', in: [1] }, is: 'throttled' },
    { when: { at: '$.why', contains: ['(E005)', 'NSFW'] }, is: 'moderated', message: '$.why' },
  ];
  test.each([
    [402, {}, { outcome: 'no_credit', error: { code: 'http_402', message: '{}' } }],
    [424, {}, { outcome: 'no_credit', error: { code: 'http_424' } }],
    [422, { code: 'moderated', error: 'no' }, { outcome: 'moderated', error: { code: 'moderated', message: 'no' } }],
    [422, { code: 'other' }, { outcome: 'rejected', error: { code: 'http_422' } }],
    [200, { error: { code: 7, message: 'inside' } }, { outcome: 'error', error: { code: '7', message: 'inside' } }],
    [200, { error: 'word' }, { outcome: 'error', error: { code: 'error', message: '{"error":"word"}' } }],
    [500, { why: 'It is nsfw.' }, { outcome: 'moderated', error: { code: 'http_500', message: 'It is nsfw.' } }],
    [500, { why: ['flagged (e005)'] }, { outcome: 'moderated' }],
    [500, { why: 'E005' }, { outcome: 'error' }],
    [200, { state: 'stuck' }, { outcome: 'rejected', error: { code: 'rejected', message: 'stuck' } }],
    [200, { state: 'done' }, { outcome: 'ok' }],
    [200, { state: null, error: '' }, { outcome: 'ok' }],
    [401, {}, { outcome: 'rejected', error: { code: 'http_401' } }],
    [403, {}, { outcome: 'rejected' }],
    [404, {}, { outcome: 'rejected' }],
    [429, {}, { outcome: 'rejected' }],
    [500, {}, { outcome: 'error', error: { code: 'http_500' } }],
    [503, {}, { outcome: 'throttled', error: { code: 'http_503' } }],
  ])('a reply of %i %j is a failure', async (status, body, expected) => {
    const why = status === 503 ? { 'x-why': '1' } : {};
    const server = await serve((_seen, response) => json(response, status, body, why));
    const { result } = await call(server.url, { keys: { fail }, onThrottle: 'fail' });
    expect(result).toMatchObject({ httpStatus: status, attempts: 1, ...expected });
    expect(server.seen.length).toBe(1);
    const { startedMs, headersMs, acceptedMs, refusedMs } = result.marks;
    // What is refused was not accepted.
    expect(ordered(startedMs, headersMs, result.outcome === 'ok' ? acceptedMs : refusedMs)).toBe(true);
    expect(result.outcome === 'ok' ? refusedMs : acceptedMs).toBeUndefined();
    if (result.outcome !== 'ok') expect(result.marks.doneMs).toBeUndefined();
  });

  test.each([
    ['a URL', (url: string) => `${url}/v1/generate/?sig=hush#top`],
    ['a path', () => '/v1/generate/?sig=hush#top'],
  ])('a submit that is redirected to %s is not followed, and says the path to write', async (_what, locationOf) => {
    const other = await serve((_seen, response) => png(response));
    const location = locationOf(other.url);
    const server = await serve((_seen, response) => void response.writeHead(307, { location }).end());
    const where = location.startsWith('/') ? '/v1/generate/' : `${other.url}/v1/generate/?sig=…`;
    expect((await call(server.url)).result).toMatchObject({
      outcome: 'error',
      httpStatus: 307,
      error: {
        code: 'redirected',
        message: `it redirects to ${where}; redirects of a submit are not followed: correct base_url or path`,
      },
    });
    expect(other.seen).toEqual([]);
  });

  test.each([
    ['connection_dropped', null, ''],
    ['truncated_body', 200, 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'],
    ['bad_http', null, 'no\r\n\r\n'],
  ])('the failure %s is an error, and the submit is not repeated', async (code, httpStatus, bytes) => {
    const server = await serveBytes((socket) => void socket.end(bytes));
    const { result } = await call(server.url);
    expect(result).toMatchObject({ outcome: 'error', httpStatus, attempts: 1, error: { code } });
    expect(result.marks.acceptedMs).toBeUndefined();
    expect(server.connections()).toBe(1);
  });

  test('a failure lets no secret, no control character and no long text out', async () => {
    const nasty = `\u0000\u202eBearer ${KEY}\n${encodeURIComponent(KEY)} ${Buffer.from(KEY).toString('base64')} ${'x'.repeat(1000)}`;
    const server = await serve((_seen, response) =>
      json(response, 400, { code: `c-${KEY}`, message: nasty }, { 'x-request-id': `id-${KEY}`, 'x-seed': KEY }),
    );
    const { result } = await call(server.url, {
      keys: {
        fail: [{ when: { status: '4xx' }, is: 'rejected', code: '$.code', message: '$.message' }],
        meta: { request_id: 'header:x-request-id', seed: 'header:x-seed' },
      },
    });
    expect(JSON.stringify(result)).not.toContain(KEY);
    expect(result).toMatchObject({
      error: {
        code: 'c-[redacted]',
        message: expect.stringMatching(/^Bearer \[redacted\] \[redacted\] \[redacted\] x+…$/),
      },
      reported: { requestId: 'id-[redacted]', seedEcho: '[redacted]' },
    });
    expect(result.outcome !== 'ok' && result.error.message.length).toBe(300);
  });
});
