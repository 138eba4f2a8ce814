import type { Metric } from '../../analysis/metric.ts';
import type { Unit } from '../../kit/value-words.ts';
import type { GateRule } from '../../suite/rule.ts';
import type { AllowedRange } from '../allowed-range.ts';
import type { KeyedFault } from '../deciding/rule-statistic.ts';
import type { Grounds, TakesKept, WeighedCase } from '../deciding/weighing.ts';
import type { PlannedBound, Planning } from '../planned-reach.ts';
import type { GatedSuite, RuleCase } from '../rule-case.ts';

/** How a bound is decided and said. It is made from the bound, so that each kind has the numbers of its own bounds. */
export interface BoundKind {
  /** What it allows of an estimate: of a ratio, a difference or a value. */
  readonly allows: AllowedRange;
  /** Whether it compares a variant with another one of the same run. */
  readonly comparesVariants: boolean;
  /** Whether an estimate decides; else a whole range does, or a count. */
  readonly usesEstimate: boolean;
  readonly faults: (rule: GateRule, suite: GatedSuite) => readonly KeyedFault[];
  /** Whether drift affects the rule in sequential order: it then fails equal variants in up to half of such runs. */
  readonly drifts: (metric: Metric) => boolean;
  readonly lookPart: (rule: GateRule, metrics: readonly Metric[]) => LookPart;
  /** What a rule can decide under this plan, and why it can never pass or never fail. */
  readonly plan: (planning: Planning) => PlannedBound;
  /** What the takes of a case show; `kept` may leave out flagged blocks. `alpha`: of tests and one-sided bounds. */
  readonly weigh: (ruleCase: RuleCase, grounds: Grounds, kept: TakesKept, alpha: number) => WeighedCase;
  readonly words: (of: SaidOf) => BoundWords;
  /** What it counts; null where it bounds a value. */
  readonly event: EventWords | null;
}

/** What a bound is said of. */
export interface SaidOf {
  readonly metric: string;
  readonly unit: Unit;
  /** Of the first runs, in which a rule may allow more. */
  readonly isAtFirst: boolean;
}

export interface BoundWords {
  /** `at most 1.05x`, `no take may differ`, `may decrease by at most 0.02`. */
  readonly limit: string;
  /** Whether that is a whole clause: it says itself what is allowed. */
  readonly isClause?: true;
  /** Whether it bounds a ratio. */
  readonly isRatio?: boolean;
  /** Follows the name of a metric: `may increase by at most 5 %`. */
  readonly clause: string;
  /** What a change for the worse is called: `increase`. Absent of what bounds no change. */
  readonly change?: string;
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
