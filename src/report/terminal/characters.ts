const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** A bar of one column. @param level its height, from 0 to 1 */
export function bar(level: number): string {
  return BARS[Math.max(0, Math.min(BARS.length - 1, Math.floor(level * BARS.length)))] ?? BARS[0];
}

/** What stands for a character that only Unicode has, one for one: a line keeps its width. Bars are marks of growing weight. */
const IN_ASCII: Readonly<Record<string, string>> = {
  '▁': '.',
  '▂': ':',
  '▃': '-',
  '▄': '=',
  '▅': '+',
  '▆': '*',
  '▇': '%',
  '█': '#',
  '–': '-',
  '…': '~',
  '≤': '<',
  '×': 'x',
  '\u202f': ' ',
};

/** The text, with the characters of our own words in ASCII where the terminal shows only that. */
export function inCharactersOf(text: string, { ascii }: { readonly ascii?: boolean | undefined }): string {
  return ascii === true ? text.replaceAll(/[▁-█–…≤×\u202f]/g, (found) => IN_ASCII[found] ?? found) : text;
}
