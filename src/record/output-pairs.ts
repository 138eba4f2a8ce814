import { caseSeedOf, cellOf, isMeasured } from '../plan/plan.ts';
import type { Trial } from '../plan/trial.ts';
import type { Kind } from '../suite/kind.ts';
import { comparedWith } from './comparable.ts';
import type { Fact } from './fact.ts';
import type { Sample } from './journal.ts';
import type { RunPrompt } from './run.ts';
import type { Ballot, VoteLine } from './score.ts';
import { scoredDigest } from './score-key.ts';
import type { StoredRun } from './stored-run.ts';

/** Two digests in the order that a pair fact names them. */
export function orderedPair(one: string, other: string): readonly [a: string, b: string] {
  return one < other ? [one, other] : [other, one];
}

/** What is known of two images holds for all outputs that show them. */
export interface ShownImages {
  /** The digest of its pixels; null where it was not decoded. */
  readonly imageOf: (sha256: string) => string | null;
  /** The key of the two images that two outputs show, in either order. */
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
  /** The name of its file. */
  readonly sha256: string;
  /** By which lines of scores.jsonl name it. */
  readonly digest: string;
}

/** What two variants delivered for one prompt and seed. */
export interface DeliveredPair {
  readonly prompt: RunPrompt;
  readonly kind: Kind;
  readonly seed: number | null;
  readonly block: string;
  readonly candidate: DeliveredOutput;
  readonly baseline: DeliveredOutput;
  /** Whether both show the same: nobody needs to be asked. */
  readonly identical: boolean;
}

/**
 * One pair for each cell pair of a candidate and each variant that it is compared with: the first block of which both
 * delivered an output that decodes and is not blank. In the order of the variants, then of the blocks as they were
 * first sent.
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
    const own = delivered.get(trial.variant) ?? new Map<string, DeliveredOutput>();
    delivered.set(trial.variant, own);
    if (!own.has(trial.block)) own.set(trial.block, { variant: trial.variant, sha256, digest: scoredDigest(fact) });
    blocks.set(trial.block, { cellPair: caseSeedOf(trial), prompt: trial.prompt, seed: trial.seed });
  }
  return run.variants.flatMap((candidate) =>
    comparedWith(candidate, run.variants).flatMap((other) => {
      const own = delivered.get(candidate.name);
      const others = delivered.get(other.name);
      const paired = new Map<string, DeliveredPair>();
      for (const [block, { cellPair, prompt: id, seed }] of blocks) {
        const [one, two, prompt] = [own?.get(block), others?.get(block), prompts.get(id)];
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

/** The distinct outputs among digests, most frequent first, ties in the order they were first seen. */
export function outputGroupsOf(digests: readonly string[]): EqualOutputs[] {
  const takes = new Map<string, number>();
  for (const sha256 of digests) takes.set(sha256, (takes.get(sha256) ?? 0) + 1);
  return [...takes].map(([sha256, each]) => ({ sha256, takes: each })).sort((a, b) => b.takes - a.takes);
}

/** The order of a cell's takes: by step, then by repeat. */
export function byTake(a: Pick<Trial, 'step' | 'repeat'>, b: Pick<Trial, 'step' | 'repeat'>): number {
  return (a.step ?? 0) - (b.step ?? 0) || a.repeat - b.repeat;
}

/**
 * Of each prompt the two cells with the lowest seeds: their outputs show how far apart pictures of different seeds are.
 * None of a prompt with one seed.
 *
 * @param cells of one variant
 */
export function twoSeeds<C extends Pick<Trial, 'prompt' | 'seed'>>(
  cells: readonly C[],
): ReadonlyMap<string, readonly [C, C]> {
  const byPrompt = new Map<string, C[]>();
  for (const cell of cells) {
    const own = byPrompt.get(cell.prompt) ?? [];
    own.push(cell);
    byPrompt.set(cell.prompt, own);
  }
  return new Map(
    [...byPrompt].flatMap(([prompt, own]): [string, readonly [C, C]][] => {
      const [first, second] = own.toSorted((a, b) => (a.seed ?? 0) - (b.seed ?? 0));
      return first === undefined || second === undefined ? [] : [[prompt, [first, second]]];
    }),
  );
}

