import { expect, test } from 'vitest';
import { sleep } from '../../../src/run/clock.ts';
import { createAbort } from '../../../src/targets/wire.ts';

test('a sleep is never cut short, whatever fraction of a millisecond it ends with', async () => {
  const never = createAbort().signal;
  const slept = await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const ms = 2 + at / 37;
      const beganMs = performance.now();
      await sleep(ms, never);
      return performance.now() - beganMs - ms;
    }),
  );
  expect(Math.min(...slept)).toBeGreaterThanOrEqual(0);
});

test('a sleep ends when it is aborted', async () => {
  const abort = new AbortController();
  const slept = sleep(3_600_000, abort.signal);
  abort.abort();
  await slept;
  await sleep(3_600_000, abort.signal);
});
