import { decodings } from '../language/decode-text.ts';
import { type BytesFinder, createFinder } from './find-bytes.ts';
import { plainText, type Redact, redactText } from './redact.ts';
import { formsOf, type Needle, type SecretForms, type SecretText } from './secret-forms.ts';

/** Values to keep secret: keys of the environment, and what is made of them. */
export interface KnownSecrets {
  readonly redact: Redact;
  /** Whether text contains a form of a secret. */
  readonly isIn: (text: string) => boolean;
  /**
   * Whether bytes contain one: text in every form, media in forms that keep letters. Values below 6 characters are not
   * searched: they occur in any media by chance.
   */
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
  readonly longest: number;
}

interface FormsInBytes extends Forms {
  readonly needles: readonly Needle[];
  readonly finder: BytesFinder;
  readonly tooShort: boolean;
}

/** Ignores empty values. Forms are made once. */
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
  return {
    texts: forms.flatMap(({ texts }) => texts),
    longest: Math.max(0, ...forms.map(({ longest }) => longest)),
  };
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

/** Places of secrets in a text, in any round of decoding; a place may come several times. */
function* find(given: string, { texts }: Forms): Generator<readonly [from: number, to: number]> {
  if (texts.length === 0) return;
  for (const { text, sourceOf } of decodings(given)) {
    const lower = inSmallLetters(text);
    for (const secret of texts) {
      for (let at = lower.indexOf(secret.text); at >= 0; at = lower.indexOf(secret.text, at + 1)) {
        let end = at + secret.text.length;
        while (secret.base64 && lower[end] === '=') end += 1;
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

/** If a needle is only a part of a secret, checks the text around it. */
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

/** Texts that the bytes may encode. */
function textsOf(content: Buffer): readonly string[] {
  return [content.toString('latin1'), content.toString('utf8')];
}

function isText(content: Buffer): boolean {
  return !content.subarray(0, HEAD_BYTES).some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b));
}
