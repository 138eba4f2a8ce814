/**
 * Control characters, bidirectional overrides and isolates, separators, zero-width characters except joiners, tags,
 * surrogates.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** Text with each hidden character as `\u202e`; tabs and line feeds stay. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, spelled);
}

/** As `visible`, with tabs and line feeds spelled out too. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

function spelled(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** Has no width: the text looks as it was sent. */
const APART = '\u200b';

/**
 * Keeps text of others from giving commands to GitHub Actions, whose runner reads a line that begins with `::`, after
 * spaces, and `##[` anywhere (actions/runner, src/Runner.Common/ActionCommand.cs, read 2026-11). A character without
 * width splits them; in a line of JSON, `##[` is escaped, so that values stay. The result takes the text in order, also
 * parts of lines.
 */
export function withoutCommands(): (text: string) => string {
  let begins = true;
  let isJson = false;
  return (text) =>
    text
      // The runner ends a line at either character.
      .split(/(?<=[\r\n])/)
      .map((piece) => {
        const rest = piece.trimStart();
        if (begins && rest !== '') isJson = /^["{[]/.test(rest);
        const isCommand = begins && /^:(:|$)/.test(rest);
        begins = /[\r\n]$/.test(piece) || (begins && rest === '');
        const kept = isCommand ? piece.replace(/^\s*::?/, (head) => head + APART) : piece;
        // A part may end within `##[`.
        return isJson
          ? kept.replaceAll(/#(?=\[|$)/g, '\\u0023')
          : kept.replaceAll(/##\[|#$/g, (match) => match + APART);
      })
      .join('');
}

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
