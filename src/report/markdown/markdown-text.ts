import { plural } from '../../text/quantity.ts';
import { visibleLine } from '../../text/visible.ts';

/** What stands between a sign and what it would refer to: not seen, and not a part of any name. GitHub ignores a backslash there. */
const BREAK = '&#8203;';

/** The colon of a name that GitHub replaces by an emoji: `:ok:`, `:100:`, `:+1:`. A time, `12:30:00`, has none. */
const EMOJI = /:(?=(?:[\w+-]*[a-z][\w+-]*|[+-]1|100|1234):)/gi;

/**
 * Hostile text as GitHub Flavored Markdown shows it: on one line, with every character escaped that could end a cell, begin
 * markup, a tag or a link, and nothing left that GitHub makes a mention, a reference, an emoji or an address of.
 */
export function markdownText(hostile: string): string {
  return visibleLine(hostile)
    .trim()
    .replace(/[\\`*_[\]<>|~&#@$!]/g, '\\$&')
    .replace(/@(?=\w)|#(?=\d)|\bGH-(?=\d)/gi, `$&${BREAK}`)
    .replace(EMOJI, `:${BREAK}`)
    .replaceAll('://', ':\\/\\/')
    .replace(/www\./gi, (found) => `${found.slice(0, 3)}\\.`)
    .replace(/^[-+=]/, '\\$&')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2');
}

/** A table of at most so many rows; every cell is hostile text. `noun` names a row where there are more. */
export function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  noun: string,
  most: number,
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownText).join(' | ')} |`;
  const shown = rows.slice(0, most);
  const more = rows.length - shown.length;
  return [
    line(heads),
    `|${heads.map(() => ' --- |').join('')}`,
    ...shown.map(line),
    ...(more > 0 ? ['', `and ${plural(more, `more ${noun}`)}`] : []),
  ];
}

/** At most so many items of a list, already Markdown. `noun` names one where there are more. */
export function markdownList(items: readonly string[], noun: string, most: number): readonly string[] {
  const more = items.length - most;
  return [
    ...items.slice(0, most).map((item) => `- ${item}`),
    ...(more > 0 ? [`- and ${plural(more, `more ${noun}`)}`] : []),
  ];
}

/** Lines that a reader opens with a click; nothing without lines. `summary` is plain words without markup. */
export function markdownFold(summary: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`<details><summary>${summary}</summary>`, '', ...lines, '', '</details>'];
}
