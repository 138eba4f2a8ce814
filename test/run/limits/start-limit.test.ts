import { expect, test } from 'vitest';
import { allowed, limitAfterRefusal, limitAfterTaken, type StartLimit } from '../../../src/run/limits/starts.ts';

/** What happens, at milliseconds 0, 1, 2, ...: `x` a refusal, `o` a call that was taken; both were sent just before. */
function after(events: string, declared: number): StartLimit {
  return [...events].reduce<StartLimit>((limit, event, atMs) => {
    const sentMs = atMs - 0.5;
    return event === 'x'
      ? limitAfterRefusal(limit, { declared, sentMs, atMs })
      : limitAfterTaken(limit, { declared, sentMs });
  }, null);
}

test.each([
  { events: '', declared: 8, inFlight: 8 },
  { events: 'oooo', declared: 8, inFlight: 8 },
  { events: 'x', declared: 8, inFlight: 4 },
  { events: 'x', declared: 7, inFlight: 3 },
  { events: 'xx', declared: 8, inFlight: 2 },
  { events: 'xxxxxx', declared: 8, inFlight: 1 },
  { events: 'x', declared: 1, inFlight: 1 },
  // One more once as many were taken as are allowed.
  { events: 'xxxo', declared: 8, inFlight: 2 },
  { events: 'xxxooo', declared: 8, inFlight: 3 },
  { events: 'xxxooooo', declared: 8, inFlight: 3 },
  { events: 'xxxoooooo', declared: 8, inFlight: 4 },
  { events: `xxx${'o'.repeat(1 + 2 + 3 + 4 + 5 + 6 + 7)}`, declared: 8, inFlight: 8 },
  // Refused again on the way up: half of that.
  { events: 'xxxoooooox', declared: 8, inFlight: 2 },
  { events: 'xo', declared: 2, inFlight: 2 },
])('the limit of starts after "$events" of $declared declared is $inFlight', ({ events, declared, inFlight }) => {
  expect(allowed(after(events, declared), declared)).toBe(inFlight);
});

test('the limit of starts is lowered once by refusals that were sent together', () => {
  const together = [10, 11, 12, 13].reduce<StartLimit>(
    (limit, atMs) => limitAfterRefusal(limit, { declared: 8, sentMs: 5, atMs }),
    null,
  );
  expect(allowed(together, 8)).toBe(4);
  expect(allowed(limitAfterRefusal(together, { declared: 8, sentMs: 20, atMs: 21 }), 8)).toBe(2);
});

test('the limit of starts is not raised by calls that were sent before it was lowered', () => {
  const lowered = limitAfterRefusal(null, { declared: 2, sentMs: 5, atMs: 10 });
  expect(allowed(limitAfterTaken(lowered, { declared: 2, sentMs: 6 }), 2)).toBe(1);
  expect(limitAfterTaken(lowered, { declared: 2, sentMs: 11 })).toBeNull();
});

test('the limit of starts is gone once it reaches what is declared, and never above that of a smaller step', () => {
  expect(after('xo', 2)).toBeNull();
  expect(allowed(after('x', 16), 4)).toBe(4);
});
