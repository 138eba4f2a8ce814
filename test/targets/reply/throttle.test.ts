import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Locator } from '../../../src/targets/language/locator.ts';
import { readableReply } from '../../../src/targets/reply/reply.ts';
import { askedWaitMs, parseHttpDate, waitBeforeMs } from '../../../src/targets/reply/throttle.ts';

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
  [{ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, null],
])('the header %j asks for %j ms', (headers, waitMs) => {
  const reply = readableReply({ status: 429, headers: Object.entries(headers), body: new Uint8Array() });
  expect(askedWaitMs(AFTER, reply)).toBe(waitMs);
});

test('a wait is read from the body, in a unit that the target names', () => {
  const reply = readableReply({ status: 429, headers: [], body: Buffer.from('{"wait": 40, "s": "7"}') });
  expect(askedWaitMs([{ locators: [{ at: 'json', paths: ['$.wait'] }], unitMs: 1 }], reply)).toBe(40);
  expect(askedWaitMs([{ locators: [{ at: 'json', paths: ['$.s'] }], unitMs: null }], reply)).toBe(7000);
});

test.each([
  ['Rate limit reached. Please try again in 20s.', 20_000],
  ['try again in 1m20.5s', 80_500],
  ['retry in 120ms', 120],
  ['Expected available in 12 seconds.', 12_000],
  ['Limit: 3 / min. Wait 2 minutes 5 seconds', 125_000],
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
      expect(parseHttpDate(date.toUTCString())).toBe(Math.floor(date.getTime() / 1000));
    }),
  );
  for (const text of ['', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun, 06 Foo 1994 08:49:37 GMT', '1994-11-06']) {
    expect(parseHttpDate(text)).toBeNull();
  }
});
