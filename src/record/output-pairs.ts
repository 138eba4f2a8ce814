import { groupBy } from '../kit/grouping.ts';
import { cellOf, isMeasured } from '../plan/plan.ts';
import type { Trial } from '../plan/trial.ts';
import type { ComparableVariant } from './compared-variants.ts';
import type { Fact, OutputFact } from './fact.ts';
import type { Sample } from './journal.ts';
import type { RunPrompt } from './run.ts';

/** Digests of what an edit was made from: the first input image, and its mask. */
export interface EditInputs {
  readonly image: string;
  readonly mask: string | null;
}

/** What a measured take edited; null if its variant does not edit. */
export function editInputsIn({
  variants,
  prompts,
}: {
  readonly variants: readonly ComparableVariant[];
  readonly prompts: readonly Pick<RunPrompt, 'id' | 'media'>[];
}): (trial: Trial) => EditInputs | null {
  const editing = new Set(variants.flatMap(({ name, kind }) => (kind === 'image-edit' ? [name] : [])));
  const inputs = new Map<string, EditInputs>();
  for (const { id, media } of editing.size === 0 ? [] : prompts) {
    const [image, mask] = (['image', 'mask'] as const).map((role) => media.find((medium) => medium.role === role));
    if (image !== undefined) inputs.set(id, { image: image.sha256, mask: mask?.sha256 ?? null });
  }
  return (trial) => (editing.has(trial.variant) && isMeasured(trial) ? (inputs.get(trial.prompt) ?? null) : null);
}

/** Two digests in the order of a pair fact. */
export function orderedPair(one: string, other: string): readonly [a: string, b: string] {
  return one < other ? [one, other] : [other, one];
}

/** Facts about two images hold for all outputs with these pixels. */
export interface ShownImages {
  /** Digest of the pixels; null if not decoded. */
  readonly imageOf: (sha256: string) => string | null;
  /** Key of the pixels of two outputs, in either order. */
  readonly pairOf: (a: string, b: string) => string;
}

/** The last of several facts about one digest counts. */
export function factsByDigest(facts: readonly Fact[]): Map<string, OutputFact> {
  return new Map(facts.flatMap((fact) => (fact.fact === 'output' ? [[fact.sha256, fact] as const] : [])));
}

export function shownImages(facts: readonly Fact[]): ShownImages {
  const pixels = new Map<string, string>();
  for (const fact of facts) {
    if (fact.fact === 'output' && fact.decodes === true) pixels.set(fact.sha256, fact.shown.pixelSha256);
  }
  return {
    imageOf: (sha256) => pixels.get(sha256) ?? null,
    pairOf: (a, b) => orderedPair(pixels.get(a) ?? a, pixels.get(b) ?? b).join(' '),
  };
}

export interface EqualOutputs {
  readonly sha256: string;
  readonly takes: number;
}

/** Distinct outputs, most frequent first, ties in order of appearance. */
export function outputGroupsOf(digests: readonly string[]): EqualOutputs[] {
  const takes = new Map<string, number>();
  for (const sha256 of digests) takes.set(sha256, (takes.get(sha256) ?? 0) + 1);
  return [...takes].map(([sha256, count]) => ({ sha256, takes: count })).sort((a, b) => b.takes - a.takes);
}

/** Orders the takes of a cell: by step, then by repeat. */
export function byTake(a: Pick<Trial, 'step' | 'repeat'>, b: Pick<Trial, 'step' | 'repeat'>): number {
  return (a.step ?? 0) - (b.step ?? 0) || a.repeat - b.repeat;
}

/**
 * For each prompt with several seeds, the two cells with the lowest: they show how much images of different seeds
 * differ. `cells` are of one variant.
 */
export function twoSeeds<C extends Pick<Trial, 'prompt' | 'seed'>>(
  cells: readonly C[],
): ReadonlyMap<string, readonly [C, C]> {
  return new Map(
    [...groupBy(cells, ({ prompt }) => prompt)].flatMap(([prompt, promptCells]): [string, readonly [C, C]][] => {
      const [first, second] = promptCells.toSorted((a, b) => (a.seed ?? 0) - (b.seed ?? 0));
      return first === undefined || second === undefined ? [] : [[prompt, [first, second]]];
    }),
  );
}

