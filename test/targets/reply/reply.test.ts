import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Json } from '../../../src/kit/json.ts';
import type { Locator } from '../../../src/targets/language/locator.ts';
import type { StateRule } from '../../../src/targets/model/job.ts';
import { explainNoSuchPath, readState, stateOfStatus } from '../../../src/targets/reply/fail.ts';
import { askedWaitMs, parseHttpDate, readableReply, waitBeforeMs } from '../../../src/targets/reply/reply.ts';
import { cachedByHeaders, cachedByValue, readSubmitReported } from '../../../src/targets/reply/reported.ts';
import { readOutput } from '../../../src/targets/reply/result.ts';
import { MEDIA } from '../../fixtures/recorded-provider.ts';
import { call, json, KEY } from '../call/calling.ts';
import { serve } from '../loopback.ts';
import { readTarget, targetWith } from '../target-fixture.ts';

function rule(state: Json): StateRule {
  const { wait } = targetWith({ wait: { poll: { path: '/' }, state } });
  if (wait?.until?.by !== 'poll') throw new Error('no polls');
  return wait.until.state;
}

function reply(body: Json, status = 200) {
  return readableReply({ status, headers: [], body: Buffer.from(JSON.stringify(body)) });
}

const FIELD = { at: '$.s', pending: ['q', 0], running: ['w'], success: ['d', true], failure: ['f'], moderated: ['m'] };
const OTHERS = { at: '$.s', absent: 'pending', running: { not: ['d', 'x'] }, success: ['d'] };

test.each<[Json, Json, Json]>([
  [FIELD, { s: 'q' }, 'pending'],
  [FIELD, { s: 0 }, 'pending'],
  [FIELD, { s: '0' }, 'pending'],
  [FIELD, { s: 'w' }, 'running'],
  [FIELD, { s: true }, 'success'],
  [FIELD, { s: 'f' }, 'failure'],
  [FIELD, { s: 'm' }, 'moderated'],
  [FIELD, { s: 'D' }, 'unlisted'],
  [FIELD, { s: false }, 'unlisted'],
  [FIELD, { s: { a: 1 } }, 'unlisted'],
  [FIELD, { s: null }, 'nothing'],
  [FIELD, { s: '' }, 'nothing'],
  [FIELD, {}, 'nothing'],
  [FIELD, [], 'nothing'],
  [OTHERS, {}, 'pending'],
  [OTHERS, { s: 'd' }, 'success'],
  [OTHERS, { s: '37 %' }, 'running'],
  [OTHERS, { s: 'x' }, 'unlisted'],
  [{ at: '$.*.ok', absent: 'pending', success: [true] }, {}, 'pending'],
  [{ at: '$.*.ok', absent: 'pending', success: [true] }, { 'j-1': { ok: true } }, 'success'],
  [{ at: ['$.a', '$.b'], pending: [1], success: [2] }, { a: 1, b: 2 }, 'pending'],
  [{ at: ['$.a', '$.b'], pending: [1], success: [2] }, { b: 2 }, 'success'],
  [{ at: ['$.a', '$.b'], pending: [1], success: [2] }, { a: 3, b: 2 }, 'unlisted'],
])('the state by %j of %j is %j', (state, body, expected) => {
  const found = readState(rule(state), reply(body));
  expect(found.found === 'state' ? found.state : found.found).toBe(expected);
});

test.each<[Json, number, Json]>([
  [{ at: 'status', pending: [202, 404], success: [200] }, 404, 'pending'],
  [{ at: ['$.s', 'status'], pending: [404], success: [200] }, 404, 'pending'],
  [{ at: 'status', pending: [202], success: [200] }, 404, null],
  [{ at: 'status', pending: { not: [200] }, success: [200] }, 500, null],
  [{ at: '$.s', pending: [404], success: [200] }, 404, null],
])('the state by %j of the status %i alone is %j', (state, status, expected) => {
  expect(stateOfStatus(rule(state), status)).toBe(expected);
});

const TOKENS = {
  cost_usd: {
    sum: [
      { at: '$.usage.in', each: 0.000005 },
      { at: '$.usage.out', each: 0.00003 },
      { at: '$.usage.cached', each: 0.0000004, optional: true },
    ],
  },
};

