import { expect, test } from 'vitest';
import { firstGapMs, pollGapMs } from '../../src/target/poll-gap.ts';

test.each([
  [100, 0, 100],
  [100, 5_000, 100],
  [100, 10_000, 200],
  [1000, 600_000, 12_000],
])('every %i ms at least, after %i ms: %i ms', (minEveryMs, elapsedMs, gapMs) => {
  expect(pollGapMs(minEveryMs, elapsedMs)).toBe(gapMs);
});

test('the first poll falls anywhere in the first gap', () => {
  expect([0, 0.25, 0.99].map((share) => firstGapMs(100, 0, share))).toEqual([0, 25, 99]);
});