/** Digests of takes of one prompt. */
export interface SeedTakes {
  /** The first measured takes of the suite's first seed, in order. */
  readonly base: readonly string[];
  /** A take of each other seed: the probe's first, then the suite's. */
  readonly others: readonly string[];
  readonly omitted: readonly string[];
}

export interface LoadTakes {
  readonly alone: readonly [string, string];
  readonly concurrent: string;
}

/** Per seed, and of other seeds: the number of pairs grows with the square. */
const MOST_TAKES = 6;

/**
 * Takes of the seed probe by variant; only delivered samples count. `sent` says which variants have a probe, if it is
 * more than what counts.
 */
export function seedTakes(samples: readonly Sample[], sent = samples): ReadonlyMap<string, SeedTakes> {
  const byVariant = new Map<string, SeedTakes>();
  for (const { trial } of sent) {
    if (trial.probe?.kind !== 'seed' || byVariant.has(trial.variant)) continue;
    const { variant, prompt } = trial;
    const { base } = trial.probe;
    const variantSamples = samples.filter(({ trial: other }) => other.variant === variant && other.prompt === prompt);
    const measured = variantSamples
      .filter(({ trial }) => isMeasured(trial))
      .sort(({ trial: a }, { trial: b }) => byTake(a, b));
    const seeds = new Set(measured.map(({ trial: { seed } }) => seed));
    seeds.delete(base);
    const ofRole = (role: string) =>
      variantSamples.filter(({ trial: { probe } }) => probe?.kind === 'seed' && probe.role === role).flatMap(digestOf);
    const ofSeeds = [...seeds]
      .sort((a, b) => (a ?? 0) - (b ?? 0))
      .flatMap((seed) =>
        measured
          .filter(({ trial }) => trial.seed === seed)
          .flatMap(digestOf)
          .slice(0, 1),
      );
    byVariant.set(variant, {
      base: measured
        .filter(({ trial }) => trial.seed === base)
        .flatMap(digestOf)
        .slice(0, MOST_TAKES),
      others: [...ofRole('other'), ...ofSeeds].slice(0, MOST_TAKES),
      omitted: ofRole('omitted'),
    });
  }
  return byVariant;
}

/** Takes of the load probe by variant; only cells that delivered all three. */
export function loadTakes(samples: readonly Sample[]): ReadonlyMap<string, readonly LoadTakes[]> {
  const probed = samples.filter(({ trial }) => trial.probe?.kind === 'load');
  const cells = [...groupBy(probed, ({ trial }) => cellOf(trial)).values()].flatMap((cell) => {
    const inRole = (role: string) =>
      cell.filter(({ trial: { probe } }) => probe?.kind === 'load' && probe.role === role);
    const [first, second] = inRole('alone').flatMap(digestOf);
    const [beside] = inRole('concurrent').flatMap(digestOf);
    if (first === undefined || second === undefined || beside === undefined) return [];
    return [{ variant: cell[0].trial.variant, takes: { alone: [first, second], concurrent: beside } as const }];
  });
  const byVariant = groupBy(cells, ({ variant }) => variant);
  return new Map([...byVariant].map(([variant, own]) => [variant, own.map(({ takes }) => takes)]));
}

/** Pairs of digests that probes compare, in either order. */
export function probePairs(samples: readonly Sample[]): readonly (readonly [string, string])[] {
  const pairs = new Map<string, readonly [string, string]>();
  const add = (a: string, b: string) => {
    const key = orderedPair(a, b).join(' ');
    if (a !== b && !pairs.has(key)) pairs.set(key, [a, b]);
  };
  for (const { base, others, omitted } of seedTakes(samples).values()) {
    for (const [at, take] of base.entries()) for (const other of [...base.slice(at + 1), ...others]) add(take, other);
    const [first, second] = omitted;
    if (first !== undefined && second !== undefined) add(first, second);
  }
  for (const { alone, concurrent } of [...loadTakes(samples).values()].flat()) {
    add(alone[0], alone[1]);
    add(alone[0], concurrent);
  }
  return [...pairs.values()];
}

function digestOf(sample: Sample): readonly string[] {
  return sample.outcome === 'ok' ? [sample.outputs[0].sha256] : [];
}
