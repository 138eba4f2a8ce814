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
