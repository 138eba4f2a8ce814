import { decodings } from '../language/decode-text.ts';

/** Forms of a secret in decoded text, and in bytes. */
export interface SecretForms {
  /** In lower case. */
  readonly texts: readonly SecretText[];
  /** One of these occurs in every form that keeps letters and digits. */
  readonly needles: readonly Needle[];
  /** The secret has too few letters in a row for useful needles. */
  readonly tooShort: boolean;
  /** The most characters of any form, however escaped. */
  readonly longest: number;
}

export interface SecretText {
  readonly text: string;
  /** Padding may follow. */
  readonly base64: boolean;
}

/** Bytes to search; if not `exact`, the text around them must be checked. */
export interface Needle {
  readonly bytes: Buffer;
  readonly exact: boolean;
}

/** The most characters that one character takes: `&amp;amp;#x0000c3;` and the like. */
const MOST_OF_ONE = 20;
/** Shorter bytes occur in any media by chance. */
const LEAST_NEEDLE = 6;

/**
 * The forms of a secret beside escapes: unchanged, with `+` for spaces, as bytes of UTF-8, and in base64 and base64url
 * (RFC 4648), alone or after other bytes. For bytes of media also in UTF-16.
 */
export function formsOf(secret: string): SecretForms {
  const encoded = base64Forms(secret);
  // An escape in the secret itself is decoded with the text around it.
  const own = [secret, Buffer.from(secret, 'utf8').toString('latin1')].flatMap((text) =>
    [...decodings(text)].map((decoded) => decoded.text),
  );
  const plain = own.flatMap((text) => [text, text.replaceAll(' ', '+')]);
  const texts = [
    ...plain.map((text) => ({ text, base64: false })),
    ...encoded
      .flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
      .map((text) => ({ text, base64: true })),
  ];
  const distinct = new Map(texts.map(({ text, base64 }) => [text.toLowerCase(), base64]));
  // Characters that no encoding changes.
  const runs = [longestRun(secret, /[A-Za-z0-9._-]+/g), ...encoded.map((text) => longestRun(text, /[A-Za-z0-9]+/g))];
  const tooShort = runs.some(({ length }) => length < LEAST_NEEDLE);
  const partial = tooShort ? [] : runs.map((text) => ({ bytes: Buffer.from(text, 'latin1'), exact: false }));
  // Without the last zero byte, the same bytes occur in both byte orders of UTF-16.
  const wide = { bytes: Buffer.from(secret, 'utf16le').subarray(0, -1), exact: true };
  return {
    texts: [...distinct].map(([text, base64]) => ({ text, base64 })),
    needles: [...partial, wide],
    tooShort,
    longest: MOST_OF_ONE * secret.length,
  };
}

function longestRun(text: string, runs: RegExp): string {
  return (text.match(runs) ?? []).reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}

/**
 * Base64 of a secret: alone to its end, and after 0, 1 and 2 other bytes (modulo 3) the characters that depend only on
 * it. Very short ones are left out: they occur in any text by chance.
 */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const within = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const alone = bytes.toString('base64').replace(/=+$/, '');
  return [alone, ...within.filter((text) => text.length >= LEAST_NEEDLE)];
}
