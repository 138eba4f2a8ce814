import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Locator } from '../../../src/targets/language/locator.ts';
import { askedWaitMs, parseHttpDate, readableReply, waitBeforeMs } from '../../../src/targets/reply/reply.ts';

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
  [{ 'retry-after': 'Sunday, 06-Nov-94 08:49:37 GMT', date: 'Sun, 06 Nov 1994 08:49:07 GMT' }, 30_000],
  [{ 'retry-after': 'Sun Nov  6 08:49:37 1994', date: 'Sunday, 06-Nov-94 08:49:07 GMT' }, 30_000],
  // Without a date of the server, by the clock of this machine, for a minute at most.
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT' }, 20_000],
  [{ 'retry-after': 'Thursday, 01-Jan-26 00:00:20 GMT' }, 20_000],
  [{ 'retry-after': 'Thu Jan  1 00:00:20 2026' }, 20_000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 03:00:00 GMT' }, 60_000],
  [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:59 GMT' }, null],
  // A header that came twice.
  [{ 'retry-after': '4, 4' }, 4000],
  [{ 'retry-after': '4, 9' }, 9000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT, Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Thursday, 01-Jan-26 00:00:20 GMT, 7' }, 20_000],
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

test('HTTP dates are those of the calendar, in each form', () => {
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  fc.assert(
    fc.property(fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }), (date) => {
      const atMs = Math.floor(date.getTime() / 1000) * 1000;
      const [, name = '', day = '', month = '', year = '', time = ''] =
        /(\w+), (\d+) (\w+) \d*?(\d\d\d\d) (\S+)/.exec(date.toUTCString()) ?? [];
      expect(parseHttpDate(date.toUTCString(), 0)).toBe(atMs);
      const whole = days.find((each) => each.startsWith(name)) ?? '';
      expect(parseHttpDate(`${whole}, ${day}-${month}-${year.slice(2)} ${time} GMT`, atMs)).toBe(atMs);
      expect(parseHttpDate(`${name} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`, 0)).toBe(atMs);
    }),
  );
});

test.each([
  ['26', 2026, 2026],
  ['76', 2026, 2076],
  ['77', 2026, 1977],
  ['94', 2026, 1994],
  ['00', 2099, 2000],
  ['94', 1994, 1994],
])('the year %s of two digits, read in %i, is %i', (digits, now, year) => {
  const parsed = parseHttpDate(`Sunday, 06-Nov-${digits} 08:49:37 GMT`, Date.UTC(now, 6, 1));
  expect(parsed).toBe(Date.UTC(year, 10, 6, 8, 49, 37));
});

test.each(['', 'Sun, 06 Foo 1994 08:49:37 GMT', '1994-11-06', 'Sun, 06 Nov 1994 08:49:37', 'Sun Nov 6 08:49:37 1994'])(
  'the text %j is no HTTP date',
  (text) => {
    expect(parseHttpDate(text, 0)).toBeNull();
  },
);
