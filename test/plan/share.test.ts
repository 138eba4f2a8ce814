import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandPlan } from '../../src/plan/expand.ts';
import { isMeasured, type Plan, type Slice } from '../../src/plan/plan.ts';
import { type Dealt, findShareFault, type Share, shareOf } from '../../src/plan/share.ts';
import type { Trial } from '../../src/plan/trial.ts';
import type { Kind } from '../../src/suite/kind.ts';
import type { ClosedLoad, Limits, Load, OpenLoad } from '../../src/suite/load.ts';
import type { ProbeKind } from '../../src/suite/suite.ts';
import { CLOSED, OPEN, planInput, TWO_KINDS } from '../fixtures/plan-input.ts';
import { draws } from '../test-options.ts';

const CLOSED_BY_FOUR: ClosedLoad = { ...CLOSED, concurrency: 4 };
const NO_LIMITS: Limits = { timeoutMs: null, requests: null, usd: null, failures: 0.5 };

interface Parts {
  readonly prompts: number;
  readonly seeds: number;
  readonly repeats: number;
  readonly load: Load;
  readonly probes?: readonly ProbeKind[];
  readonly limits?: Limits;
  /** The kinds of each prompt. */
  readonly kindsOf?: (prompt: number) => readonly Kind[];
}

const BOTH: readonly Kind[] = ['text-to-image', 'anime-image'];

/** One variant costs ten times as much as the other. */
function mostUsdOf({ variant }: Pick<Trial, 'variant'>): number {
  return variant === TWO_KINDS[0]?.name ? 0.1 : 0.01;
}

function dealt({ load, limits = NO_LIMITS, kindsOf = () => BOTH, ...parts }: Parts): Dealt {
  const input = planInput({ variants: TWO_KINDS, load, kindsOf, ...parts });
  return { plan: expandPlan(input), load, limits, cases: input.cases, seeds: input.seeds, gate: [], mostUsdOf };
}

function sharesOf(whole: Dealt, of: number): readonly Share[] {
  return Array.from({ length: of }, (_, at) => shareOf(whole, { index: at + 1, of }));
}

const trialsOf = ({ slices }: Plan): readonly Trial[] => slices.flatMap(({ trials }) => trials);
const ids = (trials: readonly Trial[]) => trials.map(({ id }) => id).sort();
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

/** Which shards send each group of measured trials. */
function shardsBy(shares: readonly Share[], keyOf: (trial: Trial) => string): readonly ReadonlySet<number>[] {
  const found = new Map<string, Set<number>>();
  for (const [at, { plan }] of shares.entries()) {
    for (const trial of trialsOf(plan).filter(isMeasured)) {
      found.set(keyOf(trial), (found.get(keyOf(trial)) ?? new Set()).add(at));
    }
  }
  return [...found.values()];
}

const closedParts = fc.record({
  prompts: fc.integer({ min: 1, max: 6 }),
  seeds: fc.integer({ min: 1, max: 4 }),
  repeats: fc.integer({ min: 1, max: 3 }),
  load: fc.record({
    ...Object.fromEntries(Object.entries(CLOSED_BY_FOUR).map(([key, value]) => [key, fc.constant(value)])),
    order: fc.constantFrom('paired', 'mixed', 'sequential'),
    concurrency: fc.integer({ min: 1, max: 9 }),
    warmup: fc.integer({ min: 0, max: 2 }),
    shuffle: fc.integer({ min: 0, max: 99 }),
  }) as unknown as fc.Arbitrary<ClosedLoad>,
  probes: fc.constantFrom<readonly ProbeKind[]>([], ['seed'], ['seed', 'cache']),
});
const of = fc.integer({ min: 1, max: 5 });

/** Runs a check on every plan that can be split. */
function forEverySplit(check: (whole: Dealt, shares: readonly Share[]) => void): void {
  fc.assert(
    fc.property(closedParts, of, (parts, shards) => {
      const whole = dealt(parts);
      fc.pre(findShareFault(whole, shards) === null);
      check(whole, sharesOf(whole, shards));
    }),
    { numRuns: draws(60) },
  );
}

