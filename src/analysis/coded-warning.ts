import type { MissingDecoder } from '../media/decode-fault.ts';
import type { UndecodableReason } from '../record/fact.ts';
import type { RunVariant } from '../record/run.ts';
import type { Outcome } from '../record/sample.ts';
import type { Json } from '../suite/json.ts';
import type { ProbeKind } from '../suite/suite.ts';
import type { DependentTakes, QueueGrows } from './load-warning.ts';
import type { CacheFinding, LoadFinding, ProbeReason, SeedFinding } from './probe-finding.ts';

/** A warning as data: what was found, by a code and the numbers that belong to it. The reports put it into words. */
export type CodedWarning =
  | TooManyLateStamps
  | FlagsDisagree
  | SeedNotHonoured
  | OtherSeedEchoed
  | NoSeedSent
  | SameForAllSeeds
  | EqualVariants
  | ManyFailures
  | UndecodableOutputs
  | NotDecoded
  | RateLimited
  | DependentTakes
  | QueueGrows
  | ProbeWarning;

/** So many samples of a variant were stamped late that it is significantly above 5 %, or that its median is another without them. */
export interface TooManyLateStamps {
  readonly code: 'too_many_late_stamps';
  readonly unfit: true;
  readonly variants: readonly LateVariant[];
  /** Variants of the run. */
  readonly ofVariants: number;
  /** How late the event loop of the thread that stamps ran; null where it was not watched. */
  readonly loopDelay: { readonly p99Ms: number; readonly maxMs: number } | null;
  readonly mode: 'closed' | 'open';
}

export interface LateVariant {
  readonly variant: string;
  readonly late: number;
  readonly samples: number;
  /** Whether p50 with and without flagged samples agree, at each step of a sweep; null where one has no interval. */
  readonly agree: boolean | null;
}

/** The median with flagged samples and the one without have disjoint intervals. */
export interface FlagsDisagree {
  readonly code: 'flags_disagree';
  readonly variant: string;
  readonly step: number | null;
  /** Null: above the time limit. */
  readonly withFlaggedMs: number | null;
  readonly withoutFlaggedMs: number | null;
}

/** The target claims `exact`, and takes of one prompt and seed are different images. */
export interface SeedNotHonoured {
  readonly code: 'seed_not_honoured';
  readonly variant: string;
  /** Cells whose takes differ in their pixels, of those with two takes that were compared. */
  readonly cells: number;
  readonly ofCells: number;
}

/** The service says that it took another seed than the one it was sent. */
export interface OtherSeedEchoed {
  readonly code: 'other_seed_echoed';
  readonly variant: string;
  readonly samples: number;
  /** Samples of which the service says a seed. */
  readonly ofSamples: number;
  readonly sent: number;
  readonly echoed: number;
  /** What the service makes of a seed, where that explains every echo. */
  readonly kept: SeedRange | null;
}

/** A seed is taken modulo `size`, cut to `size` - 1, or wrapped to a signed number of 32 bits. */
export interface SeedRange {
  readonly how: 'modulo' | 'clamp' | 'signed';
  readonly size: number;
}

/** The target sends no seed, and the suite declares several. */
export interface NoSeedSent {
  readonly code: 'no_seed_sent';
  readonly variants: readonly string[];
  readonly seeds: readonly number[];
}

/** Every seed of a prompt gave the same bytes. */
export interface SameForAllSeeds {
  readonly code: 'same_for_all_seeds';
  readonly variants: readonly string[];
  readonly prompts: number;
}

/** Variants of one endpoint that differ in constants, and whose outputs are equal to the byte in every common cell. */
export interface EqualVariants {
  readonly code: 'equal_variants';
  readonly variants: readonly string[];
  /** Prompts and seeds at which all of them delivered. */
  readonly cells: number;
  /** What they differ in, in the order of `variants`; null where one does not set it. */
  readonly constants: readonly { readonly name: string; readonly values: readonly Json[] }[];
}

/** A variant of which more than 5 % of the takes failed: what is left is a choice of the easy ones. */
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
  readonly outcome: Outcome;
  /** Of the error, may be empty. Others' text, like the message. */
  readonly errorCode: string;
  readonly httpStatus: number | null;
  readonly count: number;
  readonly message: string;
  /** Why the first of these outputs does not decode; null of another failure. */
  readonly undecodable: UndecodableReason | null;
}

/** Outputs that are there and do not decode: failures, in no latency. */
export interface UndecodableOutputs {
  readonly code: 'undecodable_outputs';
  readonly variants: readonly string[];
  readonly outputs: number;
  /** Of the most frequent kind, the first. */
  readonly reason: UndecodableReason;
}

/** Delivered outputs of which nothing is known but their bytes, all for one reason. */
export interface NotDecoded {
  readonly code: 'not_decoded';
  readonly variants: readonly string[];
  readonly outputs: number;
  readonly media: 'image' | 'video';
  /** Null: examination has not reached them. */
  readonly reason: MissingDecoder | null;
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

/** What a probe of a variant found that bends numbers, or that its target says otherwise; or why it found nothing. */
export type ProbeWarning =
  | { readonly code: 'served_from_cache'; readonly variant: string; readonly cache: CacheFinding }
  | {
      readonly code: 'seed_ignored' | 'seed_unstable' | 'seed_similar';
      readonly variant: string;
      readonly claim: RunVariant['seedClaim'];
      readonly seed: SeedFinding;
    }
  /** The target says the other of the two. */
  | { readonly code: 'omitted_seed_constant' | 'omitted_seed_random'; readonly variant: string }
  | {
      readonly code: 'batch_dependent';
      readonly variant: string;
      readonly concurrency: number;
      readonly load: LoadFinding;
    }
  | {
      readonly code: 'probe_not_testable';
      readonly variant: string;
      readonly probe: ProbeKind;
      readonly reason: ProbeReason;
    }
  | {
      readonly code: 'probe_left_out';
      readonly probe: ProbeKind;
      /** Left out; else tested in part. */
      readonly whole: boolean;
      readonly variants: readonly string[];
      readonly reason: ProbeReason;
    };
