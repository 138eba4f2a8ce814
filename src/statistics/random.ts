import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** The same seed gives the same stream on every machine and Node version. */
export interface Random {
  /** In [0, 1), a multiple of 2^-53. */
  readonly uniform: () => number;
  /** An integer in [0, n), all equally likely. Throws unless `n` is a positive safe integer. */
  readonly below: (n: number) => number;
  /** A new array in random order, each order equally likely (Fisher-Yates). */
  readonly shuffle: <T>(items: readonly T[]) => T[];
  /** Shuffles the numbers from `from` up to, and without, `to` in place; by default all. */
  readonly shuffleInPlace: (numbers: Float64Array, from?: number, to?: number) => void;
}

/**
 * xoroshiro128+ with its state spread from all 53 bits of the seed, so that neighbouring seeds give unrelated streams.
 * Throws unless `seed` is a safe integer.
 */
export function createRandom(seed: number): Random {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`a random seed must be a safe integer, not ${seed}`);
  const generator = xoroshiro128plusFromState(spread(seed));

  const below = (n: number): number => {
    if (!Number.isSafeInteger(n) || n < 1) throw new RangeError(`below() needs a positive integer, not ${n}`);
    return uniformInt(generator, 0, n - 1);
  };
  const shuffle = <T>(items: readonly T[]): T[] => {
    // Inside out: each item takes a random place, and the item there moves to the end.
    const out: T[] = [];
    for (const item of items) {
      const at = below(out.length + 1);
      out.push(item);
      out.copyWithin(out.length - 1, at, at + 1);
      out[at] = item;
    }
    return out;
  };
  const shuffleInPlace = (numbers: Float64Array, from = 0, to = numbers.length): void => {
    for (let last = to - 1; last > from; last -= 1) {
      const at = from + below(last - from + 1);
      const moved = numbers[at] ?? 0;
      numbers[at] = numbers[last] ?? 0;
      numbers[last] = moved;
    }
  };
  return { uniform: () => uniformFloat64(generator), below, shuffle, shuffleInPlace };
}

/** Four 32-bit words of state, never all zero (the generator would stay there). */
function spread(seed: number): readonly [number, number, number, number] {
  const low = seed | 0;
  const high = Math.floor(seed / 4_294_967_296) | 0;
  let word = mix(high ^ 0x6a09e667) ^ low;
  const next = (): number => {
    word = (word + 0x9e3779b9) | 0;
    return mix(word);
  };
  return [next(), next(), next(), next() | 1];
}

/** The finaliser of MurmurHash3 (Appleby, public domain): a bijection of 32-bit words. */
function mix(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
