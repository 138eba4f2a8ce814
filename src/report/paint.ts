import type { Tone } from './gate-words.ts';

export interface TerminalOptions {
  readonly colour: boolean;
  /** In columns; at least `NARROWEST` are used. */
  readonly width: number;
  /** Whether the terminal shows only ASCII; by default false. */
  readonly ascii?: boolean | undefined;
}

const STYLES = { bold: '1', dim: '2', red: '31', yellow: '33', green: '32' } as const;

export type PaintStyle = keyof typeof STYLES;

export type Paint = (style: PaintStyle, text: string) => string;

export function painter({ colour }: Pick<TerminalOptions, 'colour'>): Paint {
  return (style, text) => (colour && text !== '' ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text);
}

/** The style of what is good, needs care, is bad, or says nothing. */
export function toneStyle(tone: Tone): PaintStyle {
  return tone === null ? 'dim' : TONE_STYLES[tone];
}

const TONE_STYLES = { good: 'green', warn: 'yellow', bad: 'red' } as const;

/** Between columns, and before lines that belong to the line above. */
export const GAP = '  ';

export const NARROWEST = 40;

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

/** A blank line between blocks; those without lines are left out. Ends with a line feed. */
export function printed(blocks: readonly (readonly string[])[], options: Pick<TerminalOptions, 'ascii'>): string {
  const texts = blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.trimEnd()).join('\n'));
  // Only kept lines from being broken there.
  return inCharactersOf(`${texts.join('\n\n')}\n`.replaceAll('\u00a0', ' '), options);
}

/** Replaces characters of our own words where the terminal shows only ASCII. */
export function inCharactersOf(text: string, { ascii }: { readonly ascii?: boolean | undefined }): string {
  return ascii === true ? text.replaceAll(/[▁-█–…≤×\u202f]/g, (found) => IN_ASCII[found] ?? found) : text;
}