test.each<[Json, Json, object]>([
  [{ model: ['$.modelVersion', '$.model'] }, { model: 'm-1' }, { model: 'm-1' }],
  [{ prompt: '$.p' }, { p: 'a  cat\non a mat' }, { prompt: 'a cat on a mat' }],
  [{ stages: { decode: { at: '$.d', unit: 's' }, encode: '$.e' } }, { d: 0.5 }, { stages: { decode: 500 } }],
  [{ memory_mb: '$.peak' }, { peak: '2048.5' }, { memoryMb: 2048.5 }],
  [{ usage: { input: '$.i', output: '$.o' } }, { i: 3, o: -1 }, { usage: { input: 3 } }],
  [TOKENS, { usage: { in: 10, out: 1000, cached: 5 } }, { costUsd: 0.030052 }],
  [TOKENS, { usage: { in: 10, out: 1000 } }, { costUsd: 0.03005 }],
  [TOKENS, { usage: { in: 10 } }, { costUsd: null }],
  [TOKENS, { usage: { cached: 5 } }, { costUsd: null }],
  [TOKENS, {}, { costUsd: null }],
  [{ cost_usd: { at: '$.credits', each: 0.01 } }, { credits: 5 }, { costUsd: 0.05 }],
  ...[[1], [], true, false, { n: 1 }, 'many', ' ', '0x10', '1,000', '+5', 'Infinity'].flatMap(
    (count): [Json, Json, object][] => [
      [{ usage: { tokens: '$.n' }, memory_mb: '$.n' }, { n: count }, {}],
      [{ cost_usd: { sum: [{ at: '$.n', each: 1 }] } }, { n: count }, { costUsd: null }],
    ],
  ),
  [{ usage: { tokens: '$.n' }, cost_usd: '$.n' }, { n: ' 1.5e1 ' }, { usage: { tokens: 15 }, costUsd: 15 }],
  [{ model: '$.m', prompt: '$.p', memory_mb: '$.x' }, { m: null, p: '', x: 'many' }, {}],
])('what the server says by %j in %j is %j', (meta, body, expected) => {
  const { costUsd, ...known } = readSubmitReported(targetWith({ meta }).meta, reply(body), (text) =>
    text.replace(/\s+/g, ' '),
  );
  const { requestId, seedEcho, serverMs, cached, ...told } = known;
  expect({ requestId, seedEcho, serverMs, cached }).toEqual({
    requestId: null,
    seedEcho: null,
    serverMs: null,
    cached: null,
  });
  expect({ costUsd: costUsd === null ? null : Math.round(costUsd * 1e12) / 1e12, ...told }).toEqual({
    costUsd: null,
    ...expected,
  });
});

const NOTHING = { deprecatedOn: null, endsOn: null, successor: null };

const LAST_DAY = 'Wed, 31 Dec 2026 23:59:59 GMT';

test.each<[Readonly<Record<string, string>>, object | undefined]>([
  [{}, undefined],
  [{ sunset: 'soon' }, undefined],
  [{ deprecation: '?0' }, undefined],
  [{ link: '</v2>; rel="successor-version"' }, undefined],
  [{ deprecation: '@1688169599' }, { deprecatedOn: '2023-06-30' }],
  [{ deprecation: 'true' }, {}],
  [{ deprecation: 'Tue, 06 Oct 2026 00:00:00 GMT' }, { deprecatedOn: '2026-10-06' }],
  [
    { sunset: LAST_DAY, link: '<https://h.test/v2?sig=x>; rel="successor-version"' },
    { endsOn: '2026-12-31', successor: 'https://h.test/v2?sig=…' },
  ],
  [
    { sunset: LAST_DAY, link: '</old>; rel="prev", </new>; title="a, b"; rel=successor-version' },
    { endsOn: '2026-12-31', successor: '/new' },
  ],
])('the headers %j announce the end %j', (headers, end) => {
  const read = readableReply({ status: 200, headers: Object.entries(headers), body: Buffer.from('{}') });
  const announced = readSubmitReported(targetWith({}).meta, read, (text) => text).end;
  expect(announced).toEqual(end === undefined ? undefined : { ...NOTHING, ...end });
});

