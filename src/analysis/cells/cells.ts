import { groupBy } from '../../kit/grouping.ts';
import type { Difference } from '../../media/difference.ts';
import {
  DEFAULT_LIMITS,
  decisionOf,
  isAtLeast,
  type Layer,
  LEVELS,
  type Level,
  layerOf,
  likenessOf,
  type OutputDigests,
} from '../../media/level.ts';
import { caseSeedOf, cellOf } from '../../plan/plan.ts';
import { comparedWith } from '../../record/compared-variants.ts';
import { byTake, type EqualOutputs, outputGroupsOf, twoSeeds } from '../../record/output-pairs.ts';
import type { Run, RunPrompt, RunVariant } from '../../record/run.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import type { CellLikeness, ComparedCells } from '../output-summaries.ts';
import {
  type DifferenceOfPair,
  type LevelOfPair,
  type LevelsByVariant,
  levelsOf,
  type PairFindings,
} from '../pair-levels.ts';
import type { Cell, OutputGroup, Take, VariantSummary } from '../summaries.ts';
import type { TakeIndex } from '../take-index.ts';

export interface JoinedOutputs {
  /** Most frequent first; ties in the order first seen. */
  readonly outputGroups: readonly EqualOutputs[];
  /** Takes that could not be compared; they are in no group. */
  readonly unknown: number;
}

/** Joins each output to the first earlier one that it equals; the group has the digest of its first output. */
export function joinEqualOutputs(
  outputs: readonly EqualOutputs[],
  equals: (leader: string, other: string) => boolean | null,
): JoinedOutputs {
  const leaders: { sha256: string; takes: number }[] = [];
  let unknown = 0;
  for (const { sha256, takes } of outputs) {
    const leader = leaders.find((group) => equals(group.sha256, sha256) === true);
    if (leader !== undefined) leader.takes += takes;
    else if (leaders.some((group) => equals(group.sha256, sha256) === null)) unknown += takes;
    else leaders.push({ sha256, takes });
  }
  return { outputGroups: leaders.sort((a, b) => b.takes - a.takes), unknown };
}

/** The digest of the delivered output; null unless the trial is ok. */
export function deliveredDigest(effective: EffectiveSample): string | null {
  return effective.outcome === 'ok' ? (effective.output?.sha256 ?? null) : null;
}

/** The distinct outputs of each cell, in order. A cell with one delivered take is left out: it cannot differ. */
export function repeatedCells(samples: readonly EffectiveSample[]): EqualOutputs[][] {
  const cells: EqualOutputs[][] = [];
  for (const takes of groupBy(samples, ({ sample }) => cellOf(sample.trial)).values()) {
    const digests = takes.map(deliveredDigest).filter((digest) => digest !== null);
    if (digests.length < 2) continue;
    cells.push([...groupBy(digests, (digest) => digest)].map(([sha256, equal]) => ({ sha256, takes: equal.length })));
  }
  return cells;
}

export function promptsOf(run: Run, variant: RunVariant): RunPrompt[] {
  return run.prompts.filter(({ kinds }) => kinds.includes(variant.kind));
}

/** All cells of the plan, also those without takes, then further seeds that open load used. */
export function cellsOf(run: Run, takes: TakeIndex, levels: LevelsByVariant, differenceOf: DifferenceOfPair): Cell[] {
  const taken = groupBy(takes.all, ({ sample }) => cellOf(sample.trial));
  return run.variants.flatMap((variant) => {
    const levelOf = levelsOf(levels, variant.name);
    const freshSeeds = freshSeedsOf(run, takes.ofVariant(variant.name));
    return promptsOf(run, variant).flatMap(({ id: prompt }) =>
      [...run.plan.seeds, ...(freshSeeds.get(prompt) ?? [])].map((seed) => ({
        variant: variant.name,
        kind: variant.kind,
        prompt,
        seed,
        ...contentOf(taken.get(cellOf({ variant: variant.name, prompt, seed })) ?? [], levelOf, differenceOf),
      })),
    );
  });
}

/** Undeclared seeds by prompt, ascending. */
function freshSeedsOf(run: Run, trials: readonly EffectiveSample[]): ReadonlyMap<string, readonly number[]> {
  const declared = new Set(run.plan.seeds);
  const byPrompt = groupBy(trials, ({ sample }) => sample.trial.prompt);
  return new Map(
    [...byPrompt].map(([prompt, taken]) => {
      const seeds = new Set(taken.flatMap(({ sample: { trial } }) => trial.seed ?? []));
      return [prompt, [...seeds].filter((seed) => !declared.has(seed)).sort((a, b) => a - b)];
    }),
  );
}

