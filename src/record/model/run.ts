import type { LevelLimits } from '../../media/compare/level.ts';
import type { PackageFault } from '../../media/decode-fault.ts';
import type { PlannedLooks } from '../../plan/parts.ts';
import type { SkippedProbe } from '../../plan/probes/skipped-probes.ts';
import type { Shard } from '../../plan/share.ts';
import type { PlannedWork } from '../../plan/time-left/planned-work.ts';
import type { Json } from '../../suite/document/json.ts';
import type {
  Expectation,
  GateRule,
  Kind,
  Limits,
  Load,
  Price,
  ProbeKind,
  ReportFormat,
} from '../../suite/format/suite.ts';
import type { Calibration } from './calibration.ts';
import type { Missing } from './missing.ts';
import type { Spend } from './spend.ts';

/** The version of the record's format. Until the first publication it stays 1, and what it means may change. */
export const RUN_FORMAT = 1;

/** run.json: everything about a run that was known before it began. Holds no secret. */
export interface Run {
  readonly format: typeof RUN_FORMAT;
  /** Time and random digits: `20261120T154500Z-7f3a`. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** A text of the user's that tells it from other runs, such as a place or a build; of a merged run those of its shards. */
  readonly label?: string;
  readonly suite: RunSuite;
  readonly targets: readonly RunTarget[];
  readonly variants: readonly RunVariant[];
  /** The stored baseline whose variants are sent again beside those of the suite; null where none is. */
  readonly against: RunAgainst | null;
  /** Variants that were not measured because of this machine. */
  readonly leftOut: readonly LeftOut[];
  readonly prompts: readonly RunPrompt[];
  readonly plan: RunPlan;
  /**
   * What the plan asks of each variant: how long the rest of a run takes is estimated from it. Absent in a merged run, which is
   * never in progress, and in records of earlier versions.
   */
  readonly work?: readonly PlannedWork[];
  readonly limits: Limits;
  /** The rules that make the verdict, in the order declared. */
  readonly gate: readonly GateRule[];
  readonly reports: readonly ReportFormat[];
  readonly machine: Machine;
  /**
   * What the machine adds to latencies; null where the run was aborted before it was known. Of a merged run that of the
   * shard with the largest noise floor.
   */
  readonly calibration: Calibration | null;
  /** The checkout the suite stands in; null outside one. */
  readonly git: Checkout | null;
  /** Which part of a run this is; null where it is a whole run. */
  readonly shard: RunShard | null;
  /** What it was merged from; null where it was measured as one. */
  readonly merged: RunMerged | null;
}

export interface Checkout {
  readonly commit: string;
  readonly dirty: boolean;
}

/**
 * One of the shards that a run was split into. `plan`, `limits` and `plannedTrials` of its record are those of the shard,
 * but for the digest of the plan.
 */
export interface RunShard extends Shard {
  /** The name that all shards of the run have in common. */
  readonly run: string;
  /** What the record of the whole run has in their place. */
  readonly whole: {
    readonly plan: RunPlan;
    readonly limits: Limits;
    /** By variant. */
    readonly plannedTrials: Readonly<Record<string, number>>;
  };
}

/** What a merged run was made from. Its `machine` is that of the first of these shards. */
export interface RunMerged {
  /** How many shards the run was split into. */
  readonly of: number;
  /** Those that were merged, by index. */
  readonly shards: readonly MergedShard[];
}

/** The processes of a run are numbered from 1 to this: more than ever resume one. */
export const MOST_SEGMENTS = 1e9;

/** The numbers of the shards that were not merged, ascending. */
export function missingShards({ of, shards }: RunMerged): readonly number[] {
  const there = new Set(shards.map(({ index }) => index));
  return Array.from({ length: of }, (_, at) => at + 1).filter((index) => !there.has(index));
}

export interface MergedShard {
  /** From 1. */
  readonly index: number;
  readonly createdAt: string;
  /** Its processes, by their numbers in the merged journal. */
  readonly segments: readonly number[];
  /** Its part of `load.concurrency`. */
  readonly concurrency: number;
  readonly machine: Machine;
  readonly calibration: Calibration | null;
  /** Warm-up requests that it sent and the merged record does not hold: those of one shard are kept. */
  readonly warmupsLeftOut: number;
  /** What these may have been charged, by variant. */
  readonly spendLeftOut: Readonly<Record<string, Spend>>;
}

