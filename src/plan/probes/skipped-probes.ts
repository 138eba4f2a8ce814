import type { ProbeKind } from '../../suite/format/suite.ts';

/** A probe that a suite asks for and that has nothing to find out, or only a part of it. */
export interface SkippedProbe {
  readonly probe: ProbeKind;
  readonly variant: string;
  /** The probe is left out; else a part of it. */
  readonly whole: boolean;
  readonly reason: SkippedProbeReason;
}

/** Why: a code, and the number that belongs to it. */
export type SkippedProbeReason =
  | { readonly code: 'no_seed' | 'no_spare_seed' | 'seed_required' | 'concurrency_1' | 'one_cell' }
  /** So many seeds lie within the range of the target. */
  | { readonly code: 'too_few_seeds'; readonly seeds: number };
