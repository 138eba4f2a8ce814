import { groupBy } from '../../kit/grouping.ts';
import type { Difference } from '../../media/difference.ts';
import { type Layer, LEVELS, type Level, layerOf, type OutputDigests } from '../../media/level.ts';
import { cellOf } from '../../plan/plan.ts';
import {
  byTake,
  type DifferenceOfPair,
  type EqualOutputs,
  type LevelOfPair,
  type LevelsByVariant,
  levelsOf,
  outputGroupsOf,
} from '../../record/output-pairs.ts';
import type { Run, RunPrompt, RunVariant } from '../../record/run.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import type { Cell, OutputGroup, Take } from '../summaries.ts';
import { deliveredDigest } from './cell-outputs.ts';

export function promptsOf(run: Run, variant: RunVariant): RunPrompt[] {
  return run.prompts.filter(({ kinds }) => kinds.includes(variant.kind));
}

/** All cells of the plan, also those without takes, then further seeds that open load used. `trials`: measured ones. */
export function cellsOf(
  run: Run,
  trials: readonly EffectiveSample[],
  levels: LevelsByVariant,
  differenceOf: DifferenceOfPair,
): Cell[] {
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  const taken = groupBy(trials, ({ sample }) => cellOf(sample.trial));
  return run.variants.flatMap((variant) => {
    const levelOf = levelsOf(levels, variant.name);
    const freshSeeds = freshSeedsOf(run, byVariant.get(variant.name) ?? []);
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
