/** A character without width: the text looks as it was sent. */
const APART = '\u200b';

/**
 * Keeps text of others from giving commands to GitHub Actions. Its runner reads a line that begins with `::`, after
 * spaces, as a command, and `##[` anywhere in a line (actions/runner, src/Runner.Common/ActionCommand.cs, read
 * 2026-11). A character without width splits them. In a line of JSON, `##[` is escaped instead, so that values stay the
 * same.
 * @returns a function for each text in order; a line may come in parts
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
          : kept.replaceAll(/##\[|#$/g, (found) => found + APART);
      })
      .join('');
}
