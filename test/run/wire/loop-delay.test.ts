import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { watchLoopDelay } from '../../../src/run/wire/loop-watch.ts';

/** Holds the event loop up. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('the delay of the event loop', () => {
  it('a loop that is held up while it is watched: is late by that', async () => {
    const watch = watchLoopDelay(2);
    await pause(20);
    block(150);
    await pause(20);
    expect(watch.read().maxMs).toBeGreaterThan(100);
    watch.close();
  });

  it('a rest counts as no delay, neither itself nor what happens in it, and what was late before still counts', async () => {
    const watch = watchLoopDelay(2);
    await pause(20);
    block(150);
    await pause(20);
    const before = watch.read().maxMs;
    watch.rest(true);
    block(before + 500);
    await pause(before + 500);
    watch.rest(false);
    await pause(20);
    const { maxMs } = watch.read();
    expect(maxMs).toBeGreaterThanOrEqual(before);
    expect(maxMs).toBeLessThan(before + 500);
    watch.close();
  });
});
