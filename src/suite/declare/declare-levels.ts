import type { Diagnostic } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt, type Path } from '../../kit/document.ts';
import type { LevelLimits } from '../../media/difference.ts';
import { DEFAULT_LIMITS } from '../../media/level.ts';
import type { SuiteFile } from '../format/schema.ts';

type DeclaredLevels = SuiteFile['levels'];

/** Limits of levels. `over` has those that are not declared: the suite's for a variant, the defaults for a suite. */
export function declareLevels(declared: DeclaredLevels, over: LevelLimits = DEFAULT_LIMITS): LevelLimits {
  const { near = {}, similar = {}, related = {} } = declared ?? {};
  return {
    near: {
      maxDifference: near.max_difference ?? over.near.maxDifference,
      psnrDb: near.psnr ?? over.near.psnrDb,
    },
    similar: {
      ssim: similar.ssim ?? over.similar.ssim,
      chroma: similar.chroma ?? over.similar.chroma,
      pdqDistance: similar.pdq ?? over.similar.pdqDistance,
    },
    related: { pdqDistance: related.pdq ?? over.related.pdqDistance },
  };
}

/** Refuses limits that contradict each other: similar outputs could then differ more than related ones. */
export function refuseLevels(
  document: Document,
  { levels, variants }: Pick<SuiteFile, 'levels' | 'variants'>,
): readonly Diagnostic[] {
  const ofSuite = declareLevels(levels);
  return [
    ...refuseAt(document, ['levels'], levels, ofSuite),
    ...Object.entries(variants).flatMap(([name, variant]) =>
      refuseAt(document, ['variants', name, 'levels'], variant.levels, declareLevels(variant.levels, ofSuite)),
    ),
  ];
}

function refuseAt(
  document: Document,
  path: Path,
  declared: DeclaredLevels,
  { similar: { pdqDistance: similar }, related: { pdqDistance: related } }: LevelLimits,
): readonly Diagnostic[] {
  if (similar <= related) return [];
  const cause = `similar.pdq (${similar}) is above related.pdq (${related})`;
  if (declared?.similar?.pdq !== undefined) {
    const remedy = `write similar.pdq of at most ${related}, or raise related.pdq`;
    return [diagnoseAt(document, [...path, 'similar', 'pdq'], { cause, remedy })];
  }
  if (declared?.related?.pdq === undefined) return [];
  const remedy = `write related.pdq of at least ${similar}, or lower similar.pdq`;
  return [diagnoseAt(document, [...path, 'related', 'pdq'], { cause, remedy })];
}
