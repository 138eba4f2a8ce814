import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberIn } from '../../../src/kit/decimal.ts';
import type { Json } from '../../../src/kit/json.ts';
import { readJson, readJsonText } from '../../../src/targets/language/json-limits.ts';
import { bytesOf, call, json, PNG } from '../call/calling.ts';
import { serve } from '../loopback.ts';

const VALUES = { code: 'json_too_large', message: 'the reply is JSON of more than 50000 values' };
const TINY = `[${'0,'.repeat(60_000)}0]`;

test('JSON within the limits is read as JSON.parse reads it, but for numbers above 2^53, which are texts', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), fc.boolean(), (text, spaced) => {
      const written = spaced ? JSON.stringify(JSON.parse(text), null, 2) : text;
      const numbers = (_key: string, item: unknown) => numberIn(item) ?? item;
      const { value = null, refused } = readJsonText(written);
      expect([JSON.parse(JSON.stringify(value), numbers), refused]).toEqual([JSON.parse(written, numbers), null]);
    }),
  );
});

test.each<[written: string, value: Json | undefined]>([
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', '9007199254740992'],
  ['[-9007199254740993,7309835418839273473]', ['-9007199254740993', '7309835418839273473']],
  ['{"a":1e400,"b":1e-400}', { a: '1e400', b: 0 }],
  ['[1.0,1E2,-0,1.50,0.1,5e-324]', [1, 100, -0, 1.5, 0.1, 5e-324]],
  ['[0.1000000000000000055]', [0.1]],
  ['["7309835418839273473","\\"7309835418839273473"]', ['7309835418839273473', '"7309835418839273473']],
  ['{"id":7,"score":NaN,"max":Infinity,"min":-Infinity}', { id: 7, score: null, max: null, min: null }],
  ['[07309835418839273473]', undefined],
  ['[7309835418839273473.]', undefined],
  ['[+7309835418839273473]', undefined],
  ['[7309835418839273473 7309835418839273473]', undefined],
  ['{"a":NaNa}', undefined],
  ['nan', undefined],
])('the JSON %s has its numbers, or is refused as ever', (written, value) => {
  expect(readJsonText(written)).toEqual({ value, refused: null });
});

test('a text that is not JSON has no value and is not refused', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json().map((text) => `${text}x`),
      ),
      (text) => {
        fc.pre(!isJson(text));
        expect(readJsonText(text)).toEqual({ value: undefined, refused: null });
      },
    ),
  );
  expect(readJson(Buffer.from('\ufeff{"a":1}'))).toEqual({ value: { a: 1 }, refused: null });
});

test.each([
  ['numbers', TINY, /values/],
  ['empty lists', `[${'[],'.repeat(60_000)}0]`, /values/],
  ['empty texts', `[${'"",'.repeat(60_000)}0]`, /values/],
  ['members', `{${Array.from({ length: 30_000 }, (_, at) => `"k${at}":1`).join()}}`, /values/],
  ['escaped quotes', `["${'\\"'.repeat(60_000)}"]`, /values/],
  ['values behind a byte order mark', `\ufeff${TINY}`, /values/],
  ['levels', `${'['.repeat(201)}${']'.repeat(201)}`, /nested deeper than 200/],
  ['levels that never end', '{"a":'.repeat(300), /nested deeper than 200/],
  ['blanks', `[${' '.repeat(3_000_000)}]`, /more than 2 MiB/],
  ['digits', '1'.repeat(3_000_000), /more than 2 MiB/],
  ['short texts', `[${`"${'a'.repeat(1000)}",`.repeat(3000)}0]`, /more than 2 MiB/],
])('JSON of too many %s is refused', (_what, text, refused) => {
  expect(readJsonText(text)).toEqual({ value: undefined, refused: expect.stringMatching(refused) });
});

test('images in base64 are no reason to refuse JSON, however large, nor are the slashes that PHP escapes', () => {
  const image = `${'A'.repeat(62)}\\/`.repeat(300_000);
  const text = `{"data":[{"b64":"${image}"},{"b64":"${image}"}]}`;
  expect(readJsonText(text)).toEqual({ value: JSON.parse(text), refused: null });
});

describe('a call whose reply is too much JSON ends as json_too_large', () => {
  const base64 = { result: { from: 'b64', at: '$.image' } };
  test.each([
    ['a submit', base64, TINY, VALUES],
    ['a submit, in a rule of fail', { ...base64, fail: [{ when: { at: '$.error' }, is: 'error' }] }, TINY, VALUES],
    ['a reply for captures', { wait: { capture: { id: '$.id' } } }, TINY, VALUES],
  ])('a call whose %s is too much JSON ends as json_too_large', async (_what, keys, body, error) => {
    const server = await serve((_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const { result } = await call(server.url, { keys });
    expect(result).toMatchObject({ outcome: 'error', httpStatus: 200, error });
    expect(server.seen.length).toBe(1);
  });

  test('a poll with too much JSON ends as json_too_large, and is not sent again', async () => {
    const server = await serve((seen, response) => {
      if (seen.method === 'POST') json(response, 200, { id: 1 });
      else response.end(TINY);
    });
    const wait = {
      capture: { id: '$.id' },
      poll: { path: '/j/${job.id}', min_every: '1ms' },
      state: { at: '$.state', success: ['done'] },
    };
    const { result } = await call(server.url, { keys: { wait } });
    expect(result).toMatchObject({ outcome: 'error', polls: 1, error: VALUES });
  });

  test('an event with too much JSON ends as json_too_large', async () => {
    const server = await serve((_seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: partial\ndata: ${TINY}\n\n`);
    });
    const keys = { ...base64, wait: { events: { partial: ['partial'], done: ['done'] } } };
    expect((await call(server.url, { keys })).result).toMatchObject({ outcome: 'error', error: VALUES });
  });

  test('a refusal with too much JSON keeps its own outcome', async () => {
    const server = await serve((_seen, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(TINY);
    });
    const { result } = await call(server.url, { keys: base64 });
    expect(result).toMatchObject({ outcome: 'rejected', error: { code: 'http_400' } });
  });
});

test('JSON within JSON is read up to the same limits', async () => {
  const info = (text: string) => JSON.stringify({ info: text, image: PNG.toString('base64') });
  const keys = { result: { from: 'b64', at: '$.image' }, meta: { seed: 'json:$.info>$[0]' } };
  for (const [text, seedEcho] of [
    ['[7]', '7'],
    [TINY, null],
  ] as const) {
    const server = await serve((_seen, response) => void response.end(info(text)));
    const { result } = await call(server.url, { keys });
    expect(bytesOf(result)).toEqual([[...PNG]]);
    expect(result.reported.seedEcho).toBe(seedEcho);
  }
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
