import { groupBy } from '../kit/grouping.ts';
import { isClaim } from '../suite/gate.ts';
import type { Kind } from '../suite/kind.ts';
import type { Limits, Load } from '../suite/load.ts';
import type { GateRule } from '../suite/rule.ts';
import type { Case } from '../suite/suite.ts';
import { stepsOf } from '../suite/sweep.ts';
import { caseSeedOf, isMeasured, type Pace, type Plan, type Slice } from './plan.ts';
import type { Trial } from './trial.ts';

export const MOST_SHARDS = 1024;

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** A plan, its load and limits, and the declared order of prompts and seeds. */
export interface Dealt {
  readonly plan: Plan;
  readonly load: Load;
  readonly limits: Limits;
  readonly cases: readonly Pick<Case, 'id'>[];
  readonly seeds: readonly number[];
  readonly gate: readonly { readonly rule: Pick<GateRule, 'bound'> }[];
  /** Highest cost of a trial in US dollars; 0 if unknown. */
  readonly mostUsdOf: (trial: Trial) => number;
}

export interface Share {
  /** With digest, order and slice numbers of the whole plan. */
  readonly plan: Plan;
  readonly load: Load;
  readonly limits: Limits;
}

export type ShareFault =
  /** A step fixes the concurrency of the whole run, so shards cannot share it. */
  | { readonly code: 'sweep' }
  /** Pairs of a claim follow one another. */
  | { readonly code: 'claim' }
  /** Some of its requests must be alone at the service. */
  | { readonly code: 'load_probe' }
  | { readonly code: 'too_few_slots'; readonly concurrency: number }
  /** Case-seeds under closed load, arrivals under open load. */
  | { readonly code: 'too_few_parts'; readonly parts: number; readonly mode: Load['mode'] }
  | { readonly code: 'too_few_requests'; readonly limit: number };

export function findShareFault(dealt: Dealt, of: number): ShareFault | null {
  const { plan, load, limits } = dealt;
  if (of === 1) return null;
  if (stepsOf(load) !== null) return { code: 'sweep' };
  if (dealt.gate.some(isClaim)) return { code: 'claim' };
  if (plan.slices.some(({ trials }) => trials.some(({ probe }) => probe?.kind === 'load'))) {
    return { code: 'load_probe' };
  }
  if (load.concurrency < of) return { code: 'too_few_slots', concurrency: load.concurrency };
  const { parts, requests } = deal(dealt, of);
  if (parts < of) return { code: 'too_few_parts', parts, mode: load.mode };
  if (limits.requests !== null && splitByWeight(limits.requests, requests).includes(0)) {
    return { code: 'too_few_requests', limit: limits.requests };
  }
  return null;
}

/**
 * The share of a shard. The same input gives the same share everywhere; all shares together are the plan.
 * - Closed load: case-seeds in turn, in declared order within their kinds, with all variants and repeats, so that one
 * machine measures a block and all takes of a cell.
 * - Open load: call i of each variant, from 0, belongs to shard 1 + i mod n, at its time in the schedule.
 * - Shard 1 sends probes, and all warm-ups; others those of variants that they measure.
 * - `concurrency` is divided evenly, `limits.requests` by planned requests and `limits.usd` by highest cost, so that a
 * limit above the plan stops no shard.
 * Throws if `findShareFault` finds a fault.
 */
export function shareOf(dealt: Dealt, shard: Shard): Share {
  const fault = findShareFault(dealt, shard.of);
  if (fault !== null) throw new Error(`the plan cannot be split into ${shard.of} shards: ${fault.code}`);
  const { plan, load, limits } = dealt;
  const { index, of } = shard;
  const dealing = deal(dealt, of);
  const slots = partOf(load.concurrency, shard);
  const slices = plan.slices.flatMap((slice): readonly Slice[] => {
    const isOwn = slice.trials.map((trial, at) => isOf(dealing, trial, at, index));
    const trials = slice.trials.filter((_, at) => isOwn[at]);
    return trials.length === 0 ? [] : [{ index: slice.index, trials, pace: paceOf(slice.pace, isOwn, slots) }];
  });
  const requests = slices.reduce((sum, { trials }) => sum + trials.length, 0);
  return {
    // A run in parts is never split: a shard alone cannot decide the gate.
    plan: { digest: plan.digest, slices, requests, looks: null },
    load: loadOf(load, slots, of),
    limits: {
      ...limits,
      requests: limits.requests === null ? null : (splitByWeight(limits.requests, dealing.requests)[index - 1] ?? 0),
      usd: limits.usd === null ? null : limits.usd * shareOfCost(dealing, index),
    },
  };
}

interface Dealing {
  /** Shard of a measured trial or a probe, from 1; null for a warm-up. */
  readonly ownerOf: (trial: Trial, at: number) => number | null;
  readonly warmedUp: readonly ReadonlySet<string>[];
  readonly requests: readonly number[];
  /** Highest cost by shard, in US dollars. */
  readonly mostUsd: readonly number[];
  readonly parts: number;
}

