import { count } from '../../../text/wording.ts';

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
