import type { Metric } from '../../analysis/metric.ts';
import type { Unit } from '../../kit/value-words.ts';
import type { Bound, GateRule } from '../../suite/rule.ts';
import type { KeyedFault } from '../deciding/rule-statistic.ts';
import type { Grounds, TakesKept, WeighedCase } from '../deciding/weighing.ts';
import type { PlannedBound, Planning } from '../planned-reach.ts';
import type { GatedSuite, RuleCase } from '../rule-cases.ts';

export interface BoundKind {
  readonly faults: (rule: GateRule, suite: GatedSuite) => readonly KeyedFault[];
  /** Whether a rule may use `scope: prompts`. */
  readonly takesScope: boolean;
  /** Whether drift affects the rule in sequential order: it then fails equal variants in up to half of such runs. */
  readonly drifts: (metric: Metric) => boolean;
  readonly lookPart: (rule: GateRule, metrics: readonly Metric[]) => LookPart;
  /** What a rule can decide under this plan, and why it can never pass or never fail. */
  readonly plan: (planning: Planning) => PlannedBound;
  /** What the takes of a case show; `kept` may leave out flagged blocks. `alpha`: of tests and one-sided bounds. */
  readonly weigh: (ruleCase: RuleCase, grounds: Grounds, kept: TakesKept, alpha: number) => WeighedCase;
  /** Whether an estimate is beyond the limit; false if the rule does not use an estimate. */
  readonly isBeyond: (bound: Bound, estimate: number) => boolean;
}

/** How bounds are decided and said, by key. */
export type DeclaredBounds<Is extends Bound['is']> = {
  readonly [Key in Is]: { readonly kind: BoundKind; readonly words: BoundWords<Bound & { readonly is: Key }> };
};

export interface BoundWords<B extends Bound = Bound> {
  readonly side: 'most' | 'least';
  /** `at most 1.05x`. */
  limit(bound: B, unit: Unit): string;
  /** Follows the name of a metric: `may rise by at most 5 %`; by default "must be" and the limit. */
  clause?(bound: B, unit: Unit): string;
  isRatio?(bound: B): boolean;
  /** What it counts; none where it bounds a value. */
  event?(bound: B): EventWords;
}

export interface EventWords {
  /** `no take may differ`. */
  readonly forbidden: string;
  /** Follows it where nothing was found: `none did`. */
  readonly none: string;
  readonly noun: string;
  readonly outlook: string;
}

/**
 * How a rule is decided in a gate with several looks.
 * - `each_look`: at every look, with a share of the error rate. A fail or pass is final.
 * - `events`: fails at the first event, passes only at the end. No error rate is spent.
 * - `whole`: once at the end: against earlier runs, or by an interval whose level is fixed at 95 %.
 */
export type LookPart = 'each_look' | 'events' | 'whole';
