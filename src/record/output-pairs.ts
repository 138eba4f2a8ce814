import { groupBy } from '../kit/grouping.ts';
import type { Difference, LevelLimits } from '../media/difference.ts';
import { DEFAULT_LIMITS, type Level, levelOf } from '../media/level.ts';
import { caseSeedOf, cellOf, isMeasured } from '../plan/plan.ts';
import type { Trial } from '../plan/trial.ts';
import type { Kind } from '../suite/kind.ts';
import type { Fact } from './fact.ts';
import type { Sample } from './journal.ts';
import type { StoredRun } from './kept-run.ts';
import type { Run, RunPrompt, RunVariant, ShardDifference, ShardIdentity } from './run.ts';
import type { Ballot, VoteLine } from './score.ts';
import { scoredDigest } from './score-key.ts';

export type ComparableVariant = Pick<RunVariant, 'name' | 'kind' | 'baseline'> & {
  /** Name of the variant whose stored baseline is sent again as this one. */
  readonly twinOf?: string | null;
};

/** A twin belongs to the stored baseline, and is no candidate. */
export function isTwin({ twinOf }: Pick<ComparableVariant, 'twinOf'>): boolean {
  return typeof twinOf === 'string';
}

/** The variant as the stored baseline declared it, sent again in the same run; null if it is not. */
export function twinOf<V extends ComparableVariant>(
  { name }: Pick<ComparableVariant, 'name'>,
  variants: readonly V[],
): V | null {
  return variants.find((variant) => variant.twinOf === name) ?? null;
}

/** Each behind its twin, in the given order: what was stored stands before what is new. */
export function behindTwins<V extends ComparableVariant>(variants: readonly V[]): readonly V[] {
  return variants
    .filter((variant) => !isTwin(variant))
    .flatMap((variant) => {
      const twin = twinOf(variant, variants);
      return twin === null ? [variant] : [twin, variant];
    });
}

export function baselineOf<V extends ComparableVariant>(
  { name, kind }: Pick<ComparableVariant, 'name' | 'kind'>,
  variants: readonly V[],
): V | null {
  const baseline = variants.find((variant) => variant.kind === kind && variant.baseline);
  return baseline === undefined || baseline.name === name ? null : baseline;
}

/** Variants to compare one with: the baseline variant of its kind first, then its twin. */
export function comparedWith<V extends ComparableVariant>(variant: V, variants: readonly V[]): readonly V[] {
  if (isTwin(variant)) return [];
  return [baselineOf(variant, variants), twinOf(variant, variants)].flatMap((other) => other ?? []);
}

type Texts = Readonly<Record<string, string>>;

/** What all shards of a run share. A shard and its whole run give the same. */
export function identityOf({ machine, suite, against, targets, leftOut, plan, vantage }: Run): ShardIdentity {
  return {
    retake: machine.retake,
    suite: suite.digest,
    against: against?.digest ?? null,
    targets: Object.fromEntries(targets.map(({ id, digest }) => [id, digest])),
    environment: Object.assign(
      {},
      against?.environment,
      ...targets.map(({ environment }) => environment),
      suite.environment,
    ),
    leftOut: Object.fromEntries(leftOut.map(({ variant, reason }) => [variant, reason.code])),
    plan: plan.digest,
    vantage: vantage ?? null,
  };
}

/** The first difference, causes before consequences. Null: shards of one run. */
export function differenceOf(a: ShardIdentity, b: ShardIdentity): ShardDifference | null {
  if (a.retake !== b.retake) return { code: 'version', versions: [a.retake, b.retake] };
  if (a.suite !== b.suite) return { code: 'suite', digests: [a.suite, b.suite] };
  if (a.against !== b.against) return { code: 'against' };
  // Another place often has other values of environment variables.
  if (a.vantage !== b.vantage) return { code: 'vantage', vantages: [a.vantage, b.vantage] };
  const targets = differingKeys(a.targets, b.targets);
  if (targets.length > 0) return { code: 'targets', targets };
  const variables = differingKeys(a.environment, b.environment);
  if (variables.length > 0) return { code: 'environment', variables };
  const variants = differingKeys(a.leftOut, b.leftOut);
  if (variants.length > 0) return { code: 'left_out', variants };
  return a.plan === b.plan ? null : { code: 'plan', digests: [a.plan, b.plan] };
}

function differingKeys(a: Texts, b: Texts): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => a[key] !== b[key]);
}

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

export interface DeliveredOutput {
  readonly variant: string;
  /** Digest of the file. */
  readonly sha256: string;
  /** Digest by which scores.jsonl names it. */
  readonly digest: string;
}

/** The outputs of two variants for one prompt and seed. */
export interface DeliveredPair {
  readonly prompt: RunPrompt;
  readonly kind: Kind;
  readonly seed: number | null;
  readonly block: string;
  readonly candidate: DeliveredOutput;
  readonly baseline: DeliveredOutput;
  /** Whether their pixels are equal: no judge is asked. */
  readonly identical: boolean;
}

/**
 * For each cell pair of a candidate and a variant it is compared with, the first block with two outputs that decode and
 * are not blank. Ordered by variants, then by blocks as first sent.
 */
export function deliveredPairs({
  run,
  samples,
  facts,
}: Pick<StoredRun, 'run' | 'samples' | 'facts'>): readonly DeliveredPair[] {
  const prompts = new Map(run.prompts.map((prompt) => [prompt.id, prompt]));
  const factOf = new Map(facts.flatMap((fact) => (fact.fact === 'output' ? [[fact.sha256, fact] as const] : [])));
  const delivered = new Map<string, Map<string, DeliveredOutput>>();
  const blocks = new Map<
    string,
    { readonly cellPair: string; readonly prompt: string; readonly seed: number | null }
  >();
  for (const sample of samples) {
    const { trial } = sample;
    if (sample.outcome !== 'ok' || !isMeasured(trial)) continue;
    const { sha256 } = sample.outputs[0];
    const fact = factOf.get(sha256);
    if (fact?.decodes !== true || fact.shown.blank) continue;
    const outputs = delivered.get(trial.variant) ?? new Map<string, DeliveredOutput>();
    delivered.set(trial.variant, outputs);
    if (!outputs.has(trial.block))
      outputs.set(trial.block, { variant: trial.variant, sha256, digest: scoredDigest(fact) });
    blocks.set(trial.block, { cellPair: caseSeedOf(trial), prompt: trial.prompt, seed: trial.seed });
  }
  return run.variants.flatMap((candidate) =>
    comparedWith(candidate, run.variants).flatMap((other) => {
      const outputs = delivered.get(candidate.name);
      const others = delivered.get(other.name);
      const paired = new Map<string, DeliveredPair>();
      for (const [block, { cellPair, prompt: id, seed }] of blocks) {
        const [one, two, prompt] = [outputs?.get(block), others?.get(block), prompts.get(id)];
        if (one === undefined || two === undefined || prompt === undefined || paired.has(cellPair)) continue;
        const identical = one.digest === two.digest;
        paired.set(cellPair, { prompt, kind: candidate.kind, seed, block, candidate: one, baseline: two, identical });
      }
      return [...paired.values()];
    }),
  );
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

/** Ballots in voting order. Equal pixels are a tie without voting. */
export function shownBallots(votes: readonly VoteLine[], facts: readonly Fact[]): readonly Ballot[] {
  const { imageOf } = shownImages(facts);
  const shown = (sha256: string) => imageOf(sha256) ?? sha256;
  return votes.flatMap((line) =>
    line.line === 'ballot' && shown(line.left.sha256) !== shown(line.right.sha256) ? [line] : [],
  );
}

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
