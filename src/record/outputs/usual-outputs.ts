import type { Trial } from '../../plan/trial.ts';

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

type Seeded = Pick<Trial, 'prompt' | 'seed'>;

/** The seeds of each prompt, ascending. */
export function seedsByPrompt(cells: readonly Seeded[]): ReadonlyMap<string, readonly number[]> {
  const seeds = new Map<string, Set<number>>();
  for (const { prompt, seed } of cells) {
    if (seed !== null) seeds.set(prompt, (seeds.get(prompt) ?? new Set()).add(seed));
  }
  return new Map([...seeds].map(([prompt, own]) => [prompt, [...own].sort((a, b) => a - b)]));
}

/**
 * The seed beside another of its prompt, whose outputs show how far apart pictures of different seeds are: the next,
 * after the last the first, so that there are no more pairs than seeds. Null of a single seed.
 */
export function seedBeside(seed: number | null, seeds: readonly number[]): number | null {
  if (seed === null) return null;
  const next = seeds[(seeds.indexOf(seed) + 1) % seeds.length];
  return next === undefined || next === seed ? null : next;
}
