import { groupBy } from '../../kit/grouping.ts';
import { DEFAULT_LIMITS, decisionOf, isAtLeast, likenessOf } from '../../media/level.ts';
import { caseSeedOf } from '../../plan/plan.ts';
import {
  comparedWith,
  type LevelsByVariant,
  levelsOf,
  type PairFindings,
  twoSeeds,
} from '../../record/output-pairs.ts';
import type { CellLikeness, ComparedCells } from '../output-summaries.ts';
import type { Cell, VariantSummary } from '../summaries.ts';

interface LikenessSource {
  readonly variants: readonly VariantSummary[];
  readonly cells: readonly Cell[];
  readonly levelOf: LevelsByVariant;
  readonly pairs: Pick<PairFindings, 'differenceOf' | 'samePixels'>;
  /** By the digest of an output; null if it is unknown. */
  readonly sharpnessOf: (sha256: string) => number | null;
  /** Variants whose seed does not determine the output. */
  readonly seedUnused: ReadonlySet<string>;
}

/** How like each cell's usual output is to that of the compared variant, by variant, then by cell. */
export function likenessesOf(source: LikenessSource): readonly CellLikeness[] {
  const cellsOf = groupBy(source.cells, ({ variant }) => variant);
  const byCaseSeed = new Map(
    [...cellsOf].map(([name, cells]) => [name, new Map(cells.map((cell) => [caseSeedOf(cell), cell]))]),
  );
  return source.variants.flatMap((variant) =>
    comparedWith(variant, source.variants).flatMap(({ name: baseline }) => {
      const others = byCaseSeed.get(baseline) ?? new Map<string, Cell>();
      const otherSeedOf = otherSeedsIn([...others.values()], source.pairs);
      return (cellsOf.get(variant.name) ?? []).flatMap((cell): CellLikeness[] => {
        const reference = others.get(caseSeedOf(cell));
        if (reference === undefined) return [];
        const comparison = compareCells(cell, reference, otherSeedOf(cell.prompt), source);
        const { kind, prompt, seed } = cell;
        return [{ variant: variant.name, baseline, kind, prompt, seed, ...comparison }];
      });
    }),
  );
}

function usualOf({ outputGroups }: Cell): string | null {
  return outputGroups[0]?.sha256 ?? null;
}

/** How far apart the baseline's outputs for two seeds of a prompt are; null if they were not compared. */
function otherSeedsIn(
  cells: readonly Cell[],
  { differenceOf, samePixels }: LikenessSource['pairs'],
): (prompt: string) => ComparedCells['otherSeed'] {
  const seeds = twoSeeds(cells.filter((cell) => usualOf(cell) !== null));
  return (prompt) => {
    const [one, other] = (seeds.get(prompt) ?? []).map(usualOf);
    if (typeof one !== 'string' || typeof other !== 'string') return null;
    if (samePixels(one, other) === true) return { ssim: 1, pdqDistance: 0 };
    const difference = differenceOf(one, other);
    return difference === null ? null : { ssim: difference.ssim?.p5 ?? null, pdqDistance: difference.pdqDistance };
  };
}

type UnlikeCells = Extract<CellLikeness, { readonly word: 'unknown' }>;
type Pair = keyof Pick<CellLikeness, 'variant' | 'baseline' | 'kind' | 'prompt' | 'seed'>;

function compareCells(
  cell: Cell,
  reference: Cell,
  otherSeed: ComparedCells['otherSeed'],
  source: LikenessSource,
): Omit<ComparedCells, Pair> | Omit<UnlikeCells, Pair> {
  const [output, baselineOutput] = [usualOf(cell), usualOf(reference)];
  const unknown = (why: UnlikeCells['why']) => ({ word: 'unknown', why, output, baselineOutput }) as const;
  if (output === null) return unknown(baselineOutput === null ? 'both_missing' : 'candidate_missing');
  if (baselineOutput === null) return unknown('baseline_missing');
  if (source.seedUnused.has(cell.variant) || source.seedUnused.has(reference.variant)) return unknown('seed_unused');
  if (varies(reference)) return unknown('baseline_varies');
  if (varies(cell)) return unknown('candidate_varies');
  const { pairs, sharpnessOf } = source;
  const level = levelsOf(source.levelOf, cell.variant)(output, baselineOutput);
  if (level === null) return unknown('not_compared');
  const difference = pairs.differenceOf(output, baselineOutput);
  const word = difference === null ? 'similar' : likenessOf(level, difference);
  if (word === null) return unknown('not_compared');
  const [sharpness, its] = [sharpnessOf(output), sharpnessOf(baselineOutput)];
  const { levels = DEFAULT_LIMITS } = source.variants.find(({ name }) => name === cell.variant) ?? {};
  return {
    word,
    decidedBy: difference === null ? null : decisionOf(word, difference, levels),
    output,
    baselineOutput,
    difference,
    sharpness: sharpness === null || its === null || its === 0 ? null : sharpness / its,
    repeatSsim: repeatSsimOf(reference),
    otherSeed,
  };
}

/** Whether no take can stand for the cell, because its takes are not visually similar. */
function varies({ level }: Cell): boolean {
  return level !== null && !isAtLeast(level, 'similar');
}

function repeatSsimOf({ level, farthest }: Cell): number | null {
  if (level === 'byte' || level === 'pixel') return 1;
  return farthest?.ssim?.p5 ?? null;
}
