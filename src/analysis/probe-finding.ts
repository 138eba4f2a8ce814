import type { Level } from '../media/compare/level.ts';

/** What the probes of a variant found; null for a probe that the suite does not ask for. Plain data. */
export interface ProbeFindings {
  readonly variant: string;
  readonly seed: SeedFinding | null;
  readonly cache: CacheFinding | null;
  readonly load: LoadFinding | null;
}

/** What a seed is seen to do: the pictures of one seed are the same, similar, or not; or those of all seeds are one. */
export type SeedEffect = 'exact' | 'similar' | 'one picture for all seeds' | 'varies within a seed';

export interface SeedFinding {
  /** `not claimed`: the target claims nothing of seeds; what is seen stands in `seen`. */
  readonly word: SeedEffect | 'not claimed' | 'not testable';
  readonly seen: SeedEffect | null;
  /** Takes of the suite's first seed, and the lowest level among their pairs; null for no pair, or one not compared. */
  readonly takes: number;
  readonly within: Level | null;
  /** Other seeds that delivered, and how many of them gave another picture. */
  readonly otherSeeds: number;
  readonly otherPictures: number;
  readonly omitted: OmittedSeed;
  /** Why it is not testable; else empty. */
  readonly reason: string;
}

/** What leaving the seed out does, apart from what a seed does. */
export interface OmittedSeed {
  readonly word: 'random' | 'constant' | 'not supported' | 'not testable';
  readonly takes: number;
  readonly reason: string;
}

export interface CacheFinding {
  readonly word: 'cached' | 'no sign of a cache' | 'not testable';
  /** What says that it is cached. */
  readonly by: readonly ('timing' | 'said')[];
  /** Pairs whose repeat, whose first, and whose fresh neighbour all delivered. */
  readonly pairs: number;
  /** Repeats that are equal to their first to the byte: timing is held against these alone. */
  readonly equal: number;
  /** How many times as long a fresh one took as a repeat (Hodges-Lehmann); null of no equal repeat. */
  readonly ratio: number | null;
  /** That repeats are no more than the least ratio faster: signed rank, one-sided. */
  readonly p: number | null;
  /** Repeats, and others, of which the service itself said that they came from a cache. */
  readonly saidOfRepeats: number;
  readonly saidOfFresh: number;
  readonly reason: string;
}

export interface LoadFinding {
  readonly word: 'company changes the picture' | 'no sign that company matters' | 'counts only' | 'not testable';
  /** Cells that delivered all takes and could be compared. */
  readonly cells: number;
  /** The two alone agree, and the one in company is another. */
  readonly changedByCompany: number;
  /** The two alone differ, and the one in company is as the first of them. */
  readonly changedAlone: number;
  /** Exact McNemar, one-sided; null with too few cells that disagree. */
  readonly p: number | null;
  readonly reason: string;
}

/** The level of two outputs by their digests; null where they were not compared. */
export type LevelOfPair = (a: string, b: string) => Level | null;
