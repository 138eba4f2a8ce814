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
    block(60);
    await pause(20);
    expect(watch.read().maxMs).toBeGreaterThan(40);
    watch.close();
  });

  it('a rest counts as no delay, neither itself nor what happens in it, and what was late before still counts', async () => {
    const watch = watchLoopDelay(2);
    await pause(20);
    block(60);
    await pause(20);
    const before = watch.read().maxMs;
    watch.rest(true);
    block(before + 100);
    await pause(before + 100);
    watch.rest(false);
    await pause(20);
    const { maxMs } = watch.read();
    expect(maxMs).toBeGreaterThanOrEqual(before);
    expect(maxMs).toBeLessThan(before + 100);
    watch.close();
  });
});
