import { readFileSync, statSync } from 'node:fs';
import type { Place } from '../../suite/document/diagnostic.ts';
import { clipped, padded, textWidth } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';

/** A tab is as wide wherever it stands. */
const TAB = '  ';
const MARGIN = ' | ';

/** What users declare: suites and targets. Records and media are not shown. */
const DECLARED = /\.ya?ml$/i;
/** Bytes of a file that is read again. */
const LARGEST = 4_000_000;

/** The excerpt of a suite or target file; null of another file, and where it cannot be read any more. */
export function readExcerpt(path: string, place: Pick<Place, 'line' | 'column'>, width: number): Excerpt | null {
  if (!DECLARED.test(path)) return null;
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= LARGEST ? excerpt(readFileSync(path, 'utf8'), place, width) : null;
  } catch {
    return null;
  }
}

/** A line of a file, and below it a caret. */
type Excerpt = readonly [string, string];

/**
 * The line of a text that a diagnostic is about, and a caret below its column; null where the text has no such line. A long
 * line is cut on both sides. Hidden characters are spelled out.
 *
 * @param column from 1, in UTF-16 code units
 * @param width columns of the terminal
 */
export function excerpt(text: string, { line, column }: Pick<Place, 'line' | 'column'>, width: number): Excerpt | null {
  const found = text.split(/\r\n|\n/)[line - 1];
  if (found === undefined || found.trim() === '') return null;
  const number = String(line);
  const room = width - number.length - MARGIN.length - 2;
  const before = shown(found.slice(0, column - 1));
  const after = shown(found.slice(column - 1));
  // What stands before the column keeps two thirds of the room, so that what is wrong can be read.
  const start = lastColumns(before, Math.floor((room * 2) / 3));
  return [
    `  ${number}${MARGIN}${start}${clipped(after, room - textWidth(start))}`,
    `  ${padded('', number.length)}${MARGIN}${padded('', textWidth(start))}^`,
  ];
}

function shown(text: string): string {
  return visibleLine(text.replaceAll('\t', TAB));
}

/** The end of a text in at most so many columns, with an ellipsis where it was cut. */
function lastColumns(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  const characters = [...text];
  let width = 1;
  let from = characters.length;
  while (from > 0) {
    width += textWidth(characters[from - 1] ?? '');
    if (width > columns) break;
    from -= 1;
  }
  return `…${characters.slice(from).join('')}`;
}
