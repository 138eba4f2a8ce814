import { count, duration, grouped, rate, share, shareInterval, significant, trimmed, usd } from './wording.ts';

const RATES = ['1/s', 'outputs/s', 'megapixels/s', 'frames/s', 'real_time'] as const;
export const UNITS = ['ms', '1', ...RATES, 'usd', 'in_flight', 'levels', 'levels2', 'mb', 'score'] as const;
export type Unit = (typeof UNITS)[number];

export function valueWords(value: number, unit: Unit): string {
  switch (unit) {
    case 'ms':
      return duration(value);
    case '1':
      return share(value);
    case '1/s':
      return rate(value, 's');
    case 'outputs/s':
    case 'megapixels/s':
    case 'frames/s':
      return `${significant(value)} ${unit.replace('/', ' / ')}`;
    case 'real_time':
      return `${significant(value)}x real time`;
    case 'usd':
      return usd(value);
    case 'in_flight':
      return threeDigits(value);
    case 'levels':
      return `${significant(value)} ${value === 1 ? 'level' : 'levels'}`;
    case 'levels2':
      return `${significant(value)} levels²`;
    case 'mb':
      return `${significant(value)} MB`;
    case 'score':
      return scoreWords(significant(value));
  }
}

/** `−5 000.5`, with the minus of differences. */
function scoreWords(number: string): string {
  return grouped(number).replace('-', '−');
}

/** How values and differences are written beside their interval. */
export interface Printed {
  readonly value: (value: number) => string;
  readonly valueInterval: (low: number, high: number) => string;
  /** With its sign. */
  readonly difference: (difference: number) => string;
  readonly differenceInterval: (low: number, high: number) => string;
  /** A difference without its sign: words tell its direction. */
  readonly size: (difference: number) => string;
  /** `[0.046, 0.052]`, the smaller first. */
  readonly sizeInterval: (near: number, far: number) => string;
}

/** A score has as many decimals as the ends need: `0.049` beside `[0.046, 0.052]`. */
export function printedBeside(interval: { readonly low: number; readonly high: number } | null, unit: Unit): Printed {
  const decimals = unit === 'score' && interval !== null ? decimalsBeside(interval.high - interval.low) : null;
  const value = (number: number): string => {
    if (decimals === null) return valueWords(number, unit);
    const words = number.toFixed(decimals);
    // An end near 0 shows on which side of 0 it is.
    return scoreWords(Number(words) === 0 ? significant(number) : words);
  };
  const size = (number: number) =>
    unit === '1' ? differenceWords(number, unit).replace(/^[+−]/, '') : value(Math.abs(number));
  const difference = (number: number) => `${signOf(number)}${size(number)}`;
  const between = (low: string, high: string) => `[${withoutUnit(low)}, ${high}]`;
  return {
    value,
    valueInterval: (low, high) =>
      unit === '1' ? shareInterval(low, high) : `${withoutUnit(value(low))} – ${value(high)}`,
    difference,
    differenceInterval: (low, high) => between(difference(low), difference(high)),
    size,
    // The unit follows the last number.
    sizeInterval: (near, far) => between(size(near), withoutUnit(size(far))),
  };
}

/** Two digits of a difference without its sign, for an estimate without an interval. */
export function roughSize(difference: number, unit: Unit): string {
  const rough = Number(Math.abs(difference).toPrecision(2));
  return unit === '1'
    ? `${trimmed(100 * rough)} points`
    : unit === 'score'
      ? scoreWords(trimmed(rough))
      : valueWords(rough, unit);
}

/** A unit that can stand behind the second of two numbers alone. */
function withoutUnit(words: string): string {
  return words.replace(/ (points|levels?|levels²|MB|\w+ \/ s)$|x real time$/, '');
}

/** Null if the ends are equal. */
function decimalsBeside(width: number): number | null {
  if (width === 0) return null;
  const exponent = Number((width / 5).toExponential().split('e')[1]);
  return Math.min(9, Math.max(0, -exponent));
}

/** A declared limit, without the zeros of a measured number: `5 s`, `20 %`, `$1.50`. */
export function declaredWords(value: number, unit: Unit): string {
  return unit === 'usd' ? usd(value) : withoutZeros(valueWords(value, unit));
}

/** `+40 points`. */
export function declaredDifference(difference: number, unit: Unit): string {
  if (unit === 'usd') return differenceWords(difference, unit);
  return withoutZeros(differenceWords(difference, unit)).replace(/(?<![\d.,])1 points$/, '1 point');
}

