import type { Json } from '../../suite/document/json.ts';
import type { SeedRange } from '../samples/seed-range.ts';

/** What seeds and constants did not do, as outputs and echoes show without a probe. */
export type SeedWarning = SeedNotHonoured | OtherSeedEchoed | NoSeedSent | SameForAllSeeds | EqualVariants;

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
  /** Samples whose service reports a seed. */
  readonly ofSamples: number;
  readonly sent: number;
  readonly echoed: number;
  /** What the service makes of a seed, where that explains every echo. */
  readonly kept: SeedRange | null;
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

/** Variants of one endpoint that differ in constants, and whose outputs are byte-identical in every common cell. */
export interface EqualVariants {
  readonly code: 'equal_variants';
  readonly variants: readonly string[];
  /** Prompts and seeds at which all of them delivered. */
  readonly cells: number;
  /** What they differ in, in the order of `variants`; null where one does not set it. */
  readonly constants: readonly { readonly name: string; readonly values: readonly Json[] }[];
}