type CellContent = Pick<Cell, 'takes' | 'outputGroups' | 'byte' | 'level' | 'layer' | 'farthest'>;

function contentOf(
  samples: readonly EffectiveSample[],
  levelOf: LevelOfPair,
  differenceOf: DifferenceOfPair,
): CellContent {
  const ordered = [...samples].sort(({ sample: a }, { sample: b }) => byTake(a.trial, b.trial));
  const takes = ordered.map(takeOf);
  const delivered = ordered.map(deliveredDigest).filter((digest) => digest !== null);
  const digests = digestsBy(ordered);
  const outputGroups = cellOutputGroups(outputGroupsOf(delivered), digests, levelOf);
  if (delivered.length < 2)
    return { takes, outputGroups, byte: 'too_few_takes', level: null, layer: null, farthest: null };
  if (outputGroups.length === 1)
    return { takes, outputGroups, byte: 'same', level: 'byte', layer: 'none', farthest: null };
  // Outputs with equal pixels are equally far from every other, so one of each is enough.
  const images = outputGroups.filter(({ image }, at) => image === at).map(({ sha256 }) => sha256);
  const level = images.length === 1 ? 'pixel' : lowestLevel(images, levelOf);
  const layer = outermostLayer(outputGroups, images.length, digests);
  return { takes, outputGroups, byte: 'differs', level, layer, farthest: farthestOf(images, differenceOf) };
}

/** Leaves out outputs that were not examined. */
function digestsBy(samples: readonly EffectiveSample[]): ReadonlyMap<string, OutputDigests> {
  const digests = new Map<string, OutputDigests>();
  for (const { output } of samples) {
    if (output === null || output.shown === null) continue;
    const { strippedSha256, pixelSha256 } = output.shown;
    digests.set(output.sha256, { sha256: output.sha256, strippedSha256, pixelSha256 });
  }
  return digests;
}

function cellOutputGroups(
  outputGroups: readonly EqualOutputs[],
  digests: ReadonlyMap<string, OutputDigests>,
  levelOf: LevelOfPair,
): readonly OutputGroup[] {
  const usual = outputGroups[0]?.sha256 ?? '';
  const known = new Map<string, number>();
  return outputGroups.map(({ sha256, takes }, at) => {
    const pixels = digests.get(sha256)?.pixelSha256 ?? sha256;
    const image = known.get(pixels) ?? at;
    known.set(pixels, image);
    return { sha256, takes, level: levelOf(usual, sha256), image };
  });
}

/** Farthest by SSIM, or by PDQ where SSIM is undefined; of equal distances the more frequent output. */
function farthestOf([usual, ...others]: readonly string[], differenceOf: DifferenceOfPair): Difference | null {
  let farthest: Difference | null = null;
  for (const other of others) {
    const difference = usual === undefined ? null : differenceOf(usual, other);
    if (difference !== null && (farthest === null || likeness(difference) < likeness(farthest))) farthest = difference;
  }
  return farthest;
}

function likeness({ ssim, pdqDistance }: Difference): number {
  return ssim?.worst ?? -1 - (pdqDistance ?? 256);
}

function lowestLevel(outputs: readonly string[], levelOf: LevelOfPair): Level | null {
  let lowest = 0;
  for (const [at, one] of outputs.entries()) {
    for (const other of outputs.slice(at + 1)) {
      const level = levelOf(one, other);
      if (level === null) return null;
      lowest = Math.max(lowest, LEVELS.indexOf(level));
    }
  }
  return LEVELS[lowest] ?? null;
}

function outermostLayer(
  outputGroups: readonly EqualOutputs[],
  images: number,
  digests: ReadonlyMap<string, OutputDigests>,
): Layer | null {
  const known = outputGroups.flatMap(({ sha256 }) => digests.get(sha256) ?? []);
  const [first] = known;
  if (first === undefined || known.length < outputGroups.length) return null;
  if (images > 1) return 'pixels';
  return known.every((other) => other === first || layerOf(first, other) === 'metadata') ? 'metadata' : 'encoding';
}

function takeOf({ sample, outcome, output, timings }: EffectiveSample): Take {
  return {
    trial: sample.trial.id,
    repeat: sample.trial.repeat,
    step: sample.trial.step ?? null,
    outcome,
    sha256: output?.sha256 ?? null,
    mime: output?.mime ?? null,
    totalMs: timings.totalMs,
  };
}

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
