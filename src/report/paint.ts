import type { Tone } from '../gate/verdict-statement.ts';
import { clipped, padded, shortened, textWidth } from '../kit/text-width.ts';

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
  return ascii === true ? text.replaceAll(/[▁-█–…≤×]/g, (character) => IN_ASCII[character] ?? character) : text;
}

/** Below its number, the interval or the reason why there is none. */
export interface TableCell {
  readonly value: string;
  readonly evidence: string;
}

/** The name is hostile text, already made visible. */
export interface TableRow {
  readonly name: string;
  readonly cells: readonly TableCell[];
}

/** Columns of a name in a table. */
export const NARROWEST_NAME = 8;
export const WIDEST_NAME = 28;

/** Where `width` columns are too narrow, a line for each number. */
export function tableLines(
  title: string,
  heads: readonly string[],
  rows: readonly TableRow[],
  width: number,
  paint: Paint,
): readonly string[] {
  const columns = heads.map((label, index) =>
    Math.max(
      textWidth(label),
      ...rows.map(({ cells }) =>
        Math.max(textWidth(cells[index]?.value ?? ''), textWidth(cells[index]?.evidence ?? '')),
      ),
    ),
  );
  const room = width - columns.reduce((sum, column) => sum + column + GAP.length, 0);
  if (room < NARROWEST_NAME) {
    return [paint('bold', title), ...rows.flatMap((row) => stacked(row, heads, width, paint))];
  }
  // A name that does not fit beside its numbers has a line of its own, above them.
  const first = Math.max(
    ...rows.map(({ name }) => textWidth(name)).filter((width) => width <= Math.min(room, WIDEST_NAME)),
    NARROWEST_NAME,
  );
  const line = (start: string, texts: readonly string[]): string =>
    [padded(clipped(start, first), first), ...texts.map((text, index) => padded(text, columns[index] ?? 0))].join(GAP);
  return [
    paint('bold', title),
    paint('dim', line('', heads)),
    ...rows.flatMap(({ name, cells }) => {
      const beside = textWidth(name) <= first;
      const values = cells.map(({ value }) => value);
      const evidence = cells.map((cell) => cell.evidence);
      return [
        ...(beside ? [] : [shortened(name, width)]),
        line(beside ? name : '', values),
        ...(evidence.some((text) => text !== '') ? [paint('dim', line('', evidence))] : []),
      ];
    }),
  ];
}

function stacked({ name, cells }: TableRow, heads: readonly string[], width: number, paint: Paint): readonly string[] {
  const widest = Math.max(...heads.map(textWidth));
  return [
    shortened(name, width),
    ...cells.flatMap(({ value, evidence }, index) => {
      if (value === '' && evidence === '') return [];
      const start = `${GAP}${padded(heads[index] ?? '', widest)}${GAP}${value}`;
      return start + paint('dim', clipped(evidence === '' ? '' : `${GAP}${evidence}`, width - textWidth(start)));
    }),
  ];
}
