import { appendFileSync, closeSync, fstatSync, ftruncateSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact } from './fact.ts';
import type { JournalEvent } from './journal.ts';
import type { HistoryLine } from './kept-run.ts';
import { atPath, openToAppend, replaceFile } from './own-files.ts';
import { modeOf } from './own-names.ts';
import type { ScoreLine, VoteLine } from './score.ts';

/** What a line is in each file of lines that Retake writes; read-record.ts reads them. */
export interface LineOf {
  readonly 'journal.jsonl': JournalEvent;
  readonly 'facts.jsonl': Fact;
  readonly 'scores.jsonl': ScoreLine;
  readonly 'votes.jsonl': VoteLine;
  /** In `results/<suite>`, beside the runs. */
  readonly 'history.jsonl': HistoryLine;
}

export type LinesName = keyof LineOf;

/** With newline. */
export function encodeLine(line: LineOf[LinesName]): string {
  return `${JSON.stringify(line)}\n`;
}

/** So many are encoded as one text, and appended in one write: lines of runs that end together do not mix. */
const GROUP = 1000;

/** Appends after dropping an unfinished last line; nothing without lines. Throws the system's error, with its path. */
export function appendLines<Name extends LinesName>(folder: string, name: Name, lines: readonly LineOf[Name][]): void {
  if (lines.length === 0) return;
  const path = join(folder, name);
  const file = openLines(path, modeOf(name));
  try {
    for (let from = 0; from < lines.length; from += GROUP) {
      const group = lines.slice(from, from + GROUP);
      appendFileSync(file, group.map(encodeLine).join(''));
    }
  } catch (error) {
    throw atPath(error, path);
  } finally {
    closeSync(file);
  }
}

/** Replaces the file at once: readers never see half of it. */
export function writeLines<Name extends LinesName>(folder: string, name: Name, lines: readonly LineOf[Name][]): void {
  replaceFile(join(folder, name), lines.map(encodeLine).join(''), modeOf(name));
}

/** Opens a file of lines to append, or makes it; drops an unfinished last line. */
export function openLines(path: string, mode: number): number {
  const file = openToAppend(path, mode);
  try {
    const { size } = fstatSync(file);
    const end = endOfLines(file, size);
    if (end < size) ftruncateSync(file, end);
    return file;
  } catch (error) {
    closeSync(file);
    throw atPath(error, path);
  }
}

const PIECE_BYTES = 1 << 16;
const NEWLINE = 0x0a;

/** End of the last complete line, searched in pieces: an unfinished one may be as long as the largest reply. */
function endOfLines(file: number, size: number): number {
  const piece = Buffer.alloc(PIECE_BYTES);
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - PIECE_BYTES);
    const last = piece.subarray(0, readSync(file, piece, 0, end - from, from)).lastIndexOf(NEWLINE);
    if (last >= 0) return from + last + 1;
    end = from;
  }
  return 0;
}
