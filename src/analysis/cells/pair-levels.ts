import type { Difference } from '../../media/compare/difference.ts';
import { DEFAULT_LIMITS, type Level, levelOf } from '../../media/compare/level.ts';
import type { LevelLimits } from '../../media/compare/level-limits.ts';
import type { Fact } from '../../record/model/fact.ts';
import { shownImages } from '../../record/outputs/image-pairs.ts';

/** The level of two outputs by their digests; null where they were not compared. */
export type LevelOfPair = (a: string, b: string) => Level | null;

/** How far two outputs lie apart, by their digests; null where nobody compared them. */
export type DifferenceOfPair = (a: string, b: string) => Difference | null;

/** What examination found of pairs. */
export interface PairFindings {
  readonly differenceOf: DifferenceOfPair;
  /** Whether two outputs show the same to the pixel: known of what was decoded, compared or not. */
  readonly samePixels: (a: string, b: string) => boolean | null;
  /**
   * The level of two outputs, within the limits of a variant: `byte` for one digest, `pixel` for equal pixels, else by their
   * difference. Null where nobody compared them.
   */
  readonly levels: (limits?: LevelLimits) => LevelOfPair;
}

/**
 * What the facts of a record say of pairs of outputs. A difference is that of two images: it holds for every output that
 * shows the same to the pixel.
 */
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

/** The levels of each variant's outputs, within its own limits, by its name. */
export type LevelsByVariant = ReadonlyMap<string, LevelOfPair>;

/** Those of one variant; a variant that the run does not know has none. */
export function levelsOf(levels: LevelsByVariant, variant: string): LevelOfPair {
  return levels.get(variant) ?? ((a, b) => (a === b ? 'byte' : null));
}
