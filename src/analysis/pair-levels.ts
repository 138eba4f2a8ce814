import type { Difference, LevelLimits } from '../media/difference.ts';
import { DEFAULT_LIMITS, type Level, levelOf } from '../media/level.ts';
import type { Fact } from '../record/fact.ts';
import { shownImages } from '../record/output-pairs.ts';

export type LevelOfPair = (a: string, b: string) => Level | null;

/** By digests; null if they were not compared. */
export type DifferenceOfPair = (a: string, b: string) => Difference | null;

export interface PairFindings {
  readonly differenceOf: DifferenceOfPair;
  /** Null if one was not decoded. No comparison is needed. */
  readonly samePixels: (a: string, b: string) => boolean | null;
  /** By the limits of a variant: `byte` for one digest, `pixel` for equal pixels, else by the difference. */
  readonly levels: (limits?: LevelLimits) => LevelOfPair;
}

/** A difference of two images holds for all outputs with the same pixels. */
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

/** By variant name, within its own limits. */
export type LevelsByVariant = ReadonlyMap<string, LevelOfPair>;

/** An unknown variant has no level but `byte`. */
export function levelsOf(levels: LevelsByVariant, variant: string): LevelOfPair {
  return levels.get(variant) ?? ((a, b) => (a === b ? 'byte' : null));
}
