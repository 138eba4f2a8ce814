import { type KnownPair, pairsOf } from './known-pairs.ts';
import type { PromptSet } from './originals.ts';

/** How far on in the list the prompts are that an image is held against: never the same prompt in the other style. */
const STRANGERS = [2, 3, 5, 6];

/** All pairs of sets of one look. */
export async function pairsOfSets(sets: readonly PromptSet[]): Promise<readonly KnownPair[]> {
  const pairs: KnownPair[] = [];
  for (const [at, set] of sets.entries()) {
    const strangers = STRANGERS.flatMap((by) => {
      const other = sets[(at + by) % sets.length];
      const { standard } = other?.renderings ?? { standard: [] };
      const pixels = standard[by % standard.length]?.pixels;
      return set.look === 'plain' || other === set || pixels === undefined ? [] : [pixels];
    });
    for await (const pair of pairsOf(set, strangers)) pairs.push(pair);
  }
  return pairs;
}
