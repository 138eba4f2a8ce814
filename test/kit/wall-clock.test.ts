import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayOrTime, epochMs, localClock, localDay } from '../../src/kit/time.ts';

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

it('an axis of times tells the day, then the time of day until the day changes', () => {
  expect(dayOrTime(['2026-11-20 15:45', '2026-11-20 23:59 UTC', '2026-11-21 00:00'])).toEqual([
    '2026-11-20',
    '23:59',
    '2026-11-21',
  ]);
});

it('there is no local time of what is no time, nor where it is UTC', () => {
  expect([localClock('yesterday'), localClock('2026-11-20T15:45:00Z')]).toEqual([null, null]);
  expect(localDay('2026-11-20T15:45:00Z')).toBe('2026-11-20');
});
