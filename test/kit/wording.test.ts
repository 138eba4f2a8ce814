import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decodeReason, failureMessage } from '../../src/kit/outcome-words.ts';
import {
  dayOrTime,
  epochMs,
  localClock,
  localDay,
  parseDurationMs,
  parseRatePerSecond,
  parseShare,
  roughTime,
  timeLeftWords,
} from '../../src/kit/time.ts';
import { printedBeside } from '../../src/kit/value-words.ts';
import {
  bytes,
  count,
  duration,
  durationInterval,
  durationUnit,
  elapsed,
  listed,
  listedInShort,
  oneOf,
  plural,
  rate,
  rateUnit,
  share,
  shareAtMost,
  shareInterval,
  significant,
  unbroken,
  usd,
} from '../../src/kit/wording.ts';

test.each([
  ['250ms', 250],
  ['2s', 2000],
  ['1.5s', 1500],
  ['10m', 600_000],
  ['1h', 3_600_000],
  ['2', null],
  ['2 s', null],
  ['-1s', null],
  ['2sec', null],
  [`${'9'.repeat(400)}s`, null],
])('the duration %j is %j ms', (text, expected) => {
  expect(parseDurationMs(text)).toBe(expected);
});

test.each([
  ['2/s', 2],
  ['30/min', 0.5],
  ['36/h', 0.01],
  ['2', null],
  ['2/m', null],
])('the rate %j is %j a second', (text, expected) => {
  expect(parseRatePerSecond(text)).toBe(expected);
});

test.each([
  ['5%', 0.05],
  ['0.5%', 0.005],
  ['100%', 1],
  ['5', null],
  ['0.05', null],
])('the percentage %j is the share %j', (text, expected) => {
  expect(parseShare(text)).toBe(expected);
});

test('a rough time is rounded to what an estimate can say', () => {
  expect([1, 299, 7200, 59_500, 61_000, 272_000, 1_530_000, 5_100_000, 7_190_000].map(roughTime)).toEqual([
    '1 s',
    '1 s',
    '8 s',
    '1 min',
    '1 min',
    '4 min 30 s',
    '26 min',
    '1 h 25 min',
    '2 h',
  ]);
});

test('a time left is at most what it says where the gate may be decided before the plan has ended', () => {
  expect([false, true].map((mayEndEarly) => timeLeftWords(8000, mayEndEarly))).toEqual([
    'about 8 s left',
    'at most 8 s left',
  ]);
});

describe('quantities in words', () => {
  it('the words of a quantity print durations in three digits, in the unit of their column', () => {
    expect(duration(842.4)).toBe('842 ms');
    expect(duration(1243)).toBe('1.24 s');
    expect(duration(999.6)).toBe('1.00 s');
    expect(duration(84_249)).toBe('84.2 s');
    expect(duration(0.1234)).toBe('0.123 ms');
    expect(duration(310, durationUnit([310, null, 2150]))).toBe('0.310 s');
    expect(durationInterval(1180, 1310)).toBe('1.18 – 1.31 s');
  });

  it('the words of a quantity print how long a run took', () => {
    expect([elapsed(842), elapsed(42_000), elapsed(252_000), elapsed(3_780_000), elapsed(59_600)]).toEqual([
      '842 ms',
      '42.0 s',
      '4 min 12 s',
      '1 h 03 min',
      '1 min 00 s',
    ]);
  });

  it('the words of a quantity never print some as none or all', () => {
    expect([share(0), share(1), share(0.0001), share(0.99999), share(0.041), share(0.5)]).toEqual([
      '0 %',
      '100 %',
      '< 0.1 %',
      '> 99.9 %',
      '4.1 %',
      '50.0 %',
    ]);
  });

  it('the words of a quantity round bounds away from what they bound', () => {
    expect([shareAtMost(0.0411), shareAtMost(0.041), shareAtMost(0.5)]).toEqual(['4.2 %', '4.1 %', '50.0 %']);
    expect(shareInterval(0, 0.09739)).toBe('0 – 9.8 %');
    expect(shareInterval(0.0279, 1)).toBe('2.7 – 100 %');
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (value) => {
        expect(Number.parseFloat(shareAtMost(value)) / 100).toBeGreaterThanOrEqual(value - 1e-11);
      }),
    );
  });

  it('the words of a quantity print rates, money, sizes and numbers', () => {
    expect([rate(0.848, 's'), rate(0.05, rateUnit([0.05, null]))]).toEqual(['0.848 / s', '3.00 / min']);
    expect([usd(0), usd(0.0123), usd(12.5)]).toEqual(['$0.00', '$0.0123', '$12.50']);
    expect([bytes(999), bytes(412_345), bytes(8_201_932_800)]).toEqual(['999 B', '412 kB', '8.20 GB']);
    expect([count(0), count(999), count(1_234_567)]).toEqual(['0', '999', '1,234,567']);
    expect([plural(1, 'take'), plural(2, 'take'), plural(0, 'take')]).toEqual(['1 take', '2 takes', '0 takes']);
  });

  it('the words of a quantity keep three significant digits and no exponent', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (value) => {
        const text = significant(value);
        expect(text).toMatch(/^\d+(\.\d+)?$/);
        expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(value * 0.00501);
      }),
    );
  });
});

const size = fc.double({ min: -1e4, max: 1e4, noNaN: true });
const width = fc.double({ min: 1e-6, max: 1e4, noNaN: true });

