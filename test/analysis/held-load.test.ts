import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fewestThatHold, type HeldTake, holdAlpha, limitFindings } from '../../src/analysis/held-load.ts';
import { createRandom } from '../../src/statistics/random.ts';
import type { HeldLimit } from '../../src/suite/sweep.ts';

const P95: HeldLimit = { name: 'p95', limitMs: 100, share: 0.05 };

/** Independent takes, of which so many are late. */
function takes(n: number, late: number): readonly HeldTake[] {
  const random = createRandom(n + late);
  const all = Array.from({ length: n }, (_, at) => ({
    ms: at < late ? 200 + random.uniform() : 50 * random.uniform(),
    missed: false,
  }));
  return random.shuffle(all);
}

describe('a load', () => {
  // R: ceiling(log(0.05 / claims) / log(1 - share))
  it.each([
    [1, 0.05, 59],
    [5, 0.05, 90],
    [10, 0.05, 104],
    [1, 0.01, 299],
    [5, 0.01, 459],
  ])(
    'a load of %i claims needs so many takes, none of them bad, to hold a share of %d (%i)',
    (claims, share, fewest) => {
      expect(fewestThatHold(0, share, holdAlpha(claims, 1).holds)).toBe(fewest);
    },
  );

  it('a load holds its limit when enough independent takes are within it, fails when too many are beyond, else neither', () => {
    const shows = (n: number, late: number) => limitFindings(takes(n, late), [P95], holdAlpha(4, 1))[0]?.shows;
    expect([shows(400, 0), shows(400, 60), shows(400, 18), shows(40, 0)]).toEqual(['holds', 'fails', null, null]);
  });

  it('a load with few takes says how many takes would show that it holds; none would, where more than the limit are beyond', () => {
    const [few, many] = [takes(60, 0), takes(60, 4)].map((some) => limitFindings(some, [P95], holdAlpha(4, 1))[0]);
    expect(few?.needs).toBeGreaterThanOrEqual(86);
    expect(few?.needs).toBeLessThan(3 * 86);
    expect(many).toMatchObject({ shows: null, needs: null });
  });

  it('a load is worth fewer takes where they come in busy periods', () => {
    const busy = Array.from({ length: 400 }, (_, at) => ({
      ms: Math.floor(at / 40) % 5 === 0 ? 90 : 10,
      missed: false,
    }));
    const found = limitFindings(busy, [P95], holdAlpha(4, 1))[0];
    expect(found?.effective).toBeLessThan(60);
    expect(found?.shows).toBe(null);
  });

  test('a take that missed the load is beyond every limit, however fast it was', () => {
    const missed = takes(400, 0).map((take, at) => ({ ...take, missed: at % 4 === 0 }));
    for (const limit of [P95, { name: 'errors', limitMs: null, share: 0.05 } as const])
      expect(limitFindings(missed, [limit], holdAlpha(4, 1))[0]).toMatchObject({ bad: 100, shows: 'fails' });
  });

  test('one more late take never makes a load hold, and its bounds contain its share', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.nat(300),
        fc.double({ min: 0.01, max: 0.5, noNaN: true }),
        (n, late, share) => {
          const limit = { ...P95, share };
          const of = (bad: number) => limitFindings(takes(n, Math.min(n, bad)), [limit], holdAlpha(3, 2))[0];
          const [found, worse] = [of(late), of(late + 1)];
          if (found === undefined || worse === undefined) throw new Error('a load with takes has a finding');
          expect(found.low).toBeLessThanOrEqual(found.bad / n + 1e-12);
          expect(found.high).toBeGreaterThanOrEqual(found.bad / n - 1e-12);
          expect([found.shows, worse.shows]).not.toEqual(['fails', 'holds']);
        },
      ),
      { numRuns: 200 },
    );
  });
});
