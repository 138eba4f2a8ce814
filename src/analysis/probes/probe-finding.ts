import type { Level } from '../../media/compare/level.ts';
import type { SkippedProbeReason } from '../../plan/probes/skipped-probes.ts';
import type { EffectiveOutcome } from '../effective-outcomes.ts';

/** What the probes of a variant found; null for a probe that the suite does not ask for. Plain data. */
export interface ProbeFindings {
  readonly variant: string;
  readonly seed: SeedFinding | null;
  readonly cache: CacheFinding | null;
  readonly load: LoadFinding | null;
}

/** Why something is not testable. */
export type ProbeReason =
  | SkippedProbeReason
  /** Repeats come from a cache: that they are equal says nothing of the model. */
  | { readonly code: 'cached' }
  | RequestsFailed
  /** The run ended before its requests were sent. */
  | { readonly code: 'not_sent' }
  /** Of so many measured takes of the first prompt and seed none was delivered; or one, and nothing to hold it against. */
  | { readonly code: 'no_take' | 'one_take'; readonly sent: number }
  /** Takes differ in their bytes, and were not compared. */
  | { readonly code: 'not_compared' }
  /** Pairs that were delivered whole, and how many the test needs. */
  | { readonly code: 'too_few_pairs'; readonly pairs: number; readonly needs: number };

/** The probe's own requests failed: how many of those that were sent, and how the most of them did. */
export interface RequestsFailed {
  readonly code: 'requests_failed';
  readonly failed: number;
  readonly sent: number;
  readonly outcome: Exclude<EffectiveOutcome, 'ok'>;
  /** Empty where the outcome has none. Hostile text. */
  readonly error: string;
}

/** What a seed is seen to do: the takes of one seed are the same, or similar; those of all seeds are (`ignored`); takes differ within a seed (`unstable`). */
export type SeedEffect = 'exact' | 'similar' | 'ignored' | 'unstable';

export interface SeedFinding {
  /** `not_claimed`: the target claims nothing of seeds; what is seen stands in `seen`. */
  readonly code: SeedEffect | 'not_claimed' | 'not_testable';
  readonly seen: SeedEffect | null;
  /** Takes of the suite's first seed, and the lowest level among their pairs; null for no pair, or one not compared. */
  readonly takes: number;
  readonly within: Level | null;
  /** Where those takes agree: at most this share of further takes would differ, one-sided 95 %, n = takes - 1. */
  readonly bound: number | null;
  /** Other seeds that delivered, and how many of them gave another image. */
  readonly otherSeeds: number;
  readonly otherImages: number;
  readonly omitted: OmittedSeed;
  /** Why it is not testable; else null. */
  readonly reason: ProbeReason | null;
}

/** What leaving the seed out does, apart from what a seed does. */
export interface OmittedSeed {
  readonly code: 'random' | 'constant' | 'not_supported' | 'not_testable';
  readonly takes: number;
  readonly reason: ProbeReason | null;
}

export interface CacheFinding {
  readonly code: 'cached' | 'no_sign' | 'not_testable';
  /** What says that it is cached. */
  readonly by: readonly ('timing' | 'said')[];
  /** Pairs whose repeat, whose first, and whose fresh neighbour all delivered. */
  readonly pairs: number;
  /** Repeats that are byte-identical to their first: timing is held against these alone. */
  readonly equal: number;
  /** How many times as long a fresh one took as a repeat (Hodges-Lehmann); null of no equal repeat. */
  readonly ratio: number | null;
  /** That repeats are no more than the least ratio faster: signed rank, one-sided. */
  readonly p: number | null;
  /**
   * What the timing could have shown: a cache that makes every repeat so many times as fast is found in 80 of 100 runs with
   * as many equal repeats and latencies that spread as these do; null where no ratio is, for want of equal repeats.
   */
  readonly detectableRatio: number | null;
  /** Repeats, and others, that came from a cache, as the service itself said. */
  readonly saidOfRepeats: number;
  readonly saidOfFresh: number;
  readonly reason: ProbeReason | null;
}

export interface LoadFinding {
  /** `too_few_discordant`: some cells disagree, and too few of them for a test; `no_sign`: none, or a test finds none. */
  readonly code: 'batch_dependent' | 'no_sign' | 'too_few_discordant' | 'not_testable';
  /** Cells that delivered all takes and could be compared. */
  readonly cells: number;
  /** The two alone agree, and the concurrent one is another. */
  readonly changedConcurrent: number;
  /** The two alone differ, and the concurrent one is as the first of them. */
  readonly changedAlone: number;
  /** Exact McNemar, one-sided; null with too few cells that disagree. */
  readonly p: number | null;
  /** Concurrency changes the output of at most this share of cells (Clopper-Pearson, one-sided 95 %); null of no cell. */
  readonly bound: number | null;
  readonly reason: ProbeReason | null;
}