describe('shareOf', () => {
  it('the shares of a plan hold each of its trials once, but for warm-ups', () => {
    forEverySplit((whole, shares) => {
      const isDealt = ({ phase }: Trial) => phase !== 'warmup';
      const sent = shares.flatMap(({ plan }) => trialsOf(plan).filter(isDealt));
      expect(ids(sent)).toEqual(ids(trialsOf(whole.plan).filter(isDealt)));
      for (const { plan } of shares) expect(plan.requests).toBe(trialsOf(plan).length);
    });
  });

  it('a case-seed is sent by one shard with all its variants and repeats, and case-seeds are spread evenly', () => {
    forEverySplit((_whole, shares) => {
      const owners = shardsBy(shares, ({ prompt, seed }) => JSON.stringify([prompt, seed]));
      expect(owners.every((shards) => shards.size === 1)).toBe(true);
      const counts = shares.map((_, at) => owners.filter((shards) => shards.has(at)).length);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    });
  });

  it('case-seeds are dealt in the order in which the suite declares them', () => {
    const shares = sharesOf(dealt({ prompts: 2, seeds: 2, repeats: 1, load: CLOSED_BY_FOUR }), 3);
    const sent = shares.map(({ plan }) => [
      ...new Set(
        trialsOf(plan)
          .filter(isMeasured)
          .map(({ prompt, seed }) => `${prompt}/${seed}`),
      ),
    ]);
    expect(sent.map((each) => each.toSorted())).toEqual([['p0/1', 'p1/2'], ['p0/2'], ['p1/1']]);
  });

  it('the case-seeds of each kind are spread evenly, also where the suite alternates kinds', () => {
    const kindsOf = (prompt: number): readonly Kind[] => [prompt % 2 === 0 ? 'text-to-image' : 'anime-image'];
    const shares = sharesOf(dealt({ prompts: 6, seeds: 1, repeats: 1, load: CLOSED_BY_FOUR, kindsOf }), 2);
    const sent = shares.map(({ plan }) => trialsOf(plan).filter(isMeasured));
    const count = (trials: readonly Trial[], kind: Kind) =>
      new Set(trials.flatMap((trial) => (trial.kind === kind ? [trial.prompt] : []))).size;
    expect(sent.map((trials) => [count(trials, 'text-to-image'), count(trials, 'anime-image')])).toEqual([
      [2, 1],
      [1, 2],
    ]);
  });

  it('a share has the digest of the whole plan, and its slices stand in the order and at the places of the whole', () => {
    forEverySplit((whole, shares) => {
      for (const { plan } of shares) {
        expect(plan.digest).toBe(whole.plan.digest);
        for (const { index, trials } of plan.slices) {
          const places = trials.map(({ id }) => whole.plan.slices[index]?.trials.findIndex((each) => each.id === id));
          expect(places).toEqual([...places].sort((a = -1, b = -1) => a - b));
          expect(places).not.toContain(-1);
        }
        const indices = plan.slices.map(({ index }) => index);
        expect(indices).toEqual([...indices].sort((a, b) => a - b));
      }
    });
  });

  it('a share in paired order sends each of its blocks in slices that follow each other', () => {
    const load = { ...CLOSED_BY_FOUR, warmup: 0 };
    for (const { plan } of sharesOf(dealt({ prompts: 4, seeds: 3, repeats: 3, load }), 4)) {
      const rounds = new Map<string, Slice[]>();
      for (const slice of plan.slices) {
        const blocks = slice.trials.map(({ block }) => block).join(' ');
        rounds.set(blocks, [...(rounds.get(blocks) ?? []), slice]);
      }
      for (const slices of rounds.values()) {
        const kind = slices[0]?.trials[0]?.kind;
        expect(slices).toHaveLength(kind === 'anime-image' ? 1 : 2);
        const [first, last] = [slices[0], slices.at(-1)].map((slice) => (slice ? plan.slices.indexOf(slice) : -1));
        expect((last ?? 0) - (first ?? 0)).toBe(slices.length - 1);
      }
    }
  });

  it('the slots of all shards add up to the concurrency, and no slice has more than its shard', () => {
    forEverySplit((whole, shares) => {
      expect(sum(shares.map(({ load }) => load.concurrency))).toBe(whole.load.concurrency);
      for (const { plan, load } of shares) {
        expect(load.concurrency).toBeGreaterThanOrEqual(1);
        for (const { pace } of plan.slices) {
          expect(pace.mode === 'closed' ? pace.concurrency : pace.ceiling).toBeLessThanOrEqual(load.concurrency);
        }
      }
    });
  });

  it('shard 1 sends all warm-ups and probes, the others the warm-ups of the variants that they measure', () => {
    const kindsOf = (prompt: number): readonly Kind[] => (prompt === 0 ? BOTH : ['text-to-image']);
    const whole = dealt({ prompts: 3, seeds: 1, repeats: 1, load: CLOSED_BY_FOUR, probes: ['seed'], kindsOf });
    const shares = sharesOf(whole, 3);
    const of = (share: Share, phase: Trial['phase']) =>
      trialsOf(share.plan).flatMap((trial) => (trial.phase === phase ? [trial.variant] : []));
    expect(shares.map((share) => of(share, 'warmup').toSorted())).toEqual([
      ['anime', 'fast', 'standard'],
      ['fast', 'standard'],
      ['fast', 'standard'],
    ]);
    expect(shares.map((share) => of(share, 'probe').length)).toEqual([9, 0, 0]);
  });

  it('a limit on requests is divided, and stops no shard where the plan fits into it', () => {
    fc.assert(
      fc.property(closedParts, of, fc.integer({ min: 1, max: 2000 }), (parts, shards, requests) => {
        const whole = dealt({ ...parts, limits: { ...NO_LIMITS, requests, usd: 10 } });
        fc.pre(findShareFault(whole, shards) === null);
        const shares = sharesOf(whole, shards);
        expect(sum(shares.map(({ limits }) => limits.requests ?? 0))).toBe(requests);
        expect(sum(shares.map(({ limits }) => limits.usd ?? 0))).toBeCloseTo(10, 9);
        const fits = requests >= sum(shares.map(({ plan }) => plan.requests));
        for (const { plan, limits } of shares) {
          expect(limits.requests).toBeGreaterThan(0);
          if (fits) expect(limits.requests).toBeGreaterThanOrEqual(plan.requests);
        }
      }),
      { numRuns: draws(60) },
    );
  });

  it('a limit in dollars is divided by what the requests of each shard cost at most, and stops no shard where the plan fits into it', () => {
    fc.assert(
      fc.property(closedParts, of, (parts, shards) => {
        const open = dealt(parts);
        fc.pre(findShareFault(open, shards) === null);
        const costOf = ({ plan }: Pick<Share, 'plan'>) => sum(trialsOf(plan).map(mostUsdOf));
        const usd = sum(sharesOf(open, shards).map(costOf));
        for (const share of sharesOf({ ...open, limits: { ...NO_LIMITS, usd } }, shards)) {
          expect(share.limits.usd).toBeCloseTo(costOf(share), 9);
        }
      }),
      { numRuns: draws(60) },
    );
  });

  it('under open load call number i of every variant is sent by shard i mod n, at its time in the schedule', () => {
    const load: OpenLoad = { ...OPEN, arrivals: 'poisson', stages: [{ ratePerSecond: 5, forMs: 8000 }] };
    const whole = dealt({ prompts: 2, seeds: 3, repeats: 2, load });
    const shares = sharesOf(whole, 3);
    for (const { index, trials, pace } of whole.plan.slices) {
      if (pace.mode !== 'open') continue;
      expect(trials.length).toBeGreaterThan(12);
      const joined = shares.flatMap(({ plan }, at) => {
        const slice = plan.slices.find((each) => each.index === index);
        if (slice?.pace.mode !== 'open') return [];
        const { startsMs } = slice.pace;
        return slice.trials.map((trial, place) => ({ id: trial.id, dueMs: startsMs[place], i: 3 * place + at }));
      });
      const expected = trials.map(({ id }, i) => ({ id, dueMs: pace.startsMs[i], i }));
      expect(joined.sort((a, b) => a.i - b.i)).toEqual(expected);
    }
    expect(shardsBy(shares, ({ block }) => block).every((shards) => shards.size === 1)).toBe(true);
    expect(shares.map(({ load }) => load.mode === 'open' && load.stages[0]?.ratePerSecond)).toEqual([
      5 / 3,
      5 / 3,
      5 / 3,
    ]);
  });
});