describe('cachedByHeaders', () => {
  test.each<[string, string, boolean | null]>([
    ['age', '12', true],
    ['age', '0', false],
    ['age', 'soon', null],
    ['x-cache', 'HIT', true],
    ['x-cache', 'Hit from cloudfront', true],
    ['x-cache', 'RefreshHit from cloudfront', true],
    ['x-cache', 'TCP_HIT', true],
    ['x-cache', 'MISS, HIT', true],
    ['x-cache', 'Miss from cloudfront', false],
    ['x-cache', 'Error from cloudfront', null],
    ['x-cache-status', 'BYPASS', false],
    ['cf-cache-status', 'DYNAMIC', false],
    ['cf-cache-status', 'STALE', true],
    ['cache-status', 'edge; hit; ttl=30', true],
    ['cache-status', 'edge; fwd=uri-miss', false],
    ['content-type', 'hit', null],
  ])('cachedByHeaders of %s: %s', (name, value, expected) => {
    expect(cachedByHeaders({ headers: [[name, value]] })).toBe(expected);
  });

  it('cachedByHeaders lets one header that says so hold against others', () => {
    const headers = [
      ['age', '0'],
      ['x-cache', 'HIT'],
    ] as const;
    expect(cachedByHeaders({ headers })).toBe(true);
    expect(cachedByHeaders({ headers: [] })).toBeNull();
  });
});

test('cachedByValue reads booleans, ages and words', () => {
  expect([true, false, 3, 0, 'true', 'false', '7', '0', 'MISS', 'other', [], undefined].map(cachedByValue)).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
    true,
    false,
    false,
    null,
    null,
    null,
  ]);
});

const DOCUMENT = {
  target: 1,
  id: 'openai/images',
  kind: 'text-to-image',
  submit: { path: '/images/generations', body: { prompt: '${case.prompt}' } },
  result: { from: 'body' },
};
const WITH_DEFAULT = '${env.OPENAI_BASE_URL:-https://api.openai.com/v1}';

function explain(declaredBase: string, baseUrl: string, path: string, env: Record<string, string> = {}): string {
  const read = readTarget(JSON.stringify({ ...DOCUMENT, base_url: declaredBase }), env);
  if ('wrong' in read) throw new Error(read.wrong.join());
  const failure = { outcome: 'rejected', code: 'http_404', message: '', rule: null } as const;
  const request = { method: 'POST', url: `${baseUrl}${path}` };
  return explainNoSuchPath(failure, 404, request, { target: read.target, baseUrl }, (text) => text).message;
}

test('a path that the server does not have is reported with the whole URL, where its base came from, and what it lacks', () => {
  const env = { OPENAI_BASE_URL: 'http://127.0.0.1:1234' };
  expect(explain(WITH_DEFAULT, 'http://127.0.0.1:1234', '/images/generations', env)).toBe(
    'POST http://127.0.0.1:1234/images/generations: no such path; base_url is http://127.0.0.1:1234 (from OPENAI_BASE_URL): does it need /v1?',
  );
});

test.each([
  ['of the variant', WITH_DEFAULT, 'http://h:1', '/images', 'set by the variant or --base-url): does it need /v1?'],
  ['of the target', 'http://h:1', 'http://h:1', '/images', 'set by the target): does it need /v1?'],
  ['with /v1 twice', 'http://h:1/', 'http://h:1/v1', '/v1/images', '): does it have /v1 twice?'],
  [
    'by default',
    '${env.X:-http://h:1}',
    'http://h:1',
    '/v1/a',
    "target's default; set X to change it): is that its server",
  ],
])('a base URL %s is reported as such', (_what, declared, baseUrl, path, said) => {
  expect(explain(declared, baseUrl, path)).toContain(said);
});

test('a submit to a path that is not there says so, with what the server said and no secret', async () => {
  const server = await serve((_seen, response) => json(response, 404, { detail: `no route for ${KEY}` }));
  const { result } = await call(server.url);
  expect(result).toMatchObject({ outcome: 'rejected', error: { code: 'http_404' } });
  const message = 'error' in result ? result.error.message : '';
  expect(message).toContain(`POST ${server.url}/generate: no such path; base_url is ${server.url}`);
  expect(message).toContain('no route for [redacted]');
});

