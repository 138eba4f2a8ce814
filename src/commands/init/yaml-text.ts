/** Words that YAML 1.1 or 1.2 reads as something else than text. */
const NO_TEXT = /^(true|false|yes|no|on|off|y|n|null|inf|nan)$/i;

/** A text as a YAML scalar that stays text, also inside a flow mapping; quoted only where it must be. */
export function yamlText(text: string): string {
  const plain = /^[A-Za-z/][\w./:-]*$/.test(text) && !text.endsWith(':') && !NO_TEXT.test(text);
  return plain ? text : JSON.stringify(text);
}

/** Lines of a block, below a key. */
export function indented(lines: readonly string[], by = '  '): readonly string[] {
  return lines.map((line) => (line === '' ? line : `${by}${line}`));
}