/** By digest, all of one prompt. */
export interface SeedTakes {
  /** Measured takes of the suite's first seed, in order; the first of many. */
  readonly base: readonly string[];
  /** A take of each other seed: the probe's own first, then those of the suite. */
  readonly others: readonly string[];
  readonly omitted: readonly string[];
}

export interface LoadTakes {
  readonly alone: readonly [string, string];
  readonly concurrent: string;
}

/** Of one seed, and of other seeds: pairs grow with their square. */
const MOST_TAKES = 6;

/**
 * What the seed probe of each variant brought; those without one are left out. Samples that delivered nothing count as
 * none.
 *
 * @param sent the samples that say which variants have a probe, where they are more than those that count
 */
export function seedTakes(samples: readonly Sample[], sent = samples): ReadonlyMap<string, SeedTakes> {
  const found = new Map<string, SeedTakes>();
  for (const { trial } of sent) {
    if (trial.probe?.kind !== 'seed' || found.has(trial.variant)) continue;
    const { variant, prompt } = trial;
    const { base } = trial.probe;
    const own = samples.filter(({ trial: other }) => other.variant === variant && other.prompt === prompt);
    const measured = own
      .filter(({ trial: each }) => isMeasured(each))
      .sort(({ trial: a }, { trial: b }) => byTake(a, b));
    const seeds = new Set(measured.map(({ trial: { seed } }) => seed));
    seeds.delete(base);
    const ofRole = (role: string) =>
      own.filter(({ trial: { probe } }) => probe?.kind === 'seed' && probe.role === role).flatMap(digestOf);
    const ofSeeds = [...seeds]
      .sort((a, b) => (a ?? 0) - (b ?? 0))
      .flatMap((seed) =>
        measured
          .filter(({ trial }) => trial.seed === seed)
          .flatMap(digestOf)
          .slice(0, 1),
      );
    found.set(variant, {
      base: measured
        .filter(({ trial }) => trial.seed === base)
        .flatMap(digestOf)
        .slice(0, MOST_TAKES),
      others: [...ofRole('other'), ...ofSeeds].slice(0, MOST_TAKES),
      omitted: ofRole('omitted'),
    });
  }
  return found;
}

/** Only cells that delivered all three takes. */
export function loadTakes(samples: readonly Sample[]): ReadonlyMap<string, readonly LoadTakes[]> {
  const cells = new Map<
    string,
    { readonly variant: string; readonly alone: string[]; readonly concurrent: string[] }
  >();
  for (const sample of samples) {
    const { variant, probe } = sample.trial;
    if (probe?.kind !== 'load') continue;
    const key = cellOf(sample.trial);
    const cell = cells.get(key) ?? { variant, alone: [], concurrent: [] };
    cells.set(key, cell);
    cell[probe.role].push(...digestOf(sample));
  }
  const found = new Map<string, LoadTakes[]>();
  for (const { variant, alone, concurrent } of cells.values()) {
    const [first, second] = alone;
    const [beside] = concurrent;
    if (first === undefined || second === undefined || beside === undefined) continue;
    found.set(variant, [...(found.get(variant) ?? []), { alone: [first, second], concurrent: beside }]);
  }
  return found;
}

/** Pairs by digest that probes need compared; each once, in either order. */
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

/** The ballots that voters see, in their order: those whose sides show the same are a tie without asking. */
export function shownBallots(votes: readonly VoteLine[], facts: readonly Fact[]): readonly Ballot[] {
  const { imageOf } = shownImages(facts);
  const shown = (sha256: string) => imageOf(sha256) ?? sha256;
  return votes.flatMap((line) =>
    line.line === 'ballot' && shown(line.left.sha256) !== shown(line.right.sha256) ? [line] : [],
  );
}
