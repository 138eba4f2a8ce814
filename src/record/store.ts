import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from './files/make-folder.ts';
import { createGroupCommit } from './journal/group-commit.ts';
import { encodeEvent, encodeFact } from './journal/journal-codec.ts';
import { openJournal } from './journal/journal-file.ts';
import type { Fact } from './model/fact.ts';
import type { HistoryLine } from './model/history-line.ts';
import type { JournalEvent } from './model/journal.ts';
import type { Run } from './model/run.ts';
import { type KeepMedia, keeperOfMedia } from './outputs/output-files.ts';

/*
 * What a run writes into results/<suite>/<run>/; read-record.ts reads it back. results/README.md documents every file and field.
 */

/** An open record that a run is being written to. What is written has reached the operating system. */
export interface RecordWriter {
  readonly folder: string;
  /** Writes an event to the journal, after those that wait; it is written when this returns. */
  readonly append: (event: JournalEvent) => void;
  /** Writes an event together with others of this turn of the event loop; resolves once it is written. */
  readonly commit: (event: JournalEvent) => Promise<void>;
  readonly keepMedia: KeepMedia;
  readonly close: () => void;
}

/** Creates the folder of a new run, writes run.json and opens the journal. Throws when the folder is there already. */
export function createRecord(resultsFolder: string, run: Run): RecordWriter {
  const folder = join(resultsFolder, run.suite.name, run.id);
  makeFolder(dirname(folder));
  mkdirSync(folder);
  mkdirSync(join(folder, 'thumbs'));
  const path = join(folder, 'run.json');
  writeFileSync(`${path}.part`, `${JSON.stringify(run, null, 2)}\n`);
  // A process that is killed leaves a whole run.json, or none.
  renameSync(`${path}.part`, path);
  return openWriter(folder);
}

/** Opens the record of a run that ended early, to write on. A last line that its writer was killed in is cut off first. */
export function reopenRecord(folder: string): RecordWriter {
  cutTornLine(join(folder, 'journal.jsonl'));
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

/** Appends what examination found. A last line that its writer was killed in is cut off first. */
export function appendFacts(folder: string, facts: readonly Fact[]): void {
  const path = join(folder, 'facts.jsonl');
  cutTornLine(path);
  append(path, facts.map(encodeFact).join(''));
}

/**
 * Appends the lines of runs to the history of their suite, in one write, so that runs that end together keep apart.
 *
 * @param folder of the suite: `results/<suite>`
 */
export function appendHistory(folder: string, lines: readonly HistoryLine[]): void {
  if (lines.length === 0) return;
  const path = join(folder, 'history.jsonl');
  cutTornLine(path);
  append(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Throws the error of the system, with its path. */
function append(path: string, lines: string): void {
  try {
    appendFileSync(path, lines);
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}

/** Writes the history of a suite in place of the one before. A reader never sees half of it. */
export function writeHistory(folder: string, lines: readonly HistoryLine[]): void {
  const path = join(folder, 'history.jsonl');
  const part = `${path}.part`;
  writeFileSync(part, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  renameSync(part, path);
}

/** Cuts a file of lines back to the end of its last whole line. */
function cutTornLine(path: string): void {
  if (!existsSync(path)) return;
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    let end = size;
    while (end > 0 && readSync(file, last, 0, 1, end - 1) === 1 && last[0] !== NEWLINE) end -= 1;
    if (end < size) ftruncateSync(file, end);
  } finally {
    closeSync(file);
  }
}

const NEWLINE = 0x0a;
