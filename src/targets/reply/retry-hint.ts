const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** An amount with its unit, short or written out, up to the next word or amount. */
const AMOUNT =
  /(\d{1,12}(?:\.\d{1,6})?)\s*(milliseconds?|millis|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)(?![a-z])/iy;
const MOST_TEXT = 2000;

/** In milliseconds: `Please try again in 1m20.5s.`, `retry after 30 seconds`. Null if there is none. */
export function hintedMs(text: string): number | null {
  const start = /(?<![\w.-])\d/g;
  const sentence = text.slice(0, MOST_TEXT);
  for (let found = start.exec(sentence); found !== null; found = start.exec(sentence)) {
    const ms = amountsAt(sentence, found.index);
    if (ms !== null) return ms;
  }
  return null;
}

function amountsAt(text: string, from: number): number | null {
  let sum: number | null = null;
  let at = from;
  for (;;) {
    AMOUNT.lastIndex = at;
    const [whole = '', amount, unit = ''] = AMOUNT.exec(text) ?? [];
    if (amount === undefined) return sum;
    sum = (sum ?? 0) + Number(amount) * (UNIT_MS[shortUnit(unit.toLowerCase())] ?? 0);
    at += whole.length;
    if (text[at] === ' ') at += 1;
  }
}

function shortUnit(unit: string): string {
  return /^(ms|msec|milli)/.test(unit) ? 'ms' : unit.charAt(0);
}
