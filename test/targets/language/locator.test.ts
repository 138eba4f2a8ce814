import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/kit/json.ts';
import { type Locator, locate, locateAll, locateFirst, parseLocator } from '../../../src/targets/language/locator.ts';
import { readableReply } from '../../../src/targets/reply/reply.ts';

const BODY = {
  id: 'job-1',
  zero: 0,
  off: false,
  none: null,
  empty: '',
  list: [{ url: 'a' }, { url: 'b' }],
  nothing: [],
  info: '{"seed": 42, "deeper": "{\\"x\\": [1]}"}',
  'a>b': 'arrow',
};

function replyWith(body: string, status = 200, headers: [string, string][] = []) {
  return readableReply({ status, headers, body: Buffer.from(body) });
}

function locator(source: string): Locator {
  const parsed = parseLocator(source);
  if (!parsed.ok) throw new Error(parsed.cause);
  return parsed.locator;
}

const reply = replyWith(JSON.stringify(BODY), 202, [
  ['x-seed', '7'],
  ['via', 'a'],
  ['via', 'b'],
  ['server-timing', 'queue;dur=12.5;desc="a, b;dur=1", cache;desc="hit", Encode ; DUR = "7" , queue;dur=99'],
  ['server-timing', 'bad;dur=fast, late;desc=x;dur=0, db;dur=53,'],
]);

describe('what a locator finds', () => {
  test.each<[string, Json | undefined]>([
    ['status', 202],
    ['header:X-Seed', '7'],
    ['header:via', 'a, b'],
    ['header:missing', undefined],
    ['timing:queue', 12.5],
    ['timing: Encode', 7],
    ['timing:encode', undefined],
    ['timing:cache', undefined],
    ['timing:bad', undefined],
    ['timing:b', undefined],
    ['timing:late', 0],
    ['timing:db', 53],
    ['body', JSON.stringify(BODY)],
    ['$.id', 'job-1'],
    ['$.zero', 0],
    ['$.off', false],
    ['$.none', undefined],
    ['$.empty', undefined],
    ['$.nothing', undefined],
    ['$.list[1].url', 'b'],
    ['$.list[*].url', 'a'],
    ["$.list[?@.url == 'b'].url", 'b'],
    ['$..url', 'a'],
    ['$.id[0]', undefined],
    ['$.constructor', undefined],
    ['$.__proto__', undefined],
    ['$.list.length', undefined],
    ['json:$.info>$.seed', 42],
    ['json:$.info > $.deeper > $.x[0]', 1],
    ["json:$['a>b']", 'arrow'],
    ['json:$.id>$.seed', undefined],
    ['json:$.zero>$', undefined],
    ['last:$.list[*].url', 'b'],
    ['last:$.list[2:].url', undefined],
    ['last:json:$.info>$.deeper>$.x[*]', 1],
  ])('the locator %s finds %j', (source, value) => {
    expect(locate(locator(source), reply)).toEqual(value);
  });

  test('a locator takes the first of a list that is not empty', () => {
    const locators = ['$.none', '$.empty', 'header:nope', '$.off', '$.id'].map(locator);
    expect(locateFirst(locators, reply)).toBe(false);
    expect(locateFirst([], reply)).toBeUndefined();
  });

  test('a locator finds all that a path selects', () => {
    expect(locateAll(locator('$.list[*].url'), reply)).toEqual(['a', 'b']);
  });

  test('a body that is not JSON has no paths', () => {
    for (const body of ['', '<html>', '{"a":', '\u0000', 'null x']) {
      expect(locate(locator('$.a'), replyWith(body))).toBeUndefined();
    }
    expect(locate(locator('$.a'), replyWith(' \n{"a": 1}'))).toBe(1);
  });

  test('hostile nesting is not walked', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(locate(locator('$..x'), replyWith(deep))).toBeUndefined();
    expect(locate(locator('$..x'), replyWith(`${'{"a":'.repeat(150)}1${'}'.repeat(150)}`))).toBeUndefined();
  });
});

describe('what is wrong with a locator', () => {
  test.each([
    '',
    'stat',
    'header:',
    'header:a b',
    'timing:',
    'timing:a;b',
    'data.url',
    '$.a[',
    '$.a b',
    '$[?nope(@)]',
    'json:',
    'json:a>b',
    'json:$.a>',
  ])('a wrong locator is refused: %j', (source) => {
    expect(parseLocator(source)).toMatchObject({ ok: false });
  });
});
