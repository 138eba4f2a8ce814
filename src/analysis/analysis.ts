import type { Difference } from '../media/compare/difference.ts';
import type { Layer } from '../media/compare/layer.ts';
import type { Level } from '../media/compare/level.ts';
import type { Abandonment } from '../record/model/abandonment.ts';
import type { Calibration, Unfitness } from '../record/model/calibration.ts';
import type { ShownFact, UndecodableReason, UnexaminedReason } from '../record/model/fact.ts';
import type { LoopDelay } from '../record/model/journal.ts';
import type {
  Checkout,
  Machine,
  RunAgainst,
  RunPlan,
  RunPrompt,
  RunShard,
  RunTarget,
  RunVariant,
} from '../record/model/run.ts';
import type { Sample } from '../record/model/sample.ts';
import type { Spend } from '../record/model/spend.ts';
import type { Stop } from '../record/model/stop.ts';
import type { Kind } from '../suite/format/suite.ts';
import type { EffectiveOutcome } from './effective-outcomes.ts';
import type { MethodCode } from './measures/method.ts';
import type { Better, Unit } from './measures/unit.ts';
import type { Note } from './note.ts';
import type { ProbeFindings } from './probes/probe-finding.ts';
import type { CodedWarning } from './warning-codes/coded-warning.ts';

/** The version of analysis.json. */
export const ANALYSIS_FORMAT = 1;

/** Everything the reports say of a run, derived from the record alone. Plain data: this is analysis.json. */
export interface Analysis {
  readonly format: typeof ANALYSIS_FORMAT;
  readonly run: RunSummary;
  readonly variants: readonly VariantSummary[];
  readonly prompts: readonly RunPrompt[];
  /** The metrics that have measures, in the order these are listed. */
  readonly metrics: readonly MeasuredMetric[];
  readonly measures: readonly Measure[];
  /**
   * One for each variant x prompt x seed of the plan, in plan order of variants, prompts, seeds; behind the declared seeds
   * those that open load went on with when it outlasted the plan.
   */
  readonly cells: readonly Cell[];
  readonly failures: readonly FailureGroup[];
  /** One for each variant, or step of it, that has flagged samples; in plan order of variants, then by step. */
  readonly flagged: readonly FlaggedSummary[];
  /** One for each variant; empty where the suite asks for no probe. */
  readonly probes: readonly ProbeFindings[];
  readonly warnings: readonly Warning[];
}

export interface RunSummary {
  readonly id: string;
  /** What the user called it, beside its id; null where that is nothing. */
  readonly label: string | null;
  readonly suite: string;
  readonly description: string | null;
  readonly startedAt: string;
  /**
   * From the first start to the last end of each segment, summed; null before anything was measured. Of a merged run that
   * of the shard that took longest.
   */
  readonly durationMs: number | null;
  /** Complete when every planned trial, probes among them, has its sample and none was cancelled. */
  readonly complete: boolean;
  /** Planned probe trials without a sample, or cancelled. */
  readonly missingProbes: number;
  /** Null where the process was killed. Of a merged run that of the first shard that did not finish. */
  readonly stop: Stop | null;
  /** Which part of a run this is; null where it is a whole run. */
  readonly shard: Pick<RunShard, 'run' | 'index' | 'of'> | null;
  /** The shards of a merged run; null where it was measured as one. */
  readonly shards: ShardsSummary | null;
  readonly plan: RunPlan;
  /** The stored baseline whose variants were sent again; null where none were. */
  readonly against: RunAgainst | null;
  readonly targets: readonly Pick<RunTarget, 'id' | 'file' | 'digest'>[];
  readonly machine: Machine;
  /** What the machine adds to latencies, and its noise floor; null where it was not calibrated. */
  readonly calibration: Calibration | null;
  readonly git: Checkout | null;
  /** Requests sent, attempts and warm-ups among them; of a merged run without the warm-ups that it leaves out. */
  readonly requestsSent: number;
  /** What the variants may have been charged, in all; null where no price is known. */
  readonly spend: Spend | null;
  /** How late the wire thread's event loop ran, of all segments the worst; null where it was not watched. */
  readonly loopDelay: LoopDelay | null;
  /** Requests that were abandoned and may have gone on at the service; null where they were not counted. */
  readonly orphans: number | null;
}

