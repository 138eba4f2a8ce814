import type { Kind } from '../../suite/format/suite.ts';
import type { Machine, RunPrompt, RunSuite, RunTarget, RunVariant } from './run.ts';

/** The version of baseline.json. */
export const BASELINE_FORMAT = 1;

/**
 * results/<suite>/baseline.json: what later runs of a suite are held against. Made from one run, and the same bytes each time
 * it is made from it. Holds no path of a machine and no secret: it belongs into version control.
 */
export interface Baseline {
  readonly format: typeof BASELINE_FORMAT;
  /** The run that it was kept from. */
  readonly run: string;
  /** When that run began: ISO 8601, UTC. */
  readonly createdAt: string;
  /** The version of Retake that measured it. */
  readonly retake: string;
  readonly suite: Pick<RunSuite, 'name' | 'digest' | 'declared' | 'environment'>;
  readonly targets: readonly BaselineTarget[];
  readonly machine: Machine;
  /** The noise floor of that machine; null where it was not calibrated. */
  readonly floorMs: number | null;
  readonly variants: readonly BaselineVariant[];
  readonly prompts: readonly BaselinePrompt[];
  /** Over all prompts, in the order of the variants, then of the metrics. */
  readonly measures: readonly BaselineMeasure[];
  /** Those in which at least one take was measured; in the order of variants, prompts and seeds. */
  readonly cells: readonly BaselineCell[];
}

/** A target as it was declared, with what it takes to send its requests again. */
export type BaselineTarget = Pick<RunTarget, 'id' | 'digest' | 'declared' | 'storedBody' | 'environment'>;

/** What a variant was when the baseline was measured. */
export type BaselineVariant = Pick<RunVariant, 'name' | 'kind' | 'target' | 'baseline' | 'constants' | 'baseUrl'>;

/** What a prompt asked for when the baseline was measured: one that asks for something else now is not compared. */
export type BaselinePrompt = Pick<RunPrompt, 'id' | 'text' | 'image' | 'inputs'>;

/** A number of the run, as measures.csv has it. */
export interface BaselineMeasure {
  readonly variant: string;
  /** The concurrency of a sweep's step; null outside one. */
  readonly step: number | null;
  readonly metric: string;
  readonly statistic: string;
  readonly value: number | null;
  readonly unit: string;
  readonly n: number;
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
}

/** One prompt and seed of a variant. */
export interface BaselineCell {
  readonly variant: string;
  readonly kind: Kind;
  readonly prompt: string;
  readonly seed: number;
  /** Measured takes, failed ones among them. */
  readonly takes: number;
  /** Those of them that timed out. */
  readonly censored: number;
  /** The median over the takes by the name of a metric, in its unit; without those in which most takes timed out. */
  readonly values: Readonly<Record<string, number>>;
  /** Distinct outputs, the most frequent first. */
  readonly outputs: readonly BaselineOutput[];
}

/** An output of a cell by its digests; those of what it shows are null where it was not decoded. */
export interface BaselineOutput {
  readonly sha256: string;
  readonly pixelSha256: string | null;
  readonly pdq: string | null;
  readonly pdqQuality: number | null;
  /** How many takes gave it. */
  readonly takes: number;
}
