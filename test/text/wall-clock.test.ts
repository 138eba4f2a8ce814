import fc from 'fast-check';
import { expect, it } from 'vitest';
import { epochMs } from '../../src/text/wall-clock.ts';

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
