import { isAtLeast, likenessOf } from '../../../src/media/level.ts';
import type { Compared, KnownPair } from './known-pairs.ts';

/** A way to tell another picture. It is asked of pairs below the level `similar`. */
export interface Rule {
  readonly name: string;
  readonly isAnother: (pair: KnownPair) => boolean;
}

const bits = ({ difference }: Compared): number | null => difference.pdqDistance;
const ssim = ({ difference }: Compared): number | null => difference.ssim?.p5 ?? null;
const correlation = ({ difference }: Compared): number => difference.correlation ?? 1;

/** Those with the distance, in ascending order. */
function ranked(pairs: readonly Compared[], of: (pair: Compared) => number | null): readonly number[] {
  return pairs.flatMap((pair) => of(pair) ?? []).toSorted((a, b) => a - b);
}

/** Beyond a distance in bits. Says of no pair without PDQ that it is another picture. */
function beyond(name: string, limitOf: (pair: KnownPair) => number | undefined): Rule {
  return {
    name,
    isAnother: (pair) => {
      const [distance, limit] = [bits(pair), limitOf(pair)];
      return distance !== null && limit !== undefined && distance > limit;
    },
  };
}

const nearest = (pair: KnownPair): number | undefined => ranked(pair.otherSeeds, bits)[0];
/** Halves: PDQ distances are whole, and a pair as far apart as another seed is another picture. */
const orEqual = (limit: number | undefined): number | undefined => (limit === undefined ? undefined : limit - 0.5);

/** Between `floor` and `ceiling`, where the nearest other seed says. */
const clamped = (floor: number, ceiling: number): Rule =>
  beyond(`PDQ at least that of the nearest other seed, but ${floor} to ${ceiling}`, (pair) =>
    orEqual(Math.min(ceiling, Math.max(floor, nearest(pair) ?? floor))),
  );

const below = (limit: number): Rule => ({
  name: `SSIM below ${limit}`,
  isAnother: (pair) => (ssim(pair) ?? 1) < limit,
});

export const RULES: readonly Rule[] = [
  { name: 'as shipped', isAnother: ({ level, difference }) => likenessOf(level, difference) === 'another' },
  ...[48, 64, 80, 96].map((limit) => beyond(`PDQ above ${limit}`, () => limit)),
  beyond('PDQ at least that of the nearest other seed', (pair) => orEqual(nearest(pair))),
  beyond('PDQ at least the median of other seeds', ({ otherSeeds }) => {
    const distances = ranked(otherSeeds, bits);
    return orEqual(distances[distances.length >> 1]);
  }),
  clamped(64, 96),
  clamped(80, 96),
  ...[0.4, 0.6, 0.8].map(below),
  {
    name: 'SSIM at most that of the nearest other seed',
    isAnother: (pair) => (ssim(pair) ?? 1) <= (ranked(pair.otherSeeds, ssim).at(-1) ?? -1),
  },
  ...[0.8, 0.9].map((limit) => ({
    name: `correlation below ${limit}`,
    isAnother: (pair: KnownPair) => correlation(pair) < limit,
  })),
];

/** Whether a rule other than the shipped one takes a pair for another picture: not those that are visually similar. */
export function saysAnother({ name, isAnother }: Rule, pair: KnownPair): boolean {
  return (name === 'as shipped' || !isAtLeast(pair.level, 'similar')) && isAnother(pair);
}
