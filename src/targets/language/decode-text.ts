export interface DecodedText {
  readonly text: string;
  /** The place in the given text of characters `from` up to, and without, `to`. */
  readonly sourceOf: (from: number, to: number) => readonly [from: number, to: number];
}

/** Nobody encodes a text more often. */
const MOST_ROUNDS = 4;

const ESCAPE =
  /%([0-9a-f]{2})|\\(?:u([0-9a-f]{4})|(["\\/t]))|&(?:#(?:0*([0-9]{1,7})|x0*([0-9a-f]{1,6}))|(amp|lt|gt|quot|apos));/gi;

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", t: '\t' };

/** The text itself, then the text after each round that decoded something; bytes become characters of that code. */
export function* decodings(given: string): Generator<DecodedText> {
  let current: DecodedText = { text: given, sourceOf: (from, to) => [from, to] };
  yield current;
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const next = decodeOnce(current.text);
    if (next === null) return;
    const { sourceOf } = current;
    current = { text: next.text, sourceOf: (from, to) => sourceOf(...next.sourceOf(from, to)) };
    yield current;
  }
}

/** Percent-encoding (RFC 3986), JSON escapes, HTML references (numeric, or the five of XML). Null if there are none. */
function decodeOnce(given: string): DecodedText | null {
  const escapes: { readonly at: number; readonly from: number; readonly to: number }[] = [];
  let text = '';
  let copied = 0;
  for (const match of given.matchAll(ESCAPE)) {
    const { index } = match;
    text += given.slice(copied, index);
    copied = index + match[0].length;
    escapes.push({ at: text.length, from: index, to: copied });
    text += characterOf(match);
  }
  if (escapes.length === 0) return null;

  const escapeUpTo = (at: number) => {
    let low = 0;
    let high = escapes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((escapes[middle]?.at ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return escapes[low - 1];
  };
  const startOf = (at: number): number => {
    const last = escapeUpTo(at);
    if (last === undefined) return at;
    return last.at === at ? last.from : last.to + (at - last.at - 1);
  };
  const endOf = (at: number): number => {
    const last = escapeUpTo(at);
    return last?.at === at ? last.to : startOf(at) + 1;
  };
  return { text: text + given.slice(copied), sourceOf: (from, to) => [startOf(from), endOf(to - 1)] };
}

/** One UTF-16 unit, because texts are compared unit by unit. */
function characterOf([, percent, unit, letter, decimal, hexadecimal, name]: RegExpMatchArray): string {
  if (letter !== undefined) return NAMED[letter.toLowerCase()] ?? letter;
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? '';
  const hex = percent ?? unit ?? hexadecimal;
  return String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
}
