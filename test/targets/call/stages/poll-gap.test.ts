import { expect, test } from 'vitest';
import { pollGapMs, secondPollGapMs } from '../../../../src/targets/call/stages/wait.ts';

test.each([
  [100, 0, 100],
  [100, 5_000, 100],
  [100, 10_000, 200],
  [1000, 600_000, 12_000],
])('the gap of every %i ms at least, after %i ms, is %i ms', (minEveryMs, elapsedMs, gapMs) => {
  expect(pollGapMs(minEveryMs, elapsedMs)).toBe(gapMs);
});

test('the second poll falls anywhere in the gap after the first', () => {
  expect([0, 0.25, 0.99].map((share) => secondPollGapMs(100, 0, share))).toEqual([0, 25, 99]);
});