it('a score beside its interval: as many digits as tell its ends apart, and on which side of 0 they are', () => {
  fc.assert(
    fc.property(size, width, (low, wide) => {
      const high = low + wide;
      const { value } = printedBeside({ low, high }, 'score');
      const read = (words: string) => Number(words.replace('−', '-').replaceAll(',', ''));
      const [printedLow, printedHigh] = [read(value(low)), read(value(high))];
      expect(printedLow).toBeLessThan(printedHigh);
      // Rounded by at most a tenth of the interval, but for an end that would be 0.
      expect(Math.abs(printedHigh - high)).toBeLessThanOrEqual(wide / 9);
      if (Math.abs(low) > 1e-6) expect(Math.sign(printedLow)).toBe(Math.sign(low));
    }),
  );
});

it.each<[number, number, number, string, string]>([
  [-0.0493, -0.0524, -0.0461, '−0.049', '[−0.052, −0.046]'],
  [0.0008, -0.0018, 0.0029, '+0.0008', '[−0.0018, +0.0029]'],
  [-1.2, -3.4, 1, '−1.2', '[−3.4, +1.0]'],
  [412.4, 380, 460, '+412', '[+380, +460]'],
  [-22_886, -24_785, -20_987.4, '−22,886', '[−24,785, −20,987]'],
])('a difference of %d in [%d, %d] is %s %s', (value, low, high, words, interval) => {
  const print = printedBeside({ low, high }, 'score');
  expect([print.difference(value), print.differenceInterval(low, high)]).toEqual([words, interval]);
});

describe('decodeReason', () => {
  test.each([
    [{ code: 'digest_changed' }, 'the stored file has changed: its digest does not match'],
    [{ code: 'timed_out', limitMs: 1 }, 'decoding took longer than 0.001 s and was stopped'],
    [{ code: 'package_missing', package: 'node-av' }, 'node-av, the package for video, is not installed'],
    [{ code: 'not_decodable', detail: 'VipsJpeg: premature end' }, 'VipsJpeg: premature end'],
    [{ code: 'not_supported', detail: 'no decoder for vp9 with alpha' }, 'no decoder for vp9 with alpha'],
  ] as const)('decodeReason puts %j into words', (reason, words) => {
    expect(decodeReason(reason)).toBe(words);
  });

  test.each([
    ['2.0.0', 'node-av 2.0.0, the package for video, does not load (Retake needs ^6.1.1): no binding'],
    [null, 'node-av of unknown version, the package for video, does not load (Retake needs ^6.1.1): no binding'],
  ])('decodeReason says which version of a package does not load, and why: %s', (version, words) => {
    const broken = { code: 'package_broken', package: 'node-av', needs: '^6.1.1', detail: 'no binding' } as const;
    expect(decodeReason({ ...broken, version })).toBe(words);
  });
});

describe('failureMessage', () => {
  test('failureMessage gives the words of the service, and of an undecodable output the reason', () => {
    expect(failureMessage({ outcome: 'error', message: 'try later', undecodable: null })).toBe('try later');
    expect(
      failureMessage({
        outcome: 'invalid_media',
        message: '',
        undecodable: { code: 'not_decodable', detail: 'it has no video stream' },
      }),
    ).toBe('it has no video stream');
  });
});

it('epochMs reads UTC times as the platform does', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1600-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      expect(epochMs(date.toISOString())).toBe(date.getTime());
    }),
  );
  expect(epochMs('2024-02-29T23:59:59Z')).toBe(Date.UTC(2024, 1, 29, 23, 59, 59));
});

it('epochMs reads nothing else', () => {
  for (const text of ['', 'yesterday', '2026-11-20', '2026-11-20T15:45:00+01:00']) expect(epochMs(text)).toBeNull();
});

it('an axis of times tells day and time, then the time until the day changes; days alone if no two ticks share one', () => {
  const clocks = ['2026-11-20 15:45', '2026-11-20 23:59 UTC', '2026-11-21 00:00'];
  expect(dayOrTime(clocks)).toEqual(['11-20 15:45', '23:59', '11-21 00:00']);
  expect(dayOrTime(clocks.slice(1))).toEqual(['2026-11-20', '2026-11-21']);
});

it('there is no local time of what is no time, nor where it is UTC', () => {
  expect([localClock('yesterday'), localClock('2026-11-20T15:45:00Z')]).toEqual([null, null]);
  expect(localDay('2026-11-20T15:45:00Z')).toBe('2026-11-20');
});

describe('unbroken words', () => {
  it('unbroken words keep a number and its unit on one line', () => {
    expect(unbroken('at most 11.8 % differ (95 % bound, n = 24), after 120 s or 1 h 03 min')).toBe(
      'at most 11.8\u00a0% differ (95\u00a0% bound, n\u00a0=\u00a024), after 120\u00a0s or 1\u00a0h 03\u00a0min',
    );
  });

  it('unbroken words leave every other space as it was', () => {
    const words = '12 of 12 cells, 3 samples, 2 shards, a % sign, take 1 s-curve';
    expect(unbroken(words)).toBe(words);
  });
});

test('words in a sentence have commas, and a word before the last', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed)).toEqual(['', 'a', 'a and b', 'a, b and c']);
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(oneOf)).toEqual(['', 'a', 'a or b', 'a, b or c']);
});

test('words beyond six are counted after the first three, never as "and 1 more"', () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `v${at + 1}`);
  expect(listedInShort(words(6))).toBe('v1, v2, v3, v4, v5 and v6');
  expect(listedInShort(words(7))).toBe('v1, v2, v3 and 4 more');
  expect(listedInShort(words(1003))).toBe('v1, v2, v3 and 1,000 more');
});
