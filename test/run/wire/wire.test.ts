import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, platform } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { sleep } from '../../../src/run/clock.ts';
import { createLoopWatch, hasHarnessLag, watchLoopDelay } from '../../../src/run/wire/loop-watch.ts';
import { createOutbox } from '../../../src/run/wire/outbox.ts';
import { createDueCalls } from '../../../src/run/wire/wire-thread.ts';
import { createInFlight, lowerPriority } from '../../../src/run/wire.ts';
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

describe('calls in flight', () => {
  it('a call in flight keeps its number for itself until it is removed', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 200 }), (steps) => {
        const inFlight = createInFlight<string>();
        const expected = new Map<number, string>();
        for (const [at, step] of steps.entries()) {
          const oldest = [...expected.keys()][step - 5];
          if (oldest === undefined) {
            const number = inFlight.add(`call ${at}`);
            expect(expected.has(number)).toBe(false);
            expected.set(number, `call ${at}`);
          } else {
            inFlight.remove(oldest);
            expected.delete(oldest);
          }
          for (const [number, call] of expected) expect(inFlight.get(number)).toBe(call);
          expect([...inFlight.items()].sort()).toEqual([...expected.values()].sort());
        }
      }),
    );
  });

  it('numbers stay below the most that were in flight at once', () => {
    const inFlight = createInFlight<number>();
    for (let call = 0; call < 1000; call += 1) {
      const number = inFlight.add(call);
      expect(number).toBeLessThan(4);
      if (call >= 3) inFlight.remove((call + 1) % 4);
    }
  });
});

describe('the outbox', () => {
  it('the outbox posts what was added in one turn together, in order, with all that is handed over', async () => {
    const posts: (readonly [readonly string[], number])[] = [];
    const outbox = createOutbox<string>(
      (messages, transfer) => posts.push([messages, transfer.length]),
      queueMicrotask,
    );
    outbox.add('a', [new ArrayBuffer(1)]);
    outbox.add('b');
    outbox.add('c', [new ArrayBuffer(1), new ArrayBuffer(1)]);
    expect(posts).toEqual([]);
    await Promise.resolve();
    outbox.add('d');
    await Promise.resolve();
    expect(posts).toEqual([
      [['a', 'b', 'c'], 3],
      [['d'], 0],
    ]);
  });

  it('the outbox posts at once what is flushed, behind what waited, and nothing twice', async () => {
    const posts: (readonly string[])[] = [];
    const outbox = createOutbox<string>((messages) => posts.push(messages), queueMicrotask);
    outbox.add('a call');
    outbox.add('abort');
    outbox.flush();
    await Promise.resolve();
    expect(posts).toEqual([['a call', 'abort']]);
  });
});

/** The nice value of each thread of this process, by its id (proc(5)). */
function priorities(): ReadonlyMap<string, number> {
  return new Map(
    readdirSync('/proc/self/task').map((thread) => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      return [thread, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
    }),
  );
}

// A process that was started with a lower priority than that has nothing to lower.
it.skipIf(platform() !== 'linux' || getPriority() >= 10)(
  'lowerPriority puts the calling thread behind the others of its process, and no other',
  async () => {
    const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
    await once(worker, 'online');
    const before = priorities();
    // Others may come and go meanwhile.
    const changed = () =>
      [...priorities()].filter(([thread, priority]) => (before.get(thread) ?? priority) !== priority);
    const forward = lowerPriority();
    expect(changed()).toEqual([[String(process.pid), 10]]);
    expect(getPriority()).toBe(10);
    forward();
    // Only the superuser raises a priority.
    if (process.getuid?.() === 0) expect(changed()).toEqual([]);
    await worker.terminate();
  },
);

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

const PERIOD = 2;

/** A watch that began at 0 and was ticked at these times. */
function watched(...ticks: readonly number[]) {
  const watch = createLoopWatch(PERIOD, 0);
  for (const tick of ticks) watch.tick(tick);
  return watch;
}

