import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInFlight } from '../../../src/run/wire.ts';

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