describe('findShareFault', () => {
  const parts: Parts = { prompts: 2, seeds: 2, repeats: 1, load: CLOSED_BY_FOUR };

  it.each([
    {
      what: 'a sweep',
      parts: { ...parts, load: { ...CLOSED_BY_FOUR, steps: [1, 4] } },
      of: 2,
      fault: { code: 'sweep' },
    },
    { what: 'a load probe', parts: { ...parts, probes: ['load'] as const }, of: 2, fault: { code: 'load_probe' } },
    {
      what: 'more shards than slots',
      parts: { ...parts, load: { ...CLOSED_BY_FOUR, concurrency: 2 } },
      of: 3,
      fault: { code: 'too_few_slots', concurrency: 2 },
    },
    {
      what: 'more shards than case-seeds',
      parts: { ...parts, load: { ...CLOSED_BY_FOUR, concurrency: 8 } },
      of: 5,
      fault: { code: 'too_few_parts', parts: 4, mode: 'closed' },
    },
    {
      what: 'more shards than arrivals',
      parts: { ...parts, load: OPEN },
      of: 5,
      fault: { code: 'too_few_parts', parts: 4, mode: 'open' },
    },
    {
      what: 'fewer requests allowed than shards',
      parts: { ...parts, limits: { ...NO_LIMITS, requests: 2 } },
      of: 3,
      fault: { code: 'too_few_requests', limit: 2 },
    },
  ])('$what cannot be split', ({ parts: given, of: shards, fault }) => {
    expect(findShareFault(dealt(given), shards)).toEqual(fault);
    expect(() => shareOf(dealt(given), { index: 1, of: shards })).toThrow(fault.code);
  });

  it('a plan that is split into one shard is the whole plan, whatever its load', () => {
    const whole = dealt({ ...parts, load: { ...CLOSED_BY_FOUR, steps: [1, 4] }, probes: ['load'] });
    expect(shareOf(whole, { index: 1, of: 1 })).toEqual({ plan: whole.plan, load: whole.load, limits: whole.limits });
  });
});
