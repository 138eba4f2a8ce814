import type { Checked } from '../kit/diagnostic.ts';
import { isLocalUrl } from '../kit/loopback.ts';
import { plainText, type Redact, redactText } from '../kit/redact.ts';
import { checkProxies, EMBEDDED } from './origins.ts';
import { keyFault } from './request/key-fault.ts';
import type { Endpoint } from './target.ts';

interface DecodedText {
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
function* decodings(given: string): Generator<DecodedText> {
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

interface BytesFinder {
  /** Calls `found` for each match, in order, until it gives true; gives whether it did. */
  readonly some: (content: Uint8Array, visit: (at: number, needle: number) => boolean) => boolean;
}

/**
 * A finder for needles of 3 bytes or more, after Wu and Manber ("A fast algorithm for multi-pattern searching", 1994):
 * its time hardly depends on the number of needles.
 */
export function createFinder(needles: readonly Uint8Array[]): BytesFinder {
  const length = Math.min(...needles.map(({ byteLength }) => byteLength));
  if (needles.length === 0) return { some: () => false };
  if (length < 3) throw new Error('a needle has fewer than 3 bytes');
  const most = Math.min(255, length - 1);
  const shifts = new Uint8Array(65_536).fill(most);
  /** By the last two bytes of a needle's counted part. */
  const ending = new Map<number, number[]>();
  for (const [index, needle] of needles.entries()) {
    for (let end = 1; end < length; end += 1) {
      const block = ((needle[end - 1] ?? 0) << 8) | (needle[end] ?? 0);
      shifts[block] = Math.min(shifts[block] ?? 0, length - 1 - end, most);
      if (end === length - 1) ending.set(block, [...(ending.get(block) ?? []), index]);
    }
  }
  const stands = (content: Uint8Array, at: number, needle: Uint8Array): boolean => {
    if (at + needle.byteLength > content.byteLength) return false;
    for (let offset = 0; offset < needle.byteLength; offset += 1) {
      if (content[at + offset] !== needle[offset]) return false;
    }
    return true;
  };
  return {
    some: (content, visit) => {
      for (let end = length - 1, { byteLength } = content; end < byteLength; ) {
        const block = ((content[end - 1] ?? 0) << 8) | (content[end] ?? 0);
        const shift = shifts[block] ?? 0;
        if (shift > 0) {
          end += shift;
          continue;
        }
        const at = end - length + 1;
        for (const index of ending.get(block) ?? []) {
          if (stands(content, at, needles[index] ?? content) && visit(at, index)) return true;
        }
        end += 1;
      }
      return false;
    },
  };
}

interface SecretForms {
  /** In lower case. */
  readonly texts: readonly SecretText[];
  /** One of these occurs in every form that keeps letters and digits. */
  readonly needles: readonly Needle[];
  /** The secret has too few letters in a row for useful needles. */
  readonly tooShort: boolean;
  /** The most characters of any form, however escaped. */
  readonly longest: number;
}

interface SecretText {
  readonly text: string;
  /** Padding may follow. */
  readonly base64: boolean;
}

/** Bytes to search; if not `exact`, the text around them must be checked. */
interface Needle {
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
function formsOf(secret: string): SecretForms {
  const encoded = base64Forms(secret);
  // An escape in the secret itself is decoded with the text around it.
  const direct = [secret, Buffer.from(secret, 'utf8').toString('latin1')].flatMap((text) =>
    [...decodings(text)].map((decoded) => decoded.text),
  );
  const plain = direct.flatMap((text) => [text, text.replaceAll(' ', '+')]);
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

/** Values to keep secret: keys of the environment, and what is made of them. */
export interface KnownSecrets {
  readonly redact: Redact;
  readonly isIn: (text: string) => boolean;
  /** Searches text for every form, media for those that keep letters. Below 6 characters, chance matches are likely. */
  readonly isInBytes: (bytes: Uint8Array) => boolean;
  readonly add: (secret: string) => void;
  readonly forget: (secret: string) => void;
}

const LEAST_LENGTH = 6;
/** The beginning that distinguishes text from media, and the part of a text searched for every form. */
const HEAD_BYTES = 1024;
const MOST_TEXT_BYTES = 2 * 1024 * 1024;
/** A body that repeats a part of a secret more often counts as containing it. */
const MOST_LOOKS = 1000;

interface Forms {
  readonly texts: readonly SecretText[];
  readonly shortest: number;
  readonly longest: number;
}

interface FormsInBytes extends Forms {
  readonly needles: readonly Needle[];
  readonly finder: BytesFinder;
  readonly tooShort: boolean;
}

/** Makes the forms of each value once; ignores empty values. */
export function knowSecrets(values: readonly string[]): KnownSecrets {
  const known = new Map<string, SecretForms>();
  let all: Forms = join([]);
  let long: FormsInBytes = withNeedles([]);
  const change = (): void => {
    const entries = [...known];
    all = join(entries.map(([, forms]) => forms));
    long = withNeedles(entries.flatMap(([secret, forms]) => (secret.length < LEAST_LENGTH ? [] : [forms])));
  };
  const add = (secret: string): void => {
    if (secret === '' || known.has(secret)) return;
    known.set(secret, formsOf(secret));
    change();
  };
  for (const value of values) add(value);
  return {
    redact: (text, length) => redactText((plain) => [...find(plain, all)], all.longest, text, length),
    isIn: (text) => holds(plainText(text), all),
    isInBytes: (bytes) => long.texts.length > 0 && holdsInBytes(bytes, long),
    add,
    forget: (secret) => {
      if (known.delete(secret)) change();
    },
  };
}

function join(forms: readonly SecretForms[]): Forms {
  const texts = forms.flatMap((one) => one.texts);
  const shortest = Math.min(...texts.map(({ text }) => text.length));
  return { texts, shortest, longest: Math.max(0, ...forms.map(({ longest }) => longest)) };
}

function withNeedles(forms: readonly SecretForms[]): FormsInBytes {
  const needles = forms.flatMap((one) => one.needles);
  return {
    ...join(forms),
    needles,
    finder: createFinder(needles.map(({ bytes }) => bytes)),
    tooShort: forms.some(({ tooShort }) => tooShort),
  };
}

function holds(text: string, forms: Forms): boolean {
  return find(text, forms).next().done === false;
}

/** Shorter values are no real keys: they count only as a whole word. */
export const LEAST_KEY = 8;
const WORD = /[\p{L}\p{N}_]/u;

/** Places of secrets in a text, in any round of decoding; a place may come several times. */
function* find(given: string, { texts, shortest }: Forms): Generator<readonly [from: number, to: number]> {
  if (given.length < shortest) return; // Decoding makes no text longer.
  for (const { text, sourceOf } of decodings(given)) {
    const lower = inSmallLetters(text);
    for (const secret of texts) {
      for (let at = lower.indexOf(secret.text); at >= 0; at = lower.indexOf(secret.text, at + 1)) {
        let end = at + secret.text.length;
        while (secret.base64 && lower[end] === '=') end += 1;
        if (secret.text.length < LEAST_KEY && (WORD.test(lower[at - 1] ?? '') || WORD.test(lower[end] ?? ''))) continue;
        yield sourceOf(at, end);
      }
    }
  }
}

/** Character by character, because some letters have two characters in lower case. */
function inSmallLetters(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

function holdsInBytes(bytes: Uint8Array, forms: FormsInBytes): boolean {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (holdsNeedle(content, forms)) return true;
  if (!forms.tooShort && !isText(content)) return false;
  return textsOf(content.subarray(0, MOST_TEXT_BYTES)).some((text) => holds(text, forms));
}

function holdsNeedle(content: Buffer, forms: FormsInBytes): boolean {
  let looks = 0;
  return forms.finder.some(content, (at, index) => {
    const needle = forms.needles[index];
    looks += 1;
    if (needle === undefined || needle.exact || looks > MOST_LOOKS) return true;
    const around = content.subarray(Math.max(0, at - forms.longest), at + needle.bytes.length + forms.longest);
    return textsOf(around).some((text) => holds(text, forms));
  });
}

function textsOf(content: Buffer): readonly string[] {
  return [content.toString('latin1'), content.toString('utf8')];
}

function isText(content: Buffer): boolean {
  return !content.subarray(0, HEAD_BYTES).some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b));
}

/** The values of `${secret.<name>}`, by name. Never recorded, printed or put into an error. */
export type Secrets = Readonly<Record<string, string>>;

/** Names of the keys that endpoints need. The reference service of a run gets one of its own. */
export function neededSecrets(endpoints: readonly Endpoint[]): readonly string[] {
  return endpoints.flatMap(({ baseUrl, target }) =>
    baseUrl === EMBEDDED || isLocalUrl(baseUrl) ? [] : target.secrets,
  );
}

/** Environment variables with the keys of a target. */
export interface KeyNames {
  readonly all: readonly string[];
  readonly unset: readonly string[];
}

export function keyNames({ secrets: all }: Endpoint['target'], values: Secrets): KeyNames {
  return { all, unset: all.filter((name) => !Object.hasOwn(values, name)) };
}

/** What stands before the key in `auth.value`, in small letters: `bearer `; empty: nothing. */
function wordBefore(name: string, endpoints: readonly Endpoint[]): string {
  const words = endpoints.flatMap(({ target: { auth } }) =>
    (auth?.value ?? []).flatMap((part, at, parts) => {
      const before = parts[at - 1];
      const isKey = 'reference' in part && part.reference.namespace === 'secret' && part.reference.path[0] === name;
      return isKey && before !== undefined && 'text' in before ? [before.text.toLowerCase()] : [];
    }),
  );
  return words[0] ?? '';
}

/** Reads secrets only from the environment, whose proxies must be valid. A server on this machine may lack a key. */
export function readSecrets(
  variants: readonly Endpoint[],
  env: Readonly<Record<string, string | undefined>>,
): Checked<Secrets> {
  const hosted = variants.filter(({ baseUrl }) => baseUrl !== EMBEDDED);
  const required = new Set(neededSecrets(variants));
  const needed = new Map(hosted.flatMap(({ target }) => target.secrets.map((name) => [name, target.id] as const)));
  const diagnostics = [...checkProxies(env, hosted)];
  const values: [string, string][] = [];
  for (const [name, target] of needed) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined || value === '') {
      if (!required.has(name)) continue;
      const cause = `the environment variable ${name} is not set, and ${target} needs it`;
      diagnostics.push({ place: null, cause, remedy: `set ${name} to the key of that service` });
      continue;
    }
    const fault = keyFault(value, wordBefore(name, hosted));
    if (fault === null) values.push([name, value]);
    else
      diagnostics.push({ place: null, cause: `the environment variable ${name} ${fault.cause}`, remedy: fault.remedy });
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  const short = values.filter(([, value]) => value.length < LEAST_KEY);
  const warnings = short.map(([name]) => ({
    place: null,
    cause: `the environment variable ${name} has fewer than ${LEAST_KEY} characters, so it is not a real key`,
    remedy: 'set it to the key of that service; such a value is hidden only where it is a whole word',
  }));
  return { ok: true, value: Object.fromEntries(values), warnings };
}
