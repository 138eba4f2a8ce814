const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** One column wide. @param level the height, from 0 to 1 */
export function bar(level: number): string {
  return BARS[Math.max(0, Math.min(BARS.length - 1, Math.floor(level * BARS.length)))] ?? BARS[0];
}

/** One for one, so a line keeps its width. Bars become marks of growing weight. */
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

/** Replaces characters of our own words where the terminal shows only ASCII. */
export function inCharactersOf(text: string, { ascii }: { readonly ascii?: boolean | undefined }): string {
  return ascii === true ? text.replaceAll(/[▁-█–…≤×\u202f]/g, (found) => IN_ASCII[found] ?? found) : text;
}
