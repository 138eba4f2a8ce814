import type { Unit } from '../../analysis/measures/unit.ts';
import { count, duration, rate, share, significant, usd } from '../../text/wording.ts';

export function valueWords(value: number, unit: Unit): string {
  switch (unit) {
    case 'ms':
      return duration(value);
    case '1':
      return share(value);
    case '1/s':
      return rate(value, 's');
    case 'usd':
      return usd(value);
    case 'outputs':
    case 'in_flight':
    case 'levels':
    case 'levels2':
    case 'score':
      return significant(value);
  }
}

/** A declared limit, without the zeros of a measured number: `5 s`, `20 %`, `$1.50`. */
export function declaredWords(value: number, unit: Unit): string {
  return unit === 'usd' ? usd(value) : withoutZeros(valueWords(value, unit));
}

/** `+40 points`. */
export function declaredDifference(difference: number, unit: Unit): string {
  return unit === 'usd' ? differenceWords(difference, unit) : withoutZeros(differenceWords(difference, unit));
}

function withoutZeros(words: string): string {
  return words.replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '');
}

/** The unit once: `[−9.64, +9.64 points]`. */
export function differenceInterval(low: number, high: number, unit: Unit): string {
  const lower = differenceWords(low, unit);
  return `[${unit === '1' ? lower.slice(0, -' points'.length) : lower}, ${differenceWords(high, unit)}]`;
}

/** Shares differ in percentage points. */
export function differenceWords(difference: number, unit: Unit): string {
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '';
  const size = Math.abs(difference);
  if (unit === '1') return `${sign}${significant(size * 100)} points`;
  return `${sign}${valueWords(size, unit)}`;
}

/** `2.15x`. */
export function times(ratio: number): string {
  return `${ratioWords(ratio)}x`;
}

/** Three digits, from 0.1 to 1 only two: `1.01`, `12.4`, `0.0213`. */
export function ratioWords(ratio: number): string {
  if (ratio >= 100) return count(Math.round(ratio));
  if (ratio >= 10) return ratio.toFixed(1);
  return ratio >= 0.1 ? ratio.toFixed(2) : ratio.toPrecision(3);
}

/** `[2.05, 2.22]`; an open end is `above 2.05` or `below 2.22`. */
export function ratioInterval(low: number | null, high: number | null): string {
  if (low === null && high === null) return '[open]';
  if (low === null) return `[below ${endWords(high ?? 0)}]`;
  return high === null ? `[above ${endWords(low)}]` : `[${endWords(low)}, ${endWords(high)}]`;
}

/** An end near 1 keeps enough digits to show on which side of 1 it is. */
function endWords(ratio: number): string {
  const words = ratioWords(ratio);
  return Number(words) === 1 && ratio !== 1 ? String(Number(ratio.toPrecision(ratio < 1 ? 4 : 5))) : words;
}

/** Null, an open end, stays null. */
export function inverse(value: number | null): number | null {
  return value === null ? null : 1 / value;
}

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

/** Two digits, for an estimate without an interval: `about 2.2x as fast`. */
export function roughSpeedWords(value: number): string {
  const { ratio, direction } = speedOf(value);
  return `about ${roughTimes(ratio)} ${DIRECTION_WORDS[direction]}`;
}

/** `2.2x`, `15x`. */
export function roughTimes(ratio: number): string {
  return `${ratio >= 9.95 ? count(Math.round(ratio)) : ratio.toFixed(1)}x`;
}

/** Inverted where the words are: of latencies [0.47, 0.49] it is `[2.05, 2.13]`. */
export function speedInterval(value: number, low: number | null, high: number | null): string {
  return speedOf(value).direction === 'faster' ? ratioInterval(inverse(high), inverse(low)) : ratioInterval(low, high);
}
