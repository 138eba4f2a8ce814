import type { Load } from '../suite/format/load.ts';
import type { Case, ProbeKind } from '../suite/format/suite.ts';
import type { Variant } from '../targets/model/variant.ts';
import type { LookKind } from './planned-looks.ts';

/** What a plan is made from: a suite whose variants have found their targets. */
export interface PlanInput {
  readonly variants: readonly Variant[];
  readonly cases: readonly Case[];
  readonly seeds: readonly number[];
  readonly repeats: number;
  readonly load: Load;
  readonly probes: readonly ProbeKind[];
  /** Drawn for each run, from 0 below 2^53: what the seeds of the cache probe follow from. */
  readonly nonce: number;
  /** The plan is made in parts, for so many looks at the gate; left out: in one. Only where `findLooksFault` finds nothing. */
  readonly looks?: LookKind | undefined;
}
