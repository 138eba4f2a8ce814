import { describe, expect, it } from 'vitest';
import { mayGoOn, type OrphanCall } from '../../../src/record/trial-histories.ts';
import { createOrphanWatch } from '../../../src/run/limits/abandoned-variants.ts';

const TIMEOUT = 1000;

/** A call that was sent at once and ended then. */
function call(outcome: OrphanCall['outcome'], startedMs: number, endedMs: number): OrphanCall {
  return { outcome, marks: { startedMs, sentMs: startedMs + 1 }, endedMs, timeoutMs: TIMEOUT };
}

describe('whether the service may be at work on a call that was abandoned', () => {
  const at = { startedMs: 0, sentMs: 1 };
  it.each([
    { what: 'sent, no answer', outcome: 'timed_out', marks: at, goesOn: true },
    { what: 'the head of a reply came, no end', outcome: 'timed_out', marks: { ...at, headersMs: 5 }, goesOn: true },
    {
      what: 'a job that is polled',
      outcome: 'timed_out',
      marks: { ...at, headersMs: 5, acceptedMs: 6, lastPendingMs: 900 },
      goesOn: true,
    },
    { what: 'aborted by the user', outcome: 'cancelled', marks: at, goesOn: true },
    { what: 'never connected', outcome: 'timed_out', marks: { startedMs: 0 }, goesOn: false },
    { what: 'aborted before it was sent', outcome: 'cancelled', marks: { startedMs: 0 }, goesOn: false },
    // Refused as throttled, and the wait for the next attempt outlasted the limit.
    { what: 'refused', outcome: 'timed_out', marks: { ...at, headersMs: 5, acceptedMs: 6 }, goesOn: false },
    {
      what: 'done, and only its download took too long',
      outcome: 'timed_out',
      marks: { ...at, acceptedMs: 6, lastPendingMs: 500, readyMs: 600 },
      goesOn: false,
    },
    { what: 'answered with an error', outcome: 'error', marks: at, goesOn: false },
    { what: 'delivered', outcome: 'ok', marks: at, goesOn: false },
  ] as const)('a request $what may go on at the service: $goesOn', ({ outcome, marks, goesOn }) => {
    expect(mayGoOn({ outcome, marks })).toBe(goesOn);
  });
});

describe('orphans', () => {
  it('orphans are beside what was in flight while they may have run: as long again as their limit', () => {
    const watch = createOrphanWatch();
    expect(watch.ended(call('ok', 0, 900))).toBe(false);
    // Its own orphan is not beside it.
    expect(watch.ended(call('timed_out', 0, 1000))).toBe(false);
    // In flight when it was abandoned, then begun beside it, then begun when it no longer counts.
    expect(watch.ended(call('ok', 950, 1100))).toBe(true);
    expect(watch.ended(call('ok', 1999, 2100))).toBe(true);
    expect(watch.ended(call('ok', 2000, 2200))).toBe(false);
    expect(watch.count()).toBe(1);
  });

  it('orphans are each counted, and a later one lasts longer', () => {
    const watch = createOrphanWatch();
    watch.ended(call('timed_out', 0, 1000));
    expect(watch.ended(call('timed_out', 500, 1500))).toBe(true);
    expect(watch.ended(call('ok', 2400, 2600))).toBe(true);
    expect(watch.ended(call('ok', 2500, 2700))).toBe(false);
    expect(watch.count()).toBe(2);
  });

  it('orphans do not end a longer one early', () => {
    const watch = createOrphanWatch();
    watch.ended({ ...call('timed_out', 0, 9000), timeoutMs: 9000 });
    watch.ended(call('timed_out', 8500, 9500));
    expect(watch.ended(call('ok', 17_000, 17_100))).toBe(true);
  });
});
