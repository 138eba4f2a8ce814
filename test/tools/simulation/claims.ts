import { type Claim, createLedger } from '../../../src/analysis/claims.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { createRandom, type Random } from '../../../src/statistics/random.ts';
import { autoregressive, drawNormal } from '../../fixtures/simulated-service.ts';
import { buildFailure, buildOk, buildTrial } from '../../fixtures/stored-run-builder.ts';
import { seedOf } from './seed.ts';
import { markdownTable, shareOf } from './table.ts';

/*
 * Claims about services whose truth is known, decided by the function that decides every claim. A call takes 1 s times
 * the level of the service, the ratio of its variant and a lognormal factor.
 */

/** What the pairs of a run have: the level that both takes share, and the ratio of the claimed variant, as ln. */
interface Pairs {
  readonly level: readonly number[];
  readonly ratio: readonly number[];
}

export interface ClaimSetting {
  readonly what: string;
  readonly claim: Pick<Claim, 'about' | 'most' | 'pairs'>;
  readonly pairs: (count: number, random: Random) => Pairs;
  /** Multiplies one call; 1 by default. */
  readonly slow?: (random: Random) => number;
  /** Share of calls of each variant that fail. */
  readonly failing?: readonly [ours: number, theirs: number];
}

const VARIATION = Math.sqrt(Math.log1p(0.15 * 0.15));

const TIMES = { about: 'takes', most: 0.5, pairs: 200 } as const;

const flat =
  (ratio: number): ClaimSetting['pairs'] =>
  (count) => ({ level: zeros(count), ratio: zeros(count).map(() => Math.log(ratio)) });

/** A level, or ratio, that wanders as a first-order autoregression. */
const wandering = (count: number, random: Random): readonly number[] =>
  autoregressive(count, 0.6, random).map((value) => 0.2 * value);

/** One that drifts by a share, with its median at 0. */
const drifting = (count: number, share: number): readonly number[] =>
  zeros(count).map((_zero, at) => Math.log1p(share) * (at / Math.max(1, count - 1) - 0.5));

const LIMIT = Math.log(TIMES.most);

const atLimit = (what: string, setting: Partial<ClaimSetting>): ClaimSetting => ({
  what: `at the limit, ${what}`,
  claim: TIMES,
  pairs: flat(TIMES.most),
  ...setting,
});

const added = (values: readonly number[], by: number): readonly number[] => values.map((value) => value + by);

/** Prompts whose ratios differ by 10 %: 10 of them, in the order of the suite or shuffled. */
const byPrompt =
  (isShuffled: boolean): ClaimSetting['pairs'] =>
  (count, random) => {
    const prompts = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? 0.05 : -0.05));
    const ordered = zeros(count).map((_zero, at) => LIMIT + (prompts[Math.floor((at * 10) / count)] ?? 0));
    const inBlocks = ordered.toSorted((a, b) => b - a);
    return { level: zeros(count), ratio: isShuffled ? random.shuffle(ordered) : inBlocks };
  };

