import type { HistoryLimit, HistoryReach } from '../analysis/decide-runs.ts';
import type { Metric } from '../analysis/metric.ts';
import { fewestToTell, type UnitKind, unitKindOf } from '../analysis/pair-units.ts';
import { groupBy } from '../kit/grouping.ts';
import type { Unit } from '../kit/value-words.ts';
import { count, plural } from '../kit/wording.ts';
import { caseSeedOf, isMeasured, type Plan } from '../plan/plan.ts';
import type { PlannedLooks } from '../plan/recorded-plan.ts';
import type { Trial } from '../plan/trial.ts';
import { normalCriticalValue, normalUpperTail } from '../statistics/distributions.ts';
import { firstWhere } from '../statistics/first-where.ts';
import { CONFIDENCE } from '../statistics/quantile.ts';
import { smallestSignedRankP } from '../statistics/signed-rank.ts';
import type { Kind } from '../suite/kind.ts';
import type { Load } from '../suite/load.ts';
import type { GateRule } from '../suite/rule.ts';
import type { Variant } from '../targets/target.ts';
import type { PlannedFault } from './deciding/rule-statistic.ts';
import type { GatedVariant, RuleCase } from './rule-case.ts';

const MOST_NEEDED = 1_000_000;

/** The smallest n for which something holds, if it also holds for all larger n; null without one. */
export function fewestWhere(holds: (n: number) => boolean): number | null {
  // Most answers are small, and a large n costs more to try.
  let most = 1;
  while (most < MOST_NEEDED && !holds(most)) most *= 2;
  const fewest = firstWhere(Math.ceil(most / 2), Math.min(most, MOST_NEEDED), holds);
  return fewest > MOST_NEEDED ? null : fewest;
}

export interface PlannedGate {
  readonly rules: readonly GateRule[];
  /** Variants that this machine measures. */
  readonly variants: readonly GatedVariant[];
  readonly prompts: readonly { readonly id: string; readonly tags: readonly string[] }[];
  readonly plan: Plan;
  readonly load: Load;
  readonly repeats: number;
  readonly metrics: readonly Metric[];
}

export interface PlannedCase {
  readonly ruleCase: RuleCase<GatedVariant>;
  readonly units: UnitKind | 'blocks' | 'takes' | 'runs';
  readonly unit: Unit;
  readonly n: number;
  readonly reach: Reach;
}

export type Reach =
  /** The smallest ratio that fails in 4 of 5 runs; `spread`: assumed standard deviation of a unit's ln ratio. */
  | { readonly can: 'detect_change'; readonly ratio: number; readonly spread: number }
  /** The smallest rise, in shares, that fails in 4 of 5 runs if the baseline has no event. */
  | { readonly can: 'detect_rise'; readonly rise: number }
  /** Passes up to one number of events and fails from another; null if none does. */
  | {
      readonly can: 'count_events';
      /** `others`: takes without the event, if the rule requires a least share. */
      readonly counted: 'events' | 'others';
      readonly mostThatPass: number | null;
      readonly fewestThatFail: number | null;
    }
  /** The chance of a fail if each take has the event with probability 1/200. */
  | { readonly can: 'find_event'; readonly chance: number }
  /** Decides from this number of earlier runs; null: there are fewer, or they were not read. */
  | {
      readonly can: 'decide_runs';
      readonly limit: HistoryLimit;
      readonly fewestEarlier: number;
      /** Planned prompts x seeds of the rule. */
      readonly cells: number;
      readonly earlier: HistoryReach | null;
    }
  /** Pairs until 4 of 5 runs decide the claim, if the true ratio is this; null: more than it has. */
  | {
      readonly can: 'decide_claim';
      readonly ratios: readonly { readonly ratio: number; readonly pairs: number | null }[];
    }
  /** The pairs that support the claim if no take fails, and the share of runs that do if both variants fail so often. */
  | {
      readonly can: 'support_claim';
      readonly fewest: number | null;
      readonly rate: number;
      readonly supported: number;
    }
  | { readonly can: 'unknown' };

export const UNKNOWN: Reach = { can: 'unknown' };

/** A pass must exclude this multiple of the rule's limit. */
export const EXCLUDED_MULTIPLE = 3;

export interface Planning {
  readonly ruleCase: RuleCase<GatedVariant>;
  readonly takes: readonly PlacedTrial[];
  readonly gate: PlannedGate;
  readonly alpha: number;
  readonly comparisons: number;
}

export interface PlannedBound extends Pick<PlannedCase, 'units' | 'n' | 'reach'> {
  readonly fault?: PlannedFault | null;
}

export interface PlacedTrial {
  readonly trial: Trial;
  readonly slice: number;
}

export function countUnits(takes: readonly PlacedTrial[], units: UnitKind): number {
  return new Set(takes.map(UNIT_KEYS[units])).size;
}

/** A round has one slice per variant. */
const UNIT_KEYS: Readonly<Record<UnitKind, (take: PlacedTrial) => string>> = {
  blocks: ({ trial }) => trial.block,
  rounds: ({ slice }) => String(slice),
  cells: ({ trial }) => caseSeedOf(trial),
};

