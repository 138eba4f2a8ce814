import type { Unit } from '../../analysis/measures/unit.ts';
import type { LookKind } from '../../plan/parts.ts';
import type { Missing } from '../../record/model/missing.ts';
import type { GateRule, Kind } from '../../suite/format/suite.ts';
import type { PromptEffect } from '../effects/prompt-effect.ts';
import type { UnitKind } from '../pairs/units.ts';

/** The version of verdict.json. */
export const VERDICT_FORMAT = 1;

/** What a gate says of a run. Plain data: this is verdict.json. */
export interface Verdict {
  readonly format: typeof VERDICT_FORMAT;
  readonly run: string;
  /** The run that a stored baseline was kept from; null where none was given. */
  readonly baselineRun: string | null;
  /** `none`: the suite declares no rule. */
  readonly verdict: 'pass' | 'fail' | 'inconclusive' | 'none';
  /** What the command ends with: 3 where the run is incomplete, whatever the rules say. */
  readonly exitCode: 0 | 1 | 3 | 4;
  readonly complete: boolean;
  readonly rules: readonly RuleResult[];
  /** What one side of a comparison does not have. */
  readonly missing: readonly Missing[];
  /** Null of a run whose gate is decided once, at its end. */
  readonly looks: VerdictLooks | null;
}

/** How a gate was decided that is looked at more than once, and what it stands on. */
export interface VerdictLooks {
  readonly kind: LookKind;
  /** Looks at most. */
  readonly of: number;
  /** Looks that were made. */
  readonly made: number;
  /** Of every test at each of the looks, made or not; 0 of one that comes after too few units to decide. */
  readonly alphas: readonly number[];
  /** Whether the run ended before its last part: a rule had failed, or none was left to decide. */
  readonly early: boolean;
  /** Prompts with a seed that were to be measured until the run ended, and those of the whole plan. */
  readonly caseSeeds: number;
  readonly plannedCaseSeeds: number;
  /** As above, of measured takes of all variants. */
  readonly takes: number;
  readonly plannedTakes: number;
}

/** One rule, held against one variant, and why it decides as it does. */
export type RuleResult = RuleNumbers & Decision;

/** What a rule found. */
export interface RuleNumbers {
  /** The rule's place in the suite, from 0. */
  readonly index: number;
  readonly rule: GateRule;
  readonly variant: string;
  readonly kind: Kind;
  /** The variant it was compared with; null where the rule sets a bound of its own, or is about earlier runs. */
  readonly against: string | null;
  /** An inconclusive result that the suite lets pass. */
  readonly letPass: boolean;
  /** What `estimate`, its interval and the rule's bound are: candidate / baseline, candidate - baseline, or the value itself. */
  readonly effect: 'ratio' | 'difference' | 'value';
  /** Of these numbers; `1` of a ratio. */
  readonly unit: Unit;
  /** Null where there is none. */
  readonly estimate: number | null;
  /** Two-sided 95 %; an end is null where it is open or there is none. Of a value that is only known to lie between two bounds, these. */
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  /** One-sided: no worse than this; null where nothing bounds it. */
  readonly upperBound: number | null;
  /** Of `upperBound`: 0.95, and more where the gate is looked at more than once. Null where the value is counted: it has no bound. */
  readonly boundLevel: number | null;
  readonly p: number | null;
  /** By Holm over all comparisons that the gate makes. */
  readonly pAdjusted: number | null;
  /** Units, or what a rate or bound stands on. */
  readonly n: number;
  readonly units: UnitKind | 'takes' | 'blocks' | 'runs';
  /** Blocks in which one side has no value. */
  readonly missingPairs: number;
  /** Whether a change of latencies is less than the noise floor of this machine, which is of single calls. It decides nothing. */
  readonly belowNoiseFloor: boolean;
  /** The same rule without the blocks that hold a flagged take; null where nothing was flagged. */
  readonly withoutFlagged: { readonly verdict: RuleVerdict; readonly estimate: number | null } | null;
  /** The smallest effect that this many units would show in 4 of 5 runs: a ratio, or a difference; null where it is not known. */
  readonly detectable: Detectable | null;
  /** Whether the change differs by prompt; null of a rule that compares no values. */
  readonly promptEffect: PromptEffect | null;
  /** The worst first: prompts and tags with the largest change for the worse, or prompts that are beyond a bound by themselves. */
  readonly worst: readonly WorstPlace[];
  /** The look that these numbers are of, from 1: that which decided the rule, else the last one; null where the gate is decided once. */
  readonly look: number | null;
}

export interface Detectable {
  readonly effect: number;
  /** The standard deviation of the units that this stands on, and whether it is assumed. */
  readonly spread: number;
  readonly assumed: boolean;
}

export type WorstPlace =
  | { readonly prompt: string; readonly value: number }
  | { readonly tag: string; readonly value: number };

export type RuleVerdict = Decision['verdict'];

/** What a rule decided and why. */
export type Decision =
  | { readonly verdict: 'pass'; readonly code: PassCode }
  | { readonly verdict: 'fail'; readonly code: FailCode }
  | { readonly verdict: 'inconclusive'; readonly code: InconclusiveCode }
  | { readonly verdict: 'not_applicable'; readonly code: NotApplicableCode };

export type PassCode =
  | 'within_limit'
  | 'no_event'
  /** Shown to be within the limit of what earlier runs measured. */
  | 'within_history';

export type FailCode = 'beyond_limit' | 'event_found';

export type InconclusiveCode =
  /** The estimate is within the limit, but three times the limit is not excluded. */
  | 'limit_not_excluded'
  /** The estimate is beyond the limit, but not significantly. */
  | 'not_significant'
  /** The range of a value lies on both sides of the bound. */
  | 'spans_limit'
  /** Counted, but for requests of unknown cost. */
  | 'unknown_cost'
  | 'too_few_units'
  /** A value that is held against a bound of its own has no interval. */
  | 'no_interval'
  | 'nothing_to_count'
  /** Repeats come from a cache. */
  | 'not_testable'
  /** Open load lasted less than ten times the limit, too short to show how its calls depend on each other. */
  | 'short_load'
  /** More than a fifth of the blocks lacks a value. */
  | 'too_many_missing'
  /** It passes only without the blocks that the candidate lost. */
  | 'lost_blocks'
  /** Without flagged blocks the verdict is another. */
  | 'flagged_disagree'
  /** Polls lie so far apart that they make the latency. */
  | 'coarse_polls'
  /** All variants were in flight together. */
  | 'mixed_order'
  /** One variant was sent after the other. */
  | 'sequential_order'
  /** The variant was abandoned in mid-run, or was not measured. */
  | 'left_out'
  | 'no_baseline'
  | 'short_history'
  /** This run is beyond the limit, the one before is not. */
  | 'beyond_once'
  /** The bound of this run and the one before is above the limit; they are not significantly beyond it. */
  | 'not_within_history'
  /** A cell of earlier runs has no value in this run or the one before. */
  | 'lost_cells'
  /** The run and what it is held against have no cell in common. */
  | 'no_common_cell'
  /** No cell of the stored baseline has at least two takes that are all equal. */
  | 'no_stable_cell'
  | 'no_media';

export type NotApplicableCode = 'optional_left_out';