/** `12.5`, `5`: at most three digits, without zeros at the end. */
export function threeDigits(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function withoutZeros(words: string): string {
  return words.replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '');
}

/** Shares differ in percentage points. */
export function differenceWords(difference: number, unit: Unit): string {
  const size = Math.abs(difference);
  if (unit === '1') return `${signOf(difference)}${significant(size * 100)} points`;
  return `${signOf(difference)}${valueWords(size, unit)}`;
}

function signOf(difference: number): string {
  return difference > 0 ? '+' : difference < 0 ? '−' : '';
}

/** `2.15x`. */
export function times(ratio: number): string {
  return `${ratioWords(ratio)}x`;
}

/** `2.15x`; near an end close to 1 with its digits, so that it never lies outside its printed interval. */
export function timesBeside(ratio: number, low: number | null, high: number | null): string {
  const isNear = [low, high].some((end) => end !== null && endWords(end) !== ratioWords(end));
  return isNear ? `${endWords(ratio)}x` : times(ratio);
}

/** Three digits, from 0.1 to 1 only two: `1.01`, `12.4`, `0.0213`. */
export function ratioWords(ratio: number): string {
  if (ratio >= 100) return count(Math.round(ratio));
  if (ratio >= 10) return ratio.toFixed(1);
  if (ratio === 0) return '0';
  return ratio >= 0.1 ? ratio.toFixed(2) : ratio.toPrecision(3);
}

/** `[2.05, 2.22]`; an open end is `above 2.05` or `below 2.22`. */
export function ratioInterval(low: number | null, high: number | null): string {
  if (low === null && high === null) return '[open]';
  if (low === null) return `[below ${endWords(high ?? 0)}]`;
  return high === null ? `[above ${endWords(low)}]` : `[${endWords(low)}, ${endWords(high)}]`;
}

function endWords(ratio: number): string {
  return besideOne(ratio, ratioWords(ratio));
}

/** An end near 1 shows on which side of 1 it is. @param words the ratio as rounded */
export function besideOne(ratio: number, words: string): string {
  return Number(words) === 1 && ratio !== 1 ? String(Number(ratio.toPrecision(ratio < 1 ? 4 : 5))) : words;
}

/** Null, an open end, stays null. */
export function inverse(value: number | null): number | null {
  return value === null ? null : 1 / value;
}

/** A ratio of latencies is written in the direction that makes it 1 or more. */
export type Direction = 'faster' | 'slower';

export const DIRECTION_WORDS: Readonly<Record<Direction, string>> = { faster: 'as fast', slower: 'as long' };

/** Takes candidate / baseline: 0.5 is 2 and `faster`, 1.2 is 1.2 and `slower`. */
export function speedOf(ratio: number): { readonly ratio: number; readonly direction: Direction } {
  return ratio < 1 ? { ratio: 1 / ratio, direction: 'faster' } : { ratio, direction: 'slower' };
}

/** `2.15x as fast`, `1.20x as long`; with the digits of its interval. */
export function speedWords(value: number, low: number | null = null, high: number | null = null): string {
  return `${speedTimes(value, low, high)} ${DIRECTION_WORDS[speedOf(value).direction]}`;
}

/** The number of `speedWords`: `2.15x`. */
export function speedTimes(value: number, low: number | null, high: number | null): string {
  const { ratio, direction } = speedOf(value);
  return direction === 'faster' ? timesBeside(ratio, inverse(high), inverse(low)) : timesBeside(ratio, low, high);
}

/** Two digits, for an estimate without an interval and for headlines: `2.2x as fast`; near 1 three, `1.03x as long`. */
export function roughSpeedWords(value: number, { direction } = speedOf(value)): string {
  const ratio = direction === 'faster' ? 1 / value : value;
  // Two digits of a ratio near 1 would say that nothing changed.
  const rough = `${ratio >= 9.95 ? count(Math.round(ratio)) : ratio.toFixed(1)}x`;
  return `${ratio < 1.1 ? timesBeside(ratio, ratio, ratio) : rough} ${DIRECTION_WORDS[direction]}`;
}

/** Inverted like the words: `[2.05, 2.13]` of latencies [0.47, 0.49]. */
export function speedInterval(value: number, low: number | null, high: number | null): string {
  return speedOf(value).direction === 'faster' ? ratioInterval(inverse(high), inverse(low)) : ratioInterval(low, high);
}