/** What a merged run was made from. */
export interface ShardsSummary {
  /** How many shards the run was split into. */
  readonly of: number;
  /** The numbers of those that were not merged. */
  readonly missing: readonly number[];
  readonly merged: readonly ShardSummary[];
}

/** A shard of a merged run. */
export interface ShardSummary {
  /** From 1. */
  readonly index: number;
  /** Its processes, as samples name them. */
  readonly segments: readonly number[];
  readonly startedAt: string;
  /** As of a run; null before anything was measured. */
  readonly durationMs: number | null;
  readonly stop: Stop | null;
  /** Its part of `load.concurrency`. */
  readonly concurrency: number;
  /** Warm-up requests that it sent and the merged run leaves out. */
  readonly warmupsLeftOut: number;
  readonly machine: Machine;
  /** Of its machine; null where it was not calibrated. */
  readonly floorMs: number | null;
  /** What calibration found against its machine. */
  readonly unfit: readonly Unfitness[];
}

/** A variant with what became of its planned trials (warm-ups left out). */
export interface VariantSummary extends RunVariant {
  readonly outcomes: Readonly<Partial<Record<EffectiveOutcome, number>>>;
  /** Planned trials that have no sample. */
  readonly missing: number;
  /** What all its requests may have been charged, warm-ups and probes among them; null where no price of the run is known. */
  readonly spend: Spend | null;
  /** Why it was abandoned in mid-run; null where it was not. */
  readonly abandoned: Abandonment | null;
}

/** A metric that was measured. */
export interface MeasuredMetric {
  readonly name: string;
  /** What it means: documentation for readers. */
  readonly meaning: string;
  /** Those of most of its statistics; a measure has its own. */
  readonly unit: Unit;
  readonly better: Better;
}

/** One number with its unit, how many it stands on, and its interval. A null value says in `notes` why there is none. */
export interface Measure {
  readonly variant: string;
  readonly kind: Kind;
  /** Null: over all prompts. */
  readonly prompt: string | null;
  /** The concurrency of a sweep's step; null outside one. */
  readonly step: number | null;
  readonly metric: string;
  readonly statistic: string;
  readonly value: number | null;
  readonly unit: Unit;
  readonly better: Better;
  readonly n: number;
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  /** 0.95; null where there is no interval. A one-sided bound has 0 as its other end. */
  readonly ciLevel: number | null;
  /** How value and interval were made. */
  readonly method: MethodCode;
  /** What must be known to read it; empty when nothing. */
  readonly notes: readonly Note[];
}

/** Variant x prompt x seed: its takes, and which of them are byte-identical. */
export interface Cell {
  readonly variant: string;
  readonly kind: Kind;
  readonly prompt: string;
  readonly seed: number;
  readonly takes: readonly Take[];
  /** Distinct outputs among the takes that delivered, most frequent first (ties: first seen). */
  readonly outputGroups: readonly OutputGroup[];
  /**
   * Byte level: `same` all takes equal, `differs` some not, `too_few_takes` fewer than two takes delivered.
   * `same` is a statement about these takes only.
   */
  readonly byte: 'same' | 'differs' | 'too_few_takes';
  /** The lowest level among all pairs of takes; null for fewer than two takes, or where a pair was not compared. */
  readonly level: Level | null;
  /** The outermost layer that any two takes differ in; null as above. */
  readonly layer: Layer | null;
  /** Of its most frequent image and the one that lies farthest from it; null where all are one image, or not compared. */
  readonly farthest: Difference | null;
}

/** An output of a cell, by its bytes. */
export interface OutputGroup {
  readonly sha256: string;
  readonly takes: number;
  /** Against the most frequent one; null where they were not compared. */
  readonly level: Level | null;
  /** The index of the first output group with the same pixels: its own, or an earlier one. */
  readonly image: number;
}

export interface Take {
  readonly trial: string;
  readonly repeat: number;
  /** Of a sweep, how many were in flight; null outside one. */
  readonly step: number | null;
  readonly outcome: EffectiveOutcome;
  readonly sha256: string | null;
  readonly mime: string | null;
  readonly totalMs: number | null;
}

