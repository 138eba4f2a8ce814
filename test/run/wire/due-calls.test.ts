import { expect, it } from 'vitest';
import { sleep } from '../../../src/run/clock.ts';
import { createDueCalls } from '../../../src/run/wire/wire-thread.ts';

/** A clock that is set by hand, and timers that never fire unless they are woken. */
function setUp() {
  const at = { ms: 0 };
  const due = createDueCalls(
    () => at.ms,
    (_ms, signal) => sleep(1e9, signal),
  );
  const went: string[] = [];
  const hold = (name: string, dueMs: number, signal = new AbortController().signal) =>
    due.until(dueMs, signal).then(() => void went.push(name));
  return { at, due, went, hold };
}

it('a look lets go of what is due, and of nothing else, though no timer has fired', async () => {
  const { at, due, went, hold } = setUp();
  const calls = [hold('first', 10), hold('second', 20), hold('third', 30)];
  due.look();
  at.ms = 20;
  due.look();
  await Promise.all(calls.slice(0, 2));
  expect(went).toEqual(['first', 'second']);
  at.ms = 31;
  due.look();
  await calls[2];
  expect(went).toEqual(['first', 'second', 'third']);
});

it('what is overdue goes at once, and what is aborted too', async () => {
  const { at, went, hold } = setUp();
  at.ms = 50;
  await hold('overdue', 10);
  const broken = new AbortController();
  const call = hold('aborted', 100, broken.signal);
  broken.abort();
  await call;
  expect(went).toEqual(['overdue', 'aborted']);
});

it('a timer that ends early does not let a call go early', async () => {
  const started = performance.now();
  const now = () => performance.now() - started;
  const due = createDueCalls(now, (ms, signal) => sleep(Math.floor(ms / 2), signal));
  await due.until(20, new AbortController().signal);
  expect(now()).toBeGreaterThanOrEqual(20);
});
