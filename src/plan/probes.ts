import { createRandom, type Random } from '../statistics/random.ts';
import type { Case, ProbeKind } from '../suite/suite.ts';
import { refuseRequest, requestDigest } from '../targets/request.ts';
import type { Variant } from '../targets/target.ts';
import { casesOf, probeTrialOf, unusedSeeds } from './build-trial.ts';
import type { PlanInput } from './order/order.ts';
import type { Slice } from './plan.ts';
import type { SkippedProbe, SkippedProbeReason } from './recorded-plan.ts';
import type { Trial } from './trial.ts';

/**
 * Pairs of a variant's cache probe. The signed rank test can reach one-sided 1 % from 7 pairs on; 10 find a cache that
 * is twice as fast if latencies vary by a fifth.
 */
export const CACHE_PAIRS = 10;

export const LOAD_TAKES = 3;

/** Seeds in the range per drawn seed, so that drawing ends soon. */
const ROOM = 4;

export function findSkippedProbes({
  variants,
  cases,
  seeds,
  load,
  probes,
}: Pick<PlanInput, 'variants' | 'cases' | 'seeds' | 'load' | 'probes'>): readonly SkippedProbe[] {
  return probes.flatMap((probe) =>
    variants.flatMap((variant): SkippedProbe[] => {
      const left = (reason: SkippedProbeReason | null, whole = true) =>
        reason === null ? [] : [{ probe, variant: variant.name, whole, reason }];
      const asked = casesOf(variant.kind, cases);
      if (probe === 'load') return left(nothingBeside(asked.length * seeds.length, load.concurrency));
      if (!takesSeed(variant)) return left({ code: 'no_seed' });
      const range = variant.seedRange.max - variant.seedRange.min + 1;
      if (probe === 'cache') {
        const needed = ROOM * (variants.length * (CACHE_PAIRS + 1) + seeds.length + load.warmup + 1);
        return left(range < needed ? { code: 'too_few_seeds', seeds: range } : null);
      }
      if (range <= seeds.length) return left({ code: 'no_spare_seed' });
      const [first] = asked;
      return left(first === undefined || omitsSeed(variant, first) ? null : { code: 'seed_required' }, false);
    }),
  );
}

export function takesSeed({ target }: Pick<Variant, 'target'>): boolean {
  return target.uses.case.includes('seed');
}

function omitsSeed(variant: Variant, oneCase: Case): boolean {
  return takesSeed(variant) && refuseRequest(variant, { case: oneCase, seed: null }).length === 0;
}

function nothingBeside(cells: number, concurrency: number): SkippedProbeReason | null {
  if (concurrency === 1) return { code: 'concurrency_1' };
  return cells === 1 ? { code: 'one_cell' } : null;
}

type ProbeSlice = Pick<Slice, 'trials' | 'pace'>;

const ALONE = { mode: 'closed', concurrency: 1 } as const;

/** Seeds of the seed probe beside those of plan and warm-ups. */
export const OTHER_SEEDS = 1;

const OMISSIONS = 2;

/**
 * The slices of all probes, by kind, then by variant in random order.
 * - `seed`: on the first case, one at a time, one fresh seed, and twice without a seed.
 * - `cache`: on the first case, one at a time, pairs of a repeat and a fresh seed; the repeat comes first in half of
 * them, at random, so that a drift of the service biases neither.
 * - `load`: each cell alone, concurrent, and alone again, so that a change of the service separates the two alone at
 * least as often as the first from the concurrent one.
 */
export function probeSlices(input: PlanInput, random: Random): readonly ProbeSlice[] {
  const drawSeeds = seedDraw(input);
  const skippedProbes = findSkippedProbes(input);
  return input.probes.flatMap((probe) => {
    const probed = input.variants.filter(
      ({ name }) =>
        !skippedProbes.some((skipped) => skipped.probe === probe && skipped.whole && skipped.variant === name),
    );
    return random
      .shuffle(probed)
      .flatMap((variant) => slicesOf(probe, variant, input, random, drawSeeds))
      .filter(({ trials }) => trials.length > 0);
  });
}

