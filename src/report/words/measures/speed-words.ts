import { inverse, ratioInterval, times } from './ratio-words.ts';

/** A ratio of latencies is said in the direction that makes its number 1 or more. */
export type Direction = 'faster' | 'slower';

export const DIRECTION_WORDS: Readonly<Record<Direction, string>> = { faster: 'as fast', slower: 'as long' };

/** Takes candidate / baseline: 0.5 is 2 and `faster`, 1.2 is 1.2 and `slower`. */
export function speedOf(ratio: number): { readonly ratio: number; readonly direction: Direction } {
  return ratio < 1 ? { ratio: 1 / ratio, direction: 'faster' } : { ratio, direction: 'slower' };
}

/** `2.15x as fast`, `1.20x as long`. */
export function speedWords(value: number): string {
  const { ratio, direction } = speedOf(value);
  return `${times(ratio)} ${DIRECTION_WORDS[direction]}`;
}

/** Inverted where the words are: of latencies [0.47, 0.49] it is `[2.05, 2.13]`. */
export function speedInterval(value: number, low: number | null, high: number | null): string {
  return speedOf(value).direction === 'faster' ? ratioInterval(inverse(high), inverse(low)) : ratioInterval(low, high);
}
