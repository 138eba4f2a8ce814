import type { Bound, GateRule } from '../../suite/rule.ts';
import type { Metric } from '../metric.ts';
import type { PlannedBound, Planning } from '../planned-case.ts';
import type { GatedSuite, RuleCase } from '../rule-cases.ts';
import type { KeyedFault } from './rule-fault.ts';
import type { Grounds, TakesKept } from './weighing/grounds.ts';
import type { WeighedCase } from './weighing/weighed-case.ts';

export interface BoundKind {
  readonly faults: (rule: GateRule, suite: GatedSuite) => readonly KeyedFault[];
  /** Whether a rule may speak of prompts like those of the suite (`scope: prompts`). */
  readonly takesScope: boolean;
  /**
   * Whether a rule sees the service change over time where variants are sent one after the other. It then fails equal
   * variants in up to half of the runs in which the service changes (simulated: README.md).
   */
  readonly drifts: (metric: Metric) => boolean;
  readonly lookPart: (rule: GateRule, metrics: readonly Metric[]) => LookPart;
  /** What a rule can tell of a variant, and why this plan never lets it pass or fail. */
  readonly plan: (planning: Planning) => PlannedBound;
  /**
   * What the takes of a case say; without flagged blocks where `kept` says so. `alpha`: of its tests and one-sided
   * bounds.
   */
  readonly weigh: (ruleCase: RuleCase, grounds: Grounds, kept: TakesKept, alpha: number) => WeighedCase;
  /** Whether an estimate lies beyond the limit; false where a rule is not decided by an estimate. */
  readonly isBeyond: (bound: Bound, estimate: number) => boolean;
}

/**
 * What a rule is decided by where the gate is looked at more than once.
 * - `each_look`: by its tests or one-sided bounds at every look, each with its part of the error rate; a fail or pass
 *   is final.
 * - `events`: a fail at the first event. It passes only with none in all that was measured, and no error rate is spent.
 * - `whole`: once, on all that was measured: against earlier runs, or by an interval of 95 % that a look cannot make
 *   wider.
 */
export type LookPart = 'each_look' | 'events' | 'whole';
