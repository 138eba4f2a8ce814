import type { Difference, LevelLimits } from '../media/difference.ts';
import { DEFAULT_LIMITS, type Level, levelOf } from '../media/level.ts';

import type { Fact } from '../record/fact.ts';
import { shownImages } from '../record/output-pairs.ts';

/** By their digests; null where they were not compared. */
export type LevelOfPair = (a: string, b: string) => Level | null;

/** By their digests; null where they were not compared. */
export type DifferenceOfPair = (a: string, b: string) => Difference | null;

export interface PairFindings {
  readonly differenceOf: DifferenceOfPair;
  /** Null where one was not decoded. Outputs need not have been compared. */
  readonly samePixels: (a: string, b: string) => boolean | null;
  /** Within the limits of a variant: `byte` for one digest, `pixel` for equal pixels, else by their difference. */
  readonly levels: (limits?: LevelLimits) => LevelOfPair;
}

/** A difference is that of two images, so it holds for every output that shows the same to the pixel. */
export function findPairs(facts: readonly Fact[]): PairFindings {
  const { imageOf, pairOf } = shownImages(facts);
  const differences = new Map<string, Difference>();
  for (const fact of facts) {
    if (fact.fact === 'pair' && fact.compared) differences.set(pairOf(fact.a, fact.b), fact.difference);
  }
  const differenceOf: DifferenceOfPair = (a, b) => differences.get(pairOf(a, b)) ?? null;
  const samePixels = (a: string, b: string): boolean | null => {
    if (a === b) return true;
    const [one, other] = [imageOf(a), imageOf(b)];
    return one === null || other === null ? null : one === other;
  };
  return {
    differenceOf,
    samePixels,
    levels:
      (limits = DEFAULT_LIMITS) =>
      (a, b) => {
        if (a === b) return 'byte';
        if (samePixels(a, b) === true) return 'pixel';
        const difference = differenceOf(a, b);
        return difference === null ? null : levelOf(difference, limits);
      },
  };
}

/** By the variant's name, within its own limits. */
export type LevelsByVariant = ReadonlyMap<string, LevelOfPair>;

/** A variant that the run does not know has no levels beside `byte`. */
export function levelsOf(levels: LevelsByVariant, variant: string): LevelOfPair {
  return levels.get(variant) ?? ((a, b) => (a === b ? 'byte' : null));
}
