import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  accepted,
  type Checked,
  checked,
  type Diagnostic,
  formatDiagnostic,
  type Place,
} from '../../kit/diagnostic.ts';
import { groupBy } from '../../kit/grouping.ts';
import { clipped, padded, textWidth } from '../../kit/text-width.ts';
import { visibleLine } from '../../kit/visible.ts';
import { count } from '../../kit/wording.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../edge.ts';

const TAB = '  ';
const MARGIN = ' | ';

/** Suites and targets. Records and media are not shown. */
const DECLARED = /\.ya?ml$/i;
const LARGEST = 4_000_000;

/** Null for files other than suites and targets, and if the file can no longer be read. */
function readExcerpt(path: string, place: Pick<Place, 'line' | 'column'>, width: number): Excerpt | null {
  if (!DECLARED.test(path)) return null;
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= LARGEST ? excerpt(readFileSync(path, 'utf8'), place, width) : null;
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
  const lineText = text.split(/\r\n|\n/)[line - 1];
  if (lineText === undefined || lineText.trim() === '') return null;
  const number = String(line);
  const room = width - number.length - MARGIN.length - 2;
  const before = shown(lineText.slice(0, column - 1));
  const after = shown(lineText.slice(column - 1));
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

/** More diagnostics mostly have one cause. */
const MOST_PRINTED = 100;
/** Columns of a cause, which may quote a whole file. */
const LONGEST_CAUSE = 600;

const MOST_EXCERPTS = 20;

/** Of more errors of a file with one remedy, the first few are printed. */
const MOST_ALIKE = 10;
const SHOWN_OF_ALIKE = 3;

/** Prints up to a hundred errors by file and line, the first with the line of the file; gives the exit code. */
export function printDiagnostics(
  { err, cwd, showsExcerpts }: Pick<Edge, 'err' | 'cwd' | 'showsExcerpts'>,
  diagnostics: readonly Diagnostic[],
): ExitCode {
  const { told, untold } = withoutRepeats(inOrder(diagnostics));
  for (const [at, diagnostic] of told.slice(0, MOST_PRINTED).entries()) {
    const cause = clipped(diagnostic.cause, LONGEST_CAUSE);
    printSentence(err, formatDiagnostic({ ...diagnostic, cause }));
    if (!showsExcerpts || at >= MOST_EXCERPTS || diagnostic.place === null) continue;
    const lines = readExcerpt(resolve(cwd, diagnostic.place.file), diagnostic.place, err.width) ?? [];
    for (const line of lines) err.write(`${line}\n`);
  }
  for (const group of untold) {
    const [{ place, remedy } = { place: null, remedy: '' }] = group;
    printSentence(
      err,
      `${place === null ? '' : `${place.file}: `}${count(group.length)} more errors with the same remedy; ${remedy}`,
    );
  }
  if (told.length > MOST_PRINTED) printSentence(err, `and ${told.length - MOST_PRINTED} more; fix these first`);
  return EXIT.misuse;
}

/** Of many errors of a file that one remedy mends, the first; `untold` has the others of each such group. */
function withoutRepeats(diagnostics: readonly Diagnostic[]): {
  readonly told: readonly Diagnostic[];
  readonly untold: readonly (readonly Diagnostic[])[];
} {
  const alike = groupBy(diagnostics, ({ place, remedy }) => JSON.stringify([place?.file ?? null, remedy]));
  const untold = [...alike.values()].flatMap((group) =>
    group.length > MOST_ALIKE ? [group.slice(SHOWN_OF_ALIKE)] : [],
  );
  const isUntold = new Set(untold.flat());
  return { told: diagnostics.filter((diagnostic) => !isUntold.has(diagnostic)), untold };
}

/** Gives the exit code of a command, and prints the errors that ended it. */
export async function exitCodeOf(
  command: () => Promise<ExitCode>,
  edge: Pick<Edge, 'err' | 'cwd' | 'showsExcerpts'>,
): Promise<ExitCode> {
  const ended = await checked(command);
  return ended.ok ? ended.value : printDiagnostics(edge, ended.diagnostics);
}

function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = [...new Set(diagnostics.map(({ place }) => place?.file ?? null))];
  const rankOf = ({ place }: Diagnostic) => (place === null ? -1 : files.indexOf(place.file));
  return diagnostics.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
      (a.place?.column ?? 0) - (b.place?.column ?? 0),
  );
}

/** Prints the warnings. Throws what was refused. */
export function withWarnings<T>(edge: Pick<Edge, 'err'>, result: Checked<T>): T {
  if (result.ok) printWarnings(edge, result.warnings);
  return accepted(result);
}

/** Wrong arguments of a command: a sentence and exit code 2. */
export function misuse({ err }: Pick<Edge, 'err'>, command: string, sentence: string): ExitCode {
  printSentence(err, `retake ${command}: ${sentence}`);
  return EXIT.misuse;
}

export function printWarnings({ err }: Pick<Edge, 'err'>, warnings: readonly Diagnostic[] = []): void {
  for (const warning of warnings) printSentence(err, `warning: ${formatDiagnostic(warning)}`);
}

export const NOT_EXAMINED = 'interrupted: some outputs were not examined; retake report examines the rest';
