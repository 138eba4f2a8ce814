export type DurationUnit = 'ms' | 's';

/** One unit for a group of durations (milliseconds): seconds if the largest is at least 1 s. */
export function durationUnit(durationsMs: readonly (number | null)[]): DurationUnit {
  return durationsMs.some((value) => value !== null && value >= 999.5) ? 's' : 'ms';
}

/** Three significant digits with unit: `842 ms`, `1.24 s`. */
export function duration(ms: number, unit: DurationUnit = durationUnit([ms])): string {
  return `${durationNumber(ms, unit)} ${unit}`;
}

/** `1.18 – 1.31 s`. */
export function durationInterval(lowMs: number, highMs: number, unit: DurationUnit = durationUnit([highMs])): string {
  return `${durationNumber(lowMs, unit)} – ${duration(highMs, unit)}`;
}

function durationNumber(ms: number, unit: DurationUnit): string {
  return significant(unit === 's' ? ms / 1000 : ms);
}

/** Without trailing zeros: `120 s`, `0.5 s`. */
export function seconds(ms: number): string {
  return `${Math.round(ms) / 1000} s`;
}

/** `42 s`, `4 min 12 s`, `1 h 03 min`. */
export function elapsed(ms: number): string {
  if (ms < 59_500) return duration(ms);
  const whole = Math.round(ms / 1000);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${two(whole % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

/** A share as a percentage to one decimal: `4.1 %`. Only exactly 0 and 1 print as 0 % and 100 %. */
export function share(value: number): string {
  if (value === 0 || value === 1) return `${value * 100} %`;
  const percent = value * 100;
  if (percent < 0.05) return '< 0.1 %';
  if (percent > 99.95) return '> 99.9 %';
  return `${percent.toFixed(1)} %`;
}

/** Ends of an interval of shares, in tenths of a per cent, rounded outwards. */
export function outwards(side: 'low' | 'high', value: number): string {
  // The nearest double of an exact tenth may be just beside it.
  const tenths = side === 'low' ? Math.floor(value * 1000 + 1e-9) : Math.ceil(value * 1000 - 1e-9);
  return (tenths / 10).toFixed(1);
}

/** Rounded up: `4.2 %` for 4.11 %. */
export function shareAtMost(value: number): string {
  return `${outwards('high', value)} %`;
}

/** Rounded outwards: `0 – 9.7 %`. */
export function shareInterval(low: number, high: number): string {
  const least = outwards('low', low);
  return `${least === '0.0' ? '0' : least} – ${high === 1 ? share(high) : shareAtMost(high)}`;
}

/** Two significant digits: `0.0049`; below 0.0001 only that. */
export function probability(p: number): string {
  return p < 0.0001 ? '< 0.0001' : String(Number(p.toPrecision(2)));
}

/** Assets per second, or per minute. */
export function rate(perSecond: number, per: 's' | 'min'): string {
  return `${significant(per === 's' ? perSecond : perSecond * 60)} / ${per}`;
}

/** As one writes it: `2 / s`, `30 / min`. */
export function arrivals(perSecond: number): string {
  return perSecond >= 1 ? `${trimmed(perSecond)} / s` : `${trimmed(perSecond * 60)} / min`;
}

export function rateUnit(perSecond: readonly (number | null)[]): 's' | 'min' {
  return perSecond.some((value) => value !== null && value >= 0.5) ? 's' : 'min';
}

/** `$0.0123`: at least two decimals, else three significant digits. */
export function usd(value: number): string {
  return `$${value === 0 || value >= 1 ? value.toFixed(2) : significant(value)}`;
}

/** Decimal: `412 kB`. */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 999_500) return `${significant(value / 1000)} kB`;
  if (value < 999_500_000) return `${significant(value / 1_000_000)} MB`;
  return `${significant(value / 1_000_000_000)} GB`;
}

/** With a comma between thousands: `10,000`. */
export function count(value: number): string {
  return grouped(String(value));
}

/** The digits before the decimal point, in groups of three. */
export function grouped(number: string): string {
  return number.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
}

/** `1 take`, `3 takes`, `3 prompts x seeds`, `3 pairs of takes`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${value === 1 ? noun : noun.replace(/ x | of .*|(?<! of .*)$/g, 's$&')}`;
}

/** Three significant digits, no exponent; a whole number from 100 on. */
export function significant(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 99.95) return value.toFixed(0);
  if (size >= 9.995) return value.toFixed(1);
  if (size >= 0.9995) return value.toFixed(2);
  let decimals = 3;
  for (let scaled = size; scaled < 0.09995 && decimals < 9; scaled *= 10) decimals += 1;
  return value.toFixed(decimals);
}

/** Three significant digits without trailing zeros: `1.5`, `20`. */
export function trimmed(value: number): string {
  const words = significant(value);
  return words.includes('.') ? words.replace(/\.?0+$/, '') : words;
}

/** Only for words of Retake. */
export function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(place: number): string {
  const teens = Math.floor(place / 10) % 10 === 1;
  const ending = teens ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[place % 10] ?? 'th');
  return `${count(place)}${ending}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return joined(words, 'and');
}

/** `a`, `a or b`, `a, b or c`. */
export function oneOf(words: readonly string[]): string {
  return joined(words, 'or');
}

export const MOST_WHOLE = 6;
const SHOWN_OF_MORE = 3;

/** Up to six words whole, else the first three and how many more: `a, b, c and 37 more`. */
export function listedInShort(words: readonly string[]): string {
  if (words.length <= MOST_WHOLE) return listed(words);
  return listed([...words.slice(0, SHOWN_OF_MORE), `${count(words.length - SHOWN_OF_MORE)} more`]);
}

function joined(words: readonly string[], joint: string): string {
  const last = words.at(-1);
  if (last === undefined) return '';
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} ${joint} ${last}`;
}

/** Prevents a line break between a number and its unit. */
const QUANTITY = /(?<=\d) (?=(?:%|ms|s|min|h|B|kB|MB|GB)(?![\w-]))/g;

/** `n = 22`, `needs 59` */
const COUNT = /\b(n =|needs) (?=\d)/g;

/** Keeps quantities on one line with no-break spaces. For what is shown, never for data. */
export function unbroken(words: string): string {
  return words.replace(QUANTITY, '\u00a0').replace(COUNT, (words) => words.replaceAll(' ', '\u00a0'));
}

/** Quoted for a POSIX shell, to be read and copied. */
export function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
