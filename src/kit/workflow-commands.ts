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
