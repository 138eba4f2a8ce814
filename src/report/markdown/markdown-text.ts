import { visibleLine } from '../../kit/visible.ts';
import { plural } from '../../kit/wording.ts';

/** Keeps a sign from its reference: invisible, in no name. GitHub ignores a backslash there. */
const BREAK = '&#8203;';

/** The colon of a name that GitHub makes an emoji: `:ok:`, `:100:`, `:+1:`. A time, `12:30:00`, has none. */
const EMOJI = /:(?=(?:[\w+-]*[a-z][\w+-]*|[+-]1|100|1234):)/gi;

/** Escapes hostile text for GitHub Flavored Markdown, on one line: no markup, link, mention, reference or emoji. */
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

/** Cells are hostile text. `noun` names a row where some are left out. */
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

/** Items are Markdown already. `noun` names one where some are left out. */
export function markdownList(items: readonly string[], noun: string, most: number): readonly string[] {
  const more = items.length - most;
  return [
    ...items.slice(0, most).map((item) => `- ${item}`),
    ...(more > 0 ? [`- and ${plural(more, `more ${noun}`)}`] : []),
  ];
}

/** `summary` is plain words without markup; nothing without lines. */
export function markdownFold(summary: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`<details><summary>${summary}</summary>`, '', ...lines, '', '</details>'];
}
