import type { UndecodableReason } from '../../record/model/fact.ts';
import type { EffectiveOutcome } from '../effective-outcomes.ts';

/** What did not come back as it should: broken trials, failures, pairs that miss a side, outputs that do not decode, rate limits. */
export type FailureWarning = Defects | ManyFailures | MissingPairs | UndecodableOutputs | RateLimited;

/** Trials that broke inside Retake. They count in no rate and no latency. */
export interface Defects {
  readonly code: 'defects';
  readonly trials: number;
}

/** A variant with more than 5 % failed takes: what is left is a choice of the easy ones. */
export interface ManyFailures {
  readonly code: 'many_failures';
  readonly variant: string;
  readonly failed: number;
  /** Takes that the service could answer. */
  readonly takes: number;
  /** Failures of one kind, the most frequent; null where no group of them is known. */
  readonly mostOften: FailureKind | null;
}

export interface FailureKind {
  readonly outcome: EffectiveOutcome;
  /** Of the error, may be empty. Others' text, like the message. */
  readonly errorCode: string;
  readonly httpStatus: number | null;
  readonly count: number;
  readonly message: string;
  /** Why the first of these outputs does not decode; null of another failure. */
  readonly undecodable: UndecodableReason | null;
}

/** More than 5 % of the pairs of a variant and its baseline have a latency on one side only. */
export interface MissingPairs {
  readonly code: 'missing_pairs';
  readonly variant: string;
  readonly baseline: string;
  /** Blocks in which either has a latency. */
  readonly pairs: number;
  /** Of them, those in which the variant has none, and those in which the baseline has none. */
  readonly variantMissing: number;
  readonly baselineMissing: number;
}

/** Outputs that are there and do not decode: failures, in no latency. */
export interface UndecodableOutputs {
  readonly code: 'undecodable_outputs';
  readonly variants: readonly string[];
  readonly outputs: number;
  /** Of the most frequent kind, the first. */
  readonly reason: UndecodableReason;
}

/** Trials that were refused for coming too fast, waited out or not. */
export interface RateLimited {
  readonly code: 'rate_limited';
  readonly variants: readonly string[];
  readonly trials: number;
  readonly waitedMs: number;
  readonly mode: 'closed' | 'open';
  readonly concurrency: number;
  /** Requests that got through, per second, from the first start to the last end; null where that is not known. */
  readonly servedPerSecond: number | null;
}
