import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLoopWatch, hasHarnessLag } from '../../../src/run/wire/loop-watch.ts';

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
