import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/record/codes.ts';
import { createFailureLimit } from '../../../src/run/limits.ts';

/** After how many of these samples the limit stops the run; null: never. */
function stopsAfter(outcomes: readonly Outcome[], limit: number): number | null {
  const failures = createFailureLimit(limit);
  const at = outcomes.findIndex((outcome) => failures.count(outcome) !== null);
  return at < 0 ? null : at + 1;
}

const all = (outcome: Outcome, n: number): Outcome[] => Array.from({ length: n }, () => outcome);
const everySecond = (n: number): Outcome[] => Array.from({ length: n }, (_, at) => (at % 2 === 0 ? 'error' : 'ok'));

describe('the failure limit', () => {
  it.each([
    // Nothing is said before 20 samples, however bad they are.
    { what: 'only failures', outcomes: all('error', 30), limit: 0.5, stops: 20 },
    { what: 'only failures, few of them', outcomes: all('error', 19), limit: 0.5, stops: null },
    // The service did its work: it refused the prompt.
    { what: 'moderated', outcomes: all('moderated', 100), limit: 0, stops: null },
    { what: 'all well, none allowed', outcomes: all('ok', 100), limit: 0, stops: null },
    // Half failing is not significantly above a half, however long it goes on.
    { what: 'half failing at a limit of a half', outcomes: everySecond(400), limit: 0.5, stops: null },
    { what: 'what stayed throttled counts', outcomes: all('throttled', 30), limit: 0.5, stops: 20 },
    { what: 'aborted by the user', outcomes: all('cancelled', 100), limit: 0.1, stops: null },
    { what: 'a limit of everything', outcomes: all('error', 100), limit: 1, stops: null },
  ])('the failure limit: $what', ({ outcomes, limit, stops }) => {
    expect(stopsAfter(outcomes, limit)).toBe(stops);
  });

  it('the failure limit stops sooner the further above the limit, and gives how far', () => {
    const atHalf = stopsAfter(everySecond(400), 0.2);
    const atAll = stopsAfter(all('error', 400), 0.2);
    expect(atHalf).toBeGreaterThan(atAll ?? 0);
    const failures = createFailureLimit(0.25);
    const exceeded = all('error', 20)
      .map((outcome) => failures.count(outcome))
      .at(-1);
    expect(exceeded).toEqual({ failed: 20, samples: 20, limit: 0.25 });
  });
});
