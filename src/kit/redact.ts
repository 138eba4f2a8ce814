export const REDACTED = '[redacted]';
/** Characters kept of an error message. */
export const MESSAGE_LENGTH = 300;

/**
 * Makes text of a reply or an error safe to show: control characters removed, every form of a secret replaced,
 * shortened. Do not shorten before: a cut secret is not found.
 */
export type Redact = (text: string, length?: number) => string;

/** Places of secrets in a text. */
type FindSecrets = (text: string) => readonly (readonly [from: number, to: number])[];

/** @param longest the most characters of any form of a secret */
export function redactText(find: FindSecrets, longest: number, text: string, length = MESSAGE_LENGTH): string {
  const window = 20 * length + longest;
  const plain = plainText(text.slice(0, window));
  const clean = replaceRanges(plain, find(plain));
  const whole = text.length > window ? clean.slice(0, Math.max(0, clean.length - longest)) : clean;
  return shorten(whole.trim(), length);
}

/** Overlapping ranges get one mark. */
function replaceRanges(text: string, ranges: ReturnType<FindSecrets>): string {
  let clean = '';
  let done = 0;
  let replaced = false;
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    if (to <= done) continue;
    if (from >= done || !replaced) clean += text.slice(done, from) + REDACTED;
    done = to;
    replaced = true;
  }
  return clean + text.slice(done);
}

/** White space becomes single spaces; other control characters and direction marks are removed. */
export function plainText(text: string): string {
  return text
    .replace(/[\t\n\r\u2028\u2029]+/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  // Does not cut a surrogate pair.
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