/** Why this number of units can never pass, or never fail; null if both are possible. */
export function neverFault(
  { ruleCase, comparisons }: Planning,
  units: Exclude<PlannedCase['units'], 'runs'>,
  n: number,
  { passes = () => true, fails }: { passes?: (some: number) => boolean; fails: (some: number) => boolean },
): PlannedFault | null {
  const { noun, more } = COUNTED[units];
  const some = `with ${plural(n, noun)} of ${ruleCase.variant.name}`;
  const never = (code: 'cannot_pass' | 'cannot_fail', cause: string, needs: number | null, narrow = '') => {
    const remedy = needs === null ? 'change its limit' : `it needs ${plural(needs, noun)}: add ${more}${narrow}`;
    return { code, cause, remedy };
  };
  if (!passes(n)) return never('cannot_pass', `${some} the rule can never pass`, fewestWhere(passes));
  if (fails(n)) return null;
  const isFamily = comparisons > 1;
  const family = isFamily ? ` in a gate of ${count(comparisons)} comparisons` : '';
  const narrow = isFamily ? ', or narrow the gate by variants, kinds or prompts' : '';
  return never('cannot_fail', `${some}${family} the rule can never fail`, fewestWhere(fails), narrow);
}

const COUNTED = {
  cells: { noun: 'pair', more: 'prompts or seeds' },
  rounds: { noun: 'group of pairs', more: 'prompts, seeds or repeats' },
  blocks: { noun: 'pair of takes', more: 'prompts, seeds or repeats' },
  takes: { noun: 'take', more: 'prompts, seeds or repeats' },
} as const;

/** Rounded: 1 - 0.95 leaves binary digits behind 0.05. */
export const ERROR_RATE = Number((1 - CONFIDENCE).toPrecision(12));

/**
 * The share of the error rate per test at each look; 0 with too few units for a signed rank test. The shares add up to
 * it, so that all looks together keep it (Bonferroni): equal at concurrency 1, above it what O'Brien and Fleming's
 * spending function rises by (Lan and DeMets, Biometrika 70, 1983, 659-663).
 */
export function alphasOf(looks: Pick<PlannedLooks, 'unit' | 'units'> | null): readonly number[] {
  if (looks === null) return [ERROR_RATE];
  return looks.unit === 'blocks' ? equalParts(looks.units) : spentParts(looks.units);
}

/** The share of one look, counted from 1; that of the last look after it. */
export function alphaAt(looks: Pick<PlannedLooks, 'unit' | 'units'> | null, look: number): number {
  const alphas = alphasOf(looks);
  return alphas[Math.min(look, alphas.length) - 1] ?? ERROR_RATE;
}

function equalParts(units: readonly number[]): readonly number[] {
  const looksFrom = (first: number) => units.length - first;
  const first = units.findIndex(
    (until, at) => at === units.length - 1 || smallestSignedRankP(until) <= ERROR_RATE / looksFrom(at),
  );
  return units.map((_until, at) => (at < first ? 0 : ERROR_RATE / looksFrom(first)));
}

function spentParts(units: readonly number[]): readonly number[] {
  const all = units.at(-1) ?? 0;
  let spent = 0;
  return units.map((until, at) => {
    if (at === units.length - 1) return ERROR_RATE - spent;
    const part = spentUntil(all === 0 ? 0 : until / all) - spent;
    if (smallestSignedRankP(until) > part) return 0;
    spent += part;
    return part;
  });
}

/** 2 - 2 Phi(z / sqrt(share)), z the critical value of half the error rate; the whole error rate at share 1. */
function spentUntil(share: number): number {
  return share === 0 ? 0 : 2 * normalUpperTail(normalCriticalValue(ERROR_RATE / 2) / Math.sqrt(share));
}

/* What a plan can show, if no take fails; what a gate can decide of it is in `plan` of gate/bounds/. */

/** Units of a speed comparison with the baseline variant of a kind, and how few show a difference. */
export interface SpeedReach {
  readonly kind: Kind;
  readonly candidates: number;
  readonly units: ReturnType<typeof unitKindOf>;
  readonly n: number;
  readonly fewest: number;
}

/** One per kind with candidates; empty if repeats cannot show drift. */
export function speedReaches(
  variants: readonly Pick<Variant, 'name' | 'kind' | 'baseline' | 'twinOf'>[],
  { slices, load }: Pick<Plan, 'slices'> & { readonly load: Load },
): readonly SpeedReach[] {
  if (load.mode === 'open' || (load.order === 'sequential' && load.concurrency > 1 && load.steps === null)) return [];
  const placed = slices.flatMap(({ index, trials }) =>
    trials.filter(isMeasured).map((trial) => ({ trial, slice: index })),
  );
  const units = unitKindOf(load);
  const steps = load.steps?.length ?? 1;
  return [...groupBy(variants, ({ kind }) => kind)].flatMap(([kind, members]): readonly SpeedReach[] => {
    const candidates = members.filter(({ baseline, twinOf }) => !baseline && twinOf === undefined);
    if (candidates.length === 0) return [];
    const counts = candidates.map(({ name }) => {
      const ofVariant = placed.filter(({ trial }) => trial.variant === name);
      return countUnits(ofVariant, units) / steps;
    });
    const fewest = fewestToTell(candidates.length);
    return [{ kind, candidates: candidates.length, units, n: Math.min(...counts), fewest }];
  });
}
