import type { Load } from '../../suite/load.ts';
import type { Case, ProbeKind } from '../../suite/suite.ts';
import type { Variant } from '../../targets/target.ts';
import type { LookKind } from '../recorded-plan.ts';

export interface PlanInput {
  readonly variants: readonly Variant[];
  readonly cases: readonly Case[];
  readonly seeds: readonly number[];
  readonly repeats: number;
  readonly load: Load;
  readonly probes: readonly ProbeKind[];
  /** Drawn for each run, from 0 below 2^53: the seeds of the cache probe follow from it. */
  readonly nonce: number;
  /** For several looks at the gate; absent: one part. Requires that `findLooksFault` gives null. */
  readonly looks?: LookKind | undefined;
}
