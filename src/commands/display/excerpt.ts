import { readFileSync, statSync } from 'node:fs';
import type { Place } from '../../suite/document/diagnostic.ts';
import { clipped, padded, textWidth } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';

const TAB = '  ';
const MARGIN = ' | ';

/** Suites and targets, which users write; records and media are not shown. */
const DECLARED = /\.ya?ml$/i;
const LARGEST = 4_000_000;

/** Null for files other than suites and targets, and if the file can no longer be read. */
export function readExcerpt(path: string, place: Pick<Place, 'line' | 'column'>, width: number): Excerpt | null {
  if (!DECLARED.test(path)) return null;
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= LARGEST ? excerpt(readFileSync(path, 'utf8'), place, width) : null;
  } catch {
    return null;
  }
}

type Excerpt = readonly [string, string];

/**
 * Null if the text has no such line. A long line is cut on both sides.
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
  // Two thirds of the width before the column, so that the error can be read.
  const start = lastColumns(before, Math.floor((room * 2) / 3));
  return [
    `  ${number}${MARGIN}${start}${clipped(after, room - textWidth(start))}`,
    `  ${padded('', number.length)}${MARGIN}${padded('', textWidth(start))}^`,
  ];
}

function shown(text: string): string {
  return visibleLine(text.replaceAll('\t', TAB));
}

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