describe('the delay before a stamp', () => {
  it.each([
    { what: 'on time', ticks: [2, 4, 6.5, 9], stamp: 7, delay: 0 },
    // The tick after 4 was due at 6 and came at 30.
    { what: 'before the stall', ticks: [2, 4, 30, 32, 34], stamp: 5.9, delay: 0 },
    { what: 'in the round that stalled', ticks: [2, 4, 30, 32, 34], stamp: 16, delay: 10 },
    { what: 'when the stall ended', ticks: [2, 4, 30, 32, 34], stamp: 30, delay: 24 },
    // What arrived meanwhile is read after the late tick, before the next one.
    { what: 'in the round that came back', ticks: [2, 4, 30, 32, 34], stamp: 31, delay: 24 },
    { what: 'after the next tick', ticks: [2, 4, 30, 32, 34], stamp: 33, delay: 0 },
    { what: 'in a stall that is still going on', ticks: [2, 4], stamp: 20, delay: 14 },
    { what: 'right after a stall, no tick yet since', ticks: [2, 4, 30], stamp: 31, delay: 24 },
    // The round that came back was long itself: what it read last had waited since the first stall.
    { what: 'in the second of two stalls', ticks: [2, 4, 30, 40], stamp: 39, delay: 24 },
    { what: 'after the second of two stalls', ticks: [2, 4, 30, 40], stamp: 41, delay: 8 },
    { what: 'a tick that is late by a timer', ticks: [2, 4, 10.9, 13], stamp: 11, delay: 0 },
  ])('the delay before a stamp: $what', ({ ticks, stamp, delay }) => {
    expect(watched(...ticks).delayBefore(stamp)).toBeCloseTo(delay, 9);
  });

  it('the delay before a stamp is known for an old stamp too, as long as it was not forgotten', () => {
    const ticks = Array.from({ length: 1000 }, (_, at) => (at + 1) * 20);
    const watch = watched(...ticks);
    expect(watch.delayBefore(110)).toBeCloseTo(18);
    watch.forget(10_000);
    expect(watch.delayBefore(110)).toBe(0);
    expect(watch.delayBefore(10_000)).toBeCloseTo(18);
  });

  it('the delay before a stamp is never longer than the time since the last tick but one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 2, max: 60 }), { minLength: 2, maxLength: 40 }),
        fc.nat(2500),
        (gaps, stamp) => {
          const ticks = gaps.map((_, at) => gaps.slice(0, at + 1).reduce((sum, gap) => sum + gap, 0));
          const before = [0, 0, ...ticks.filter((tick) => tick < stamp)];
          const delay = watched(...ticks).delayBefore(stamp);
          expect(delay).toBeGreaterThanOrEqual(0);
          expect(delay).toBeLessThanOrEqual(stamp - (before.at(-2) ?? 0));
        },
      ),
    );
  });
});

describe('harness lag', () => {
  // A tick every 2 ms, but for two stalls: 6 ms from 102 to 108, and 20 ms from 1002 to 1022.
  const watch = createLoopWatch(PERIOD, 0);
  for (let at = 2; at < 1200; at += 2) if (!(at >= 102 && at < 108) && !(at >= 1002 && at < 1022)) watch.tick(at);

  it.each([
    { what: 'a late start of a short call', marks: { startedMs: 109, doneMs: 209 }, lag: true },
    // 6 ms are below 1 % of 800 ms.
    { what: 'the same delay before a long one', marks: { startedMs: 109, doneMs: 909 }, lag: false },
    { what: 'a late last byte', marks: { startedMs: 120, readyMs: 500, doneMs: 1023 }, lag: true },
    { what: 'a late reply that said done', marks: { startedMs: 120, readyMs: 1023, doneMs: 1100 }, lag: true },
    { what: 'a delay in between', marks: { startedMs: 120, readyMs: 500, doneMs: 900 }, lag: false },
  ])('harness lag: $what', ({ marks, lag }) => {
    expect(hasHarnessLag(watch, marks, marks.doneMs)).toBe(lag);
  });

  it('harness lag of a call that delivered nothing is measured by when it ended', () => {
    expect(hasHarnessLag(watch, { startedMs: 109 }, 209)).toBe(true);
    expect(hasHarnessLag(watch, { startedMs: 109 }, 120_109)).toBe(false);
  });
});