function slicesOf(
  probe: ProbeKind,
  variant: Variant,
  input: PlanInput,
  random: Random,
  drawSeeds: (variant: Variant) => readonly number[],
): readonly ProbeSlice[] {
  const [first] = casesOf(variant.kind, input.cases);
  if (first === undefined) return [];
  switch (probe) {
    case 'seed':
      return [{ trials: seedTrials(variant, first, input), pace: ALONE }];
    case 'cache':
      return [{ trials: cacheTrials(variant, first, input, random, drawSeeds(variant)), pace: ALONE }];
    case 'load':
      return loadSlices(variant, input, random);
  }
}

function seedTrials(variant: Variant, oneCase: Case, { seeds, load }: PlanInput): readonly Trial[] {
  const [base] = seeds;
  const unused = unusedSeeds(variant, seeds, load.warmup + OTHER_SEEDS);
  const other = unused.at(-1);
  if (base === undefined || other === undefined) return [];
  const trial = (role: 'other' | 'omitted', seed: number | null, repeat: number) =>
    probeTrialOf(variant, oneCase, seed, repeat, { kind: 'seed', role, base });
  const omitted = Array.from({ length: omitsSeed(variant, oneCase) ? OMISSIONS : 0 }, (_, at) =>
    trial('omitted', null, at + 1),
  );
  return [trial('other', other, 1), ...omitted];
}

/** `drawn` is one more than there are pairs. */
function cacheTrials(
  variant: Variant,
  oneCase: Case,
  { seeds }: PlanInput,
  random: Random,
  drawn: readonly number[],
): readonly Trial[] {
  // The id must be the same in every run, so it is without the drawn seed.
  const shape = requestDigest(variant, { case: oneCase, seed: seeds[0] ?? null });
  const trial = (role: 'first' | 'repeat' | 'fresh', pair: number, seed: number) =>
    probeTrialOf(variant, oneCase, seed, role === 'repeat' ? 2 : 1, { kind: 'cache', role, pair }, shape);
  const repeatFirst = random.shuffle(Array.from({ length: CACHE_PAIRS }, (_, at) => at % 2 === 0));
  return drawn.flatMap((seed, pair) => {
    const before = drawn[pair - 1];
    if (before === undefined) return [trial('first', pair, seed)];
    const both = [trial('repeat', pair, before), trial('fresh', pair, seed)];
    return repeatFirst[pair - 1] === true ? both : both.reverse();
  });
}

function loadSlices(variant: Variant, { cases, seeds, load }: PlanInput, random: Random): readonly ProbeSlice[] {
  const cells = random.shuffle(
    casesOf(variant.kind, cases).flatMap((oneCase) => seeds.map((seed) => ({ oneCase, seed }))),
  );
  const takes = (role: 'alone' | 'concurrent', repeat: number) =>
    cells.map(({ oneCase, seed }) => probeTrialOf(variant, oneCase, seed, repeat, { kind: 'load', role }));
  return [
    { trials: takes('alone', 1), pace: ALONE },
    { trials: takes('concurrent', 2), pace: { mode: 'closed', concurrency: load.concurrency } },
    { trials: takes('alone', 3), pace: ALONE },
  ];
}

/** Every endpoint known to take seeds accepts those below this, unless its own range ends sooner. */
const DRAWN_WITHIN = 2_147_483_648;

/**
 * Seeds of a variant's cache probe: used nowhere else in the plan, as variants may share a model, and, as they follow
 * from the run's nonce, hardly in a cache of an earlier run.
 */
function seedDraw({ variants, seeds, load, nonce }: PlanInput): (variant: Variant) => readonly number[] {
  const random = createRandom(nonce);
  const used = new Set(seeds);
  for (const variant of variants) {
    for (const seed of unusedSeeds(variant, seeds, load.warmup + OTHER_SEEDS)) used.add(seed);
  }
  return ({ seedRange: { min, max } }) => {
    const within = Math.min(max - min + 1, DRAWN_WITHIN);
    return Array.from({ length: CACHE_PAIRS + 1 }, () => {
      let seed = min + random.below(within);
      while (used.has(seed)) seed = min + random.below(within);
      used.add(seed);
      return seed;
    });
  };
}