/** A stored baseline whose variants a run sends again: those with a `twinOf` are its. */
export interface RunAgainst {
  /** The run that it was kept from, and when that began. */
  readonly run: string;
  readonly createdAt: string;
  /** SHA-256 of the baseline as JSON. */
  readonly digest: string;
  /** SHA-256 of each environment value that its suite and targets have now, by name. */
  readonly environment: Readonly<Record<string, string>>;
  /** The names of those that had another value when the baseline was measured. */
  readonly changedEnvironment: readonly string[];
  /** Variants that one side does not have; prompts and seeds of the baseline that are not sent. */
  readonly missing: readonly Missing[];
}

/** A variant that was not measured because of this machine. */
export interface LeftOut {
  readonly variant: string;
  /** As of a variant that is measured. */
  readonly twinOf: string | null;
  readonly kind: Kind;
  readonly reason: LeftOutReason;
  readonly optional: boolean;
}

/** Why the reference service of the run cannot make what a variant asks for. */
export type LeftOutReason =
  | { readonly code: 'no_video_package'; readonly fault: PackageFault }
  | { readonly code: 'no_video_encoder'; readonly encoder: string };

export interface RunSuite {
  readonly name: string;
  readonly description: string | null;
  readonly file: string;
  /** SHA-256 of `declared`. */
  readonly digest: string;
  /** The values of `--set`, in order. */
  readonly overrides: readonly string[];
  /** As written, with `--set` applied, `${env.X}` not replaced. */
  readonly declared: Json;
  /** SHA-256 of each environment value used, by name. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface RunTarget {
  readonly id: string;
  readonly file: string;
  /** SHA-256 of `declared`, with `storedBody` where there is one. */
  readonly digest: string;
  readonly declared: Json;
  /** The document that `submit.body_file` names, before `set`; null where it names none. */
  readonly storedBody: Json | null;
  readonly environment: Readonly<Record<string, string>>;
}

export interface RunVariant {
  readonly name: string;
  /** The variant of the suite that it is held beside, where it is the stored baseline's; null: it is the suite's own. */
  readonly twinOf: string | null;
  readonly kind: Kind;
  readonly target: string;
  readonly baseline: boolean;
  readonly constants: { readonly [key: string]: Json };
  /** Without user, password and query; `embedded:` for the reference service of the run. */
  readonly baseUrl: string;
  /** What the target says a seed means. */
  readonly seedClaim: 'exact' | 'similar' | 'none';
  /** Whether its requests hold the seed at all; where not, trials that differ in their seed alone are one request. */
  readonly sendsSeed: boolean;
  /** What the target says that a request without a seed takes. */
  readonly seedOmitMeans: 'random' | 'constant' | 'unknown';
  /** Whether the target says how a job that is abandoned is ended (`wait.cancel`); null where none is polled. */
  readonly cancelsJobs: boolean | null;
  readonly timeoutMs: number;
  readonly price: Price | null;
  /** Measured trials in the plan, warm-ups and probes left out. */
  readonly plannedTrials: number;
  /** Where the levels between two of its outputs begin. */
  readonly levels: LevelLimits;
}

/** The digests of the input images of a run, each once. */
export function inputImages({ prompts }: Pick<Run, 'prompts'>): ReadonlySet<string> {
  return new Set(prompts.flatMap(({ image }) => image ?? []));
}

export interface RunPrompt {
  readonly id: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly kinds: readonly Kind[];
  /** SHA-256 of the input image, which is in media/ where the run sent it. */
  readonly image: string | null;
  readonly inputs: { readonly [key: string]: Json };
  /** What its row in a file of prompts says beside it, where the suite keeps that. */
  readonly expect?: Expectation;
}

/** The plan in short; the suite in run.json expands to it again, and `digest` proves that it did. */
export interface RunPlan {
  readonly digest: string;
  /** Requests in all, warm-ups and probes among them. */
  readonly requests: number;
  readonly slices: number;
  /** Trials in the largest slice: more than these are never in flight. */
  readonly largestSlice: number;
  readonly seeds: readonly number[];
  readonly repeats: number;
  readonly load: Load;
  /** Null where the suite asks for none. */
  readonly probes: RunProbes | null;
  /** Its parts, where the gate is looked at more than once; else null. */
  readonly looks: PlannedLooks | null;
}

/** The probes of a plan. */
export interface RunProbes {
  readonly kinds: readonly ProbeKind[];
  readonly trials: number;
  /** The seeds of the cache probe follow from it: drawn for the run, no part of the plan's digest. */
  readonly nonce: number;
  /** What was asked for and left out, and why. */
  readonly skippedProbes: readonly SkippedProbe[];
}

export interface Machine {
  readonly retake: string;
  readonly node: string;
  readonly undici: string;
  readonly sharp: string;
  /** Null where video is not decoded. */
  readonly nodeAv: string | null;
  readonly os: string;
  readonly arch: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
}
