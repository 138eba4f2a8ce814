import { cellOf, isMeasured } from '../../plan/plan.ts';
import type { Sample } from '../model/sample.ts';
import { orderedPair } from './image-pairs.ts';
import { byTake } from './usual-outputs.ts';

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
