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