/** Samples that failed in one way. Code and message are hostile text. */
export interface FailureGroup {
  readonly variant: string;
  readonly outcome: EffectiveOutcome;
  readonly code: string;
  readonly httpStatus: number | null;
  readonly count: number;
  /** The first message, and the trial it came from. Empty where nobody said anything. */
  readonly message: string;
  /** Of the code `undecodable`: why the first of its outputs does not decode. Else null. */
  readonly undecodable: UndecodableReason | null;
  readonly exampleTrial: string;
}

/** Flagged samples of a variant, and what they do to its median latency. None is left out of any other number. */
export interface FlaggedSummary {
  readonly variant: string;
  /** Of a sweep, how many were in flight; null outside one. */
  readonly step: number | null;
  /** Samples that carry each flag; one may carry several. */
  readonly flags: Readonly<Record<string, number>>;
  readonly samples: number;
  readonly ofSamples: number;
  /** Blocks (case x seed x repeat) with a flagged sample. */
  readonly blocks: number;
  readonly ofBlocks: number;
  readonly withFlagged: MedianLatency;
  readonly withoutFlagged: MedianLatency;
  /** Whether their intervals have a value in common; null where one has no interval. */
  readonly agree: boolean | null;
}

/** A median with its 95 % interval; null values lie among time-outs, or need more samples. */
export interface MedianLatency {
  readonly valueMs: number | null;
  readonly lowMs: number | null;
  readonly highMs: number | null;
  readonly n: number;
}

/** Something that may have bent the numbers. `unfit`: they are not fit for use, which is said before anything else. */
export type Warning = CodedWarning & { readonly unfit?: true };

/** A sample as it counts: the effective outcome after examination, its timings, what its output is. */
export interface EffectiveSample {
  readonly sample: Sample;
  /** The runner's outcome, or what the facts make of it: `invalid_media` does not decode, `blank` shows nothing. */
  readonly outcome: EffectiveOutcome;
  readonly error: EffectiveError | null;
  readonly timings: Timings;
  readonly output: EffectiveOutput | null;
  /** Null where the price is not known. */
  readonly costUsd: number | null;
  /** Sorted. */
  readonly flags: readonly string[];
}

/** An effective sample, and whether its times count in latencies: what a cache may have answered does not. */
export interface TimedSample extends EffectiveSample {
  readonly timed: boolean;
}

/** Why a sample failed. */
export interface EffectiveError {
  readonly code: string;
  /** What the service or the system said: hostile text. Empty where examination found the failure. */
  readonly message: string;
  /** Of the code `undecodable`: why its output does not decode. Else null. */
  readonly undecodable: UndecodableReason | null;
}

/** The durations that src/README.md defines, in milliseconds; null where a mark was not reached or the phase is not defined. */
export interface Timings {
  readonly totalMs: number | null;
  /** Open load only: how late the call was begun. */
  readonly startLagMs: number | null;
  readonly responseMs: number | null;
  readonly submitMs: number | null;
  readonly queueMs: number | null;
  /** What of it polls saw for certain: work may have begun at any time between this and `queueMs`. */
  readonly queueLowMs: number | null;
  readonly runMs: number | null;
  /** The most that polls leave open: from the last that said not begun to the one that said done. */
  readonly runHighMs: number | null;
  readonly detectMs: number | null;
  readonly downloadMs: number | null;
  readonly ttfbMs: number | null;
  readonly generationLowMs: number | null;
  readonly generationMs: number | null;
}

export interface EffectiveOutput {
  readonly sha256: string;
  readonly bytes: number;
  readonly mime: string | null;
  readonly items: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly frames: number | null;
  /** Frames a second and seconds of a video; null for an image too. */
  readonly fps: number | null;
  readonly durationS: number | null;
  readonly thumbnail: boolean;
  /** What it shows; null where that is not known. */
  readonly shown: ShownFact | null;
  /** Why it was not decoded, where examination says so: then nothing is known of it but its bytes. */
  readonly undecoded: UnexaminedReason | null;
}