export const CLAIM_SETTINGS: readonly ClaimSetting[] = [
  ...[0.25, 0.3, 0.35, 0.4, 0.45].map((ratio): ClaimSetting => {
    return { what: `a ratio of ${ratio}`, claim: TIMES, pairs: flat(ratio) };
  }),
  {
    what: 'a ratio of 0.45, 30 % of calls 2.4x as long',
    claim: TIMES,
    pairs: flat(0.45),
    slow: ({ uniform }) => (uniform() < 0.3 ? 2.4 : 1),
  },
  {
    what: 'a ratio of 0.45, 5 % of calls 4x as long',
    claim: TIMES,
    pairs: flat(0.45),
    slow: ({ uniform }) => (uniform() < 0.05 ? 4 : 1),
  },
  atLimit('calls vary by 15 %', {}),
  atLimit('30 % of calls 2.4x as long', { slow: ({ uniform }) => (uniform() < 0.3 ? 2.4 : 1) }),
  atLimit('a level that wanders (AR 0.6)', {
    pairs: (count, random) => ({ ...flat(TIMES.most)(count, random), level: wandering(count, random) }),
  }),
  atLimit('a level that drifts by 30 %', {
    pairs: (count, random) => ({ ...flat(TIMES.most)(count, random), level: drifting(count, 0.3) }),
  }),
  atLimit('5 % of pairs lose a take', { failing: [0.025, 0.025] }),
  atLimit('prompts that differ by 10 %, in random order', { pairs: byPrompt(true) }),
  atLimit('prompts that differ by 10 %, the slowest first', { pairs: byPrompt(false) }),
  atLimit('a ratio that wanders (AR 0.6)', {
    pairs: (count, random) => ({ level: zeros(count), ratio: added(wandering(count, random), LIMIT) }),
  }),
  atLimit('a ratio that drifts by 30 %', {
    pairs: (count) => ({ level: zeros(count), ratio: added(drifting(count, 0.3), LIMIT) }),
  }),
  ...[0.55, 0.6].map((ratio): ClaimSetting => {
    return { what: `a ratio of ${ratio}`, claim: TIMES, pairs: flat(ratio) };
  }),
  ...[0, 0.01, 0.02, 0.05].map((rate): ClaimSetting => {
    const claim = { about: 'fails', most: 0.02, pairs: 400 } as const;
    const what = `fails at most 2 points more often, both fail in ${100 * rate} %`;
    return { what, claim, pairs: flat(1), failing: [rate, rate] };
  }),
];

export interface ClaimTally {
  readonly supported: number;
  readonly refuted: number;
  /** Of these the first half of the pairs differs from the last. */
  readonly changed: number;
  /** Pairs of the runs that decided, ascending. */
  readonly pairs: readonly number[];
}

/** @param at the place of the setting among all, which draws its numbers */
export function simulateClaim(setting: ClaimSetting, at: number, runs: number): ClaimTally {
  const random = createRandom(seedOf(`claims ${at}`));
  const states = Array.from({ length: runs }, () => decided(setting, random));
  const count = (is: 'supported' | 'refuted') =>
    states.filter((state) => state?.decided === is && !state.changed).length;
  return {
    supported: count('supported'),
    refuted: count('refuted'),
    changed: states.filter((state) => state?.changed === true).length,
    pairs: states.flatMap((state) => (state?.decided ? [state.pairs] : [])).sort((a, b) => a - b),
  };
}

function decided({ claim, pairs, slow = () => 1, failing = [0, 0] }: ClaimSetting, random: Random) {
  const ledger = createLedger([{ ...claim, index: 0, of: 'fast', against: 'standard' }]);
  const { level, ratio } = pairs(claim.pairs, random);
  for (let pair = 0; pair < claim.pairs; pair += 1) {
    const take = (variant: string, lnRatio: number, rate: number): Sample => {
      const parts = { trial: buildTrial({ variant, seed: pair }), slice: 2 * pair };
      if (random.uniform() < rate) return buildFailure('error', parts);
      const ln = (level[pair] ?? 0) + lnRatio + VARIATION * drawNormal(random);
      return buildOk(1000 * Math.exp(ln) * slow(random), 'png', parts);
    };
    ledger.add([take('fast', ratio[pair] ?? 0, failing[0]), take('standard', 0, failing[1])]);
    if (ledger.isOver()) break;
  }
  return ledger.states()[0];
}

export function claimTable(runs: number): string {
  const rows = CLAIM_SETTINGS.map((setting, at) => ({ setting, tally: simulateClaim(setting, at, runs) }));
  const quantileOf = (pairs: readonly number[], part: number) => {
    const at = pairs[Math.ceil(part * runs) - 1];
    return at === undefined ? '–' : String(at);
  };
  return markdownTable(rows, [
    ['claim: at most 0.5x', ({ setting }) => setting.what],
    ['supported', ({ tally }) => shareOf(tally.supported, runs)],
    ['refuted', ({ tally }) => shareOf(tally.refuted, runs)],
    ['ratio changed', ({ tally }) => shareOf(tally.changed, runs)],
    ['pairs, half of runs', ({ tally }) => quantileOf(tally.pairs, 0.5)],
    ['4 of 5', ({ tally }) => quantileOf(tally.pairs, 0.8)],
  ]);
}

function zeros(count: number): number[] {
  return new Array<number>(count).fill(0);
}
