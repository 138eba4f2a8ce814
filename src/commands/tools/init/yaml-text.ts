/** Words that YAML 1.1 or 1.2 does not read as text. */
const NO_TEXT = /^(true|false|yes|no|on|off|y|n|null|inf|nan)$/i;

/** Quoted only if needed, also valid inside a flow mapping. */
export function yamlText(text: string): string {
  const plain = /^[A-Za-z/][\w./:-]*$/.test(text) && !text.endsWith(':') && !NO_TEXT.test(text);
  return plain ? text : JSON.stringify(text);
}
