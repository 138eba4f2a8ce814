import type { Kind } from '../suite/suite.ts';

/** Why a trial is made. Only `trial` is analysed; a warm-up only as latency.cold. */
export type Phase = 'trial' | 'warmup' | 'probe' | 'step' | 'confirm' | 'against';

/** One request to be made: variant x case x seed x repeat. */
export interface Trial {
  /** Digest of variant, phase, prompt, seed, repeat and request digest: stable across machines, joins runs. */
  readonly id: string;
  readonly variant: string;
  readonly kind: Kind;
  readonly prompt: string;
  readonly seed: number;
  /** From 1. */
  readonly repeat: number;
  /** Case x seed x repeat within a kind; trials of one block are compared with each other. */
  readonly block: string;
  readonly phase: Phase;
  /** SHA-256 of the rendered submit without host and secrets. */
  readonly requestDigest: string;
}

/** Trials of which at most `concurrency` are in flight together; drained before the next slice begins. */
export interface Slice {
  /** Its place in the plan, from 0. */
  readonly index: number;
  readonly trials: readonly Trial[];
}

/** A suite expanded: what is sent, in which order. The same suite gives the same plan on every machine. */
export interface Plan {
  /** SHA-256 over the trial ids in order and the slices' bounds. */
  readonly digest: string;
  readonly slices: readonly Slice[];
  readonly requests: number;
}

/** Trials in the largest slice of a plan: never more than these are in flight, whatever concurrency allows. */
export function largestSlice({ slices }: Plan): number {
  return slices.reduce((most, { trials }) => Math.max(most, trials.length), 0);
}
