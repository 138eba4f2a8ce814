import { appendFileSync, closeSync, fstatSync, ftruncateSync, mkdirSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, openToAppend, replaceFile } from './files/own-files.ts';
import { createGroupCommit } from './journal/group-commit.ts';
import { encodeEvent, encodeFact, encodeScore, openJournal } from './journal/journal-file.ts';
import type { Fact } from './model/fact.ts';
import type { HistoryLine } from './model/history-line.ts';
import type { JournalEvent } from './model/journal.ts';
import type { Run } from './model/run.ts';
import type { ScoreLine } from './model/score.ts';
import type { VoteLine } from './model/vote.ts';
import { type KeepMedia, keeperOfMedia } from './outputs/output-files.ts';

/*
 * What a run writes into results/<suite>/<run>/; read-record.ts reads it back. results/README.md documents every file
 * and field.
 */

/** What is written has reached the operating system. */
export interface RecordWriter {
  readonly folder: string;
  /** It is written, after those that wait, when this returns. */
  readonly append: (event: JournalEvent) => void;
  /** Writes an event together with others of this turn of the event loop; resolves once it is written. */
  readonly commit: (event: JournalEvent) => Promise<void>;
  readonly keepMedia: KeepMedia;
  readonly close: () => void;
}

/** Throws when the folder is there already. */
export function createRecord(resultsFolder: string, run: Run): RecordWriter {
  const folder = join(resultsFolder, run.suite.name, run.id);
  makeFolder(dirname(folder));
  mkdirSync(folder);
  mkdirSync(join(folder, 'thumbs'));
  // A process that is killed leaves a whole run.json, or none.
  replaceFile(join(folder, 'run.json'), `${JSON.stringify(run, null, 2)}\n`);
  return openWriter(folder);
}

/** For a run that ended early. A last line that its writer was killed in is cut off first. */
export function reopenRecord(folder: string): RecordWriter {
  append(join(folder, 'journal.jsonl'), '', 0o600);
  return openWriter(folder);
}

function openWriter(folder: string): RecordWriter {
  const journal = openJournal(join(folder, 'journal.jsonl'));
  const keepMedia = keeperOfMedia(folder);
  const group = createGroupCommit(journal.append);
  return {
    folder,
    append: (event) => {
      group.flush();
      journal.append(encodeEvent(event));
    },
    commit: async (event) => group.add(encodeEvent(event)),
    keepMedia,
    close: () => {
      try {
        group.flush();
      } finally {
        journal.close();
      }
    },
  };
}

/** A last line that its writer was killed in is cut off first. */
export function appendFacts(folder: string, facts: readonly Fact[]): void {
  append(join(folder, 'facts.jsonl'), facts.map(encodeFact).join(''));
}

/** A last line that its writer was killed in is cut off first. */
export function appendScores(folder: string, lines: readonly ScoreLine[]): void {
  for (let from = 0; from < lines.length; from += GROUP) {
    append(
      join(folder, 'scores.jsonl'),
      lines
        .slice(from, from + GROUP)
        .map(encodeScore)
        .join(''),
    );
  }
}

/** A last line that its writer was killed in is cut off first. */
export function appendVotes(folder: string, lines: readonly VoteLine[]): void {
  if (lines.length > 0) append(join(folder, 'votes.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/**
 * Writes all lines at once, so that runs that end together keep apart.
 *
 * @param folder of the suite: `results/<suite>`
 */
export function appendHistory(folder: string, lines: readonly HistoryLine[]): void {
  if (lines.length === 0) return;
  append(join(folder, 'history.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/**
 * Cuts a file of lines back to the end of its last whole line, then appends. Throws the error of the system, with its
 * path.
 */
function append(path: string, lines: string, mode?: number): void {
  const file = openToAppend(path, mode);
  try {
    const { size } = fstatSync(file);
    const end = endOfLines(file, size);
    if (end < size) ftruncateSync(file, end);
    appendFileSync(file, lines);
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  } finally {
    closeSync(file);
  }
}

/** A reader never sees half of it. */
export function writeHistory(folder: string, lines: readonly HistoryLine[]): void {
  replaceFile(join(folder, 'history.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** The end of the last whole line, read back in pieces: a torn line may be as long as the largest reply. */
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

/** Lines are encoded in groups: those of a long file make no one text. */
const GROUP = 1000;

const PIECE_BYTES = 1 << 16;
const NEWLINE = 0x0a;
