/** A character without width, so that the text still looks as it was sent. */
const APART = '\u200b';

/**
 * Keeps text of others from acting in a job of GitHub Actions: its runner takes a line that begins with `::`, after spaces, for a command,
 * and `##[` anywhere in a line (actions/runner, src/Runner.Common/ActionCommand.cs, read 2026-11). A character without width parts them.
 * In a line of JSON, `##[` is escaped instead, so that its values stay the same.
 *
 * @returns what each text that is written, one after the other, becomes: a line may be written in parts
 */
export function withoutCommands(): (text: string) => string {
  // Whether the line has only spaces so far, and whether it is JSON.
  let begins = true;
  let isJson = false;
  return (text) =>
    text
      // Its reader ends a line at either character.
      .split(/(?<=[\r\n])/)
      .map((piece) => {
        const rest = piece.trimStart();
        if (begins && rest !== '') isJson = /^["{[]/.test(rest);
        const isCommand = begins && /^:(:|$)/.test(rest);
        begins = /[\r\n]$/.test(piece) || (begins && rest === '');
        const kept = isCommand ? piece.replace(/^\s*::?/, (head) => head + APART) : piece;
        return isJson ? kept.replaceAll('##[', '#\\u0023[') : kept.replaceAll(/##\[|#$/g, (found) => found + APART);
      })
      .join('');
}