test('a 404 with a code of the provider keeps its words', async () => {
  const server = await serve((_seen, response) =>
    json(response, 404, { code: 'model_not_found', message: 'no turbo' }),
  );
  const fail = [{ when: { status: '4xx' }, is: 'rejected', code: '$.code', message: '$.message' }];
  const { result } = await call(server.url, { keys: { fail } });
  expect(result).toMatchObject({ error: { code: 'model_not_found', message: 'no turbo' } });
});

function header(name: string): { locators: readonly Locator[]; unitMs: null } {
  return { locators: [{ at: 'header', name }], unitMs: null };
}

const AFTER = [header('retry-after-ms'), header('retry-after')];

test.each<[Record<string, string>, number | null]>([
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0.25' }, 250],
  [{ 'retry-after-ms': '120', 'retry-after': '9' }, 120],
  [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
  [{ 'retry-after': '1.5s' }, 1500],
  [{ 'retry-after': '0' }, null],
  [{ 'retry-after': '-5' }, null],
  [{ 'retry-after': '1e9' }, null],
  [{ 'retry-after': 'NaN' }, null],
  [{ 'retry-after': '' }, null],
  [{}, null],
  [{ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT', date: 'Sun, 06 Nov 1994 08:49:07 GMT' }, 30_000],
  [{ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT', date: 'Sun, 06 Nov 1994 08:59:37 GMT' }, null],
  [{ 'retry-after': 'Sun, 06-Nov-1994 08:49:37 GMT', date: 'Sun, 06 Nov 1994 08:49:07 GMT' }, 30_000],
  // Without a date of the server, by the clock of this machine, for a minute at most.
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT' }, 20_000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 03:00:00 GMT' }, 60_000],
  [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:59 GMT' }, null],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:20 UTC' }, 20_000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:20 +0000' }, 20_000],
  [{ 'retry-after': '2026-01-01T00:00:20Z' }, 20_000],
  [{ 'retry-after': '2026-01-01T01:00:20.5+01:00', date: '2026-01-01T00:00:00Z' }, 20_500],
  [{ 'retry-after': '2026-01-01T00:00:20' }, null],
  [{ 'retry-after': '2026-13-01T00:00:20Z' }, null],
  // A header that came twice.
  [{ 'retry-after': '4, 4' }, 4000],
  [{ 'retry-after': '4, 9' }, 9000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT, Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
])('the header %j asks for %j ms', (headers, waitMs) => {
  const received = { status: 429, headers: Object.entries(headers), body: new Uint8Array() };
  const reply = readableReply(received, Date.UTC(2026, 0, 1));
  expect(askedWaitMs(AFTER, reply)).toBe(waitMs);
});

test('a wait is read from the body, in a unit that the target names', () => {
  const reply = readableReply({ status: 429, headers: [], body: Buffer.from('{"wait": 40, "s": "7"}') });
  expect(askedWaitMs([{ locators: [{ at: 'json', paths: ['$.wait'] }], unitMs: 1 }], reply)).toBe(40);
  expect(askedWaitMs([{ locators: [{ at: 'json', paths: ['$.s'] }], unitMs: null }], reply)).toBe(7000);
});

test.each<[string, number | null]>([
  // One duration, whatever stands around it.
  ['Rate limit reached. Please try again in 20s.', 20_000],
  ['try again in 1m20.5s', 80_500],
  ['retry in 120ms', 120],
  ['Please retry in 43.123456789s.', 43_123.456789],
  ['Expected available in 12 seconds.', 12_000],
  ['Limit: 3 / min. Wait 2 minutes 5 seconds', 125_000],
  ['Please try again in 6m0s. Visit our page.', 360_000],
  ['Too many requests; 1 hour, 2 minutes and 3 seconds left', 3_723_000],
  ['Quota is full until tomorrow (1 day)', 86_400_000],
  ['Rate limit: 5 images per 30 secs', 30_000],
  // Several: the one behind retry, try again or wait; else behind resets; else behind in or after.
  ['Limit: 5 images per 1 minute. Please retry after 4 seconds.', 4000],
  ['Please retry after 4 seconds. Limit: 5 images per 1 minute.', 4000],
  ['You sent 10 requests in 1 minute. Try again in 500 ms', 500],
  ['at most 100 per 1 h; wait for 1m30s', 90_000],
  ['Retry-After: 7 s (window: 60 s)', 7000],
  ['10 per 1 minute, resets in 40 sec', 40_000],
  ['Try again in 4 s; your quota of 1 hour resets in 30 minutes', 4000],
  ['100 images per 2 hours; available after 15 min', 900_000],
  ['Please wait 3 seconds; after 3 seconds retry', 3000],
  ['Max 3 attempts in 10 minutes; you are locked out for 6 seconds', 6000],
  ['Blocked for 30 s: more than 10 images in 1 minute', 30_000],
  ['10 images per 60 seconds, next slot in 3 seconds', 3000],
  ['Your average of the last 5 minutes is high. The next request is free in 12 s', 12_000],
  // Several, and none or two of them marked.
  ['Limits: 5 per 1 minute, 100 per 1 hour', null],
  ['Try again later. Limits: 5 per 1 minute, 100 per 1 hour', null],
  ['5 in 1 minute, 100 in 1 hour', null],
  // No duration.
  ['at most 40 images for each of 2 models', null],
  ['gpt-5m, v2s, 1e5s', null],
  ['', null],
])('a wait is read from the sentence %j', (message, waitMs) => {
  const reply = readableReply({ status: 429, headers: [], body: Buffer.from(JSON.stringify({ message })) });
  expect(askedWaitMs([{ locators: [{ at: 'json', paths: ['$.message'] }], unitMs: null }], reply)).toBe(waitMs);
});

test('the waits that nobody names grow from about a second to about a minute', () => {
  expect([1, 2, 3, 4, 7, 50].map((attempt) => waitBeforeMs(null, attempt, () => 0.5))).toEqual([
    1000, 2000, 4000, 8000, 60_000, 60_000,
  ]);
  expect([waitBeforeMs(null, 1, () => 0), waitBeforeMs(null, 1, () => 0.999)]).toEqual([500, 1499]);
});

test('a wait that is asked for and ever again too short grows too, from the fourth refusal on', () => {
  const waits = (askedMs: number) => [1, 2, 3, 4, 5, 6].map((attempt) => waitBeforeMs(askedMs, attempt, () => 0.5));
  expect(waits(500)).toEqual([500, 500, 500, 1000, 2000, 4000]);
  expect(waits(3000)).toEqual([3000, 3000, 3000, 3000, 3000, 4000]);
});

test('HTTP dates are those of the calendar', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }), (date) => {
      const atMs = Math.floor(date.getTime() / 1000) * 1000;
      const text = date.toUTCString();
      for (const form of [text, text.replace('GMT', 'UTC'), text.replace(/(\w) (\w{3}) (\d)/, '$1-$2-$3')]) {
        expect(parseHttpDate(form)).toBe(atMs);
      }
    }),
  );
});

test.each([
  '',
  'Sun, 06 Foo 1994 08:49:37 GMT',
  '1994-11-06',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun Nov  6 08:49:37 1994',
  'Sunday, 06-Nov-94 08:49:37 GMT',
])('the text %j is no HTTP date', (text) => {
  expect(parseHttpDate(text)).toBeNull();
});

test.each([
  [{ image_url: 'https://cdn.example/x.png' }, "a URL is at $.data[0].image_url: write result: { from: url, at: '"],
  [{ image: MEDIA.png.bytes.toString('base64') }, 'base64 of media is at $.data[0].image: write result: { from: b64, '],
  [{ image: 'data:image/png;base64,AAAA' }, 'a data URI is at $.data[0].image: write result: { from: data_uri, '],
])('a reply without an output where the target says names the place of one in it: %#', (data, there) => {
  const { result } = targetWith({ result: { from: 'url', at: '$.url' } });
  const body = { id: 7, data: [data] };
  const read = { headers: [], body: Buffer.from(JSON.stringify(body)) };
  expect(readOutput(result, read, reply(body))).toMatchObject({
    code: 'no_result',
    message: expect.stringContaining(`no text at $.url; ${there}`),
  });
});