function deal({ plan, load, cases, seeds, mostUsdOf }: Dealt, of: number): Dealing {
  const owners = load.mode === 'closed' ? dealCaseSeeds(plan, cases, seeds, of) : null;
  const ownerOf: Dealing['ownerOf'] = ({ prompt, seed, phase }, at) => {
    if (phase === 'warmup') return null;
    if (phase === 'probe') return 1;
    return owners === null ? 1 + (at % of) : (owners.get(caseSeedOf({ prompt, seed })) ?? 1);
  };
  const warmedUp = Array.from({ length: of }, () => new Set<string>());
  const requests = warmedUp.map(() => 0);
  const mostUsd = warmedUp.map(() => 0);
  const add = (trial: Trial, shard: number) => {
    requests[shard] = (requests[shard] ?? 0) + 1;
    mostUsd[shard] = (mostUsd[shard] ?? 0) + mostUsdOf(trial);
  };
  const warmups: Trial[] = [];
  let arrivals = 0;
  for (const slice of plan.slices) {
    if (slice.pace.mode === 'open') arrivals = Math.max(arrivals, slice.trials.length);
    for (const [at, trial] of slice.trials.entries()) {
      const owner = ownerOf(trial, at);
      if (owner === null) {
        warmups.push(trial);
        warmedUp[0]?.add(trial.variant);
      } else {
        add(trial, owner - 1);
        if (isMeasured(trial)) warmedUp[owner - 1]?.add(trial.variant);
      }
    }
  }
  for (const trial of warmups) {
    for (const [at, variants] of warmedUp.entries()) if (variants.has(trial.variant)) add(trial, at);
  }
  return { ownerOf, warmedUp, requests, mostUsd, parts: owners?.size ?? arrivals };
}

/** Of the highest cost, 0 to 1; of requests if they cost nothing. */
function shareOfCost({ requests, mostUsd }: Dealing, index: number): number {
  const weights = mostUsd.some((usd) => usd > 0) ? mostUsd : requests;
  return (weights[index - 1] ?? 0) / weights.reduce((sum, weight) => sum + weight, 0);
}

/**
 * Shards of case-seeds, in turn in declared order within each group of kinds: otherwise a suite that alternates images
 * and videos could give one shard all videos.
 */
function dealCaseSeeds(
  { slices }: Plan,
  cases: Dealt['cases'],
  seeds: readonly number[],
  of: number,
): ReadonlyMap<string, number> {
  const measured = new Map<string, Set<Kind>>();
  for (const trial of slices.flatMap(({ trials }) => trials)) {
    if (!isMeasured(trial)) continue;
    const key = caseSeedOf(trial);
    measured.set(key, (measured.get(key) ?? new Set()).add(trial.kind));
  }
  const keys = cases
    .flatMap(({ id }) => seeds.map((seed) => caseSeedOf({ prompt: id, seed })))
    .filter((key) => measured.has(key));
  const groups = groupBy(keys, (key) => [...(measured.get(key) ?? [])].sort().join(' '));
  return new Map([...groups.values()].flat().map((key, at) => [key, 1 + (at % of)]));
}

function isOf({ ownerOf, warmedUp }: Dealing, trial: Trial, at: number, index: number): boolean {
  const owner = ownerOf(trial, at);
  return owner === null ? warmedUp[index - 1]?.has(trial.variant) === true : owner === index;
}

/** `isOwn`: whether each trial of the slice is kept. */
function paceOf(pace: Pace, isOwn: readonly boolean[], slots: number): Pace {
  // What is sent one at a time stays so.
  if (pace.mode === 'closed') return { mode: 'closed', concurrency: Math.min(pace.concurrency, slots) };
  return { mode: 'open', ceiling: slots, startsMs: pace.startsMs.filter((_, at) => isOwn[at]) };
}

function loadOf(load: Load, slots: number, of: number): Load {
  if (load.mode === 'closed') return { ...load, concurrency: slots };
  const stages = load.stages.map(({ ratePerSecond, forMs }) => ({ ratePerSecond: ratePerSecond / of, forMs }));
  return { ...load, concurrency: slots, stages };
}

/** Parts of a whole number differ by at most 1. */
function partOf(total: number, { index, of }: Shard): number {
  return Math.floor(total / of) + (index <= total % of ? 1 : 0);
}

/** By largest remainders. If `total` is at least the sum of the weights, no part is below its weight. */
function splitByWeight(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const exact = weights.map((weight) => (sum === 0 ? 0 : (total * weight) / sum));
  const parts = exact.map(Math.floor);
  const left = total - parts.reduce((all, part) => all + part, 0);
  const byRemainder = [...exact.keys()].sort(
    (a, b) => (exact[b] ?? 0) - (parts[b] ?? 0) - ((exact[a] ?? 0) - (parts[a] ?? 0)) || a - b,
  );
  for (const at of byRemainder.slice(0, left)) parts[at] = (parts[at] ?? 0) + 1;
  return parts;
}

/**
 * A plan with only the trials left, in order, without empty slices. Under open load the first trial left is due at
 * once. Digest, numbers and parts stay.
 */
export function remainderOf(plan: Plan, isLeft: (trial: Trial) => boolean): Plan {
  const left = plan.slices.flatMap((slice): readonly Slice[] => {
    const kept = slice.trials.map(isLeft);
    const trials = slice.trials.filter((_, at) => kept[at]);
    return trials.length === 0 ? [] : [{ ...slice, trials, pace: remainingPace(slice.pace, kept) }];
  });
  return { ...plan, slices: left, requests: left.reduce((sum, { trials }) => sum + trials.length, 0) };
}

function remainingPace(pace: Pace, kept: readonly boolean[]): Pace {
  if (pace.mode === 'closed') return pace;
  const startsMs = pace.startsMs.filter((_, at) => kept[at]);
  const [first = 0] = startsMs;
  return { ...pace, startsMs: startsMs.map((startMs) => startMs - first) };
}

export function missingShards({
  of,
  shards,
}: {
  readonly of: number;
  readonly shards: readonly { readonly index: number }[];
}): readonly number[] {
  const there = new Set(shards.map(({ index }) => index));
  return Array.from({ length: of }, (_, at) => at + 1).filter((index) => !there.has(index));
}
