import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Checked, codeOf, fileFaultOf, refused } from '../kit/diagnostic.ts';
import { isObject, type Json } from '../kit/json.ts';
import type { Fact } from './fact.ts';
import { readText } from './files/read-text.ts';
import { createGroupCommit } from './journal/group-commit.ts';
import { encodeEvent, encodeFact, encodeScore, openJournal } from './journal/journal-file.ts';
import type { JournalEvent } from './journal.ts';
import type { HistoryLine } from './kept-run.ts';
import { type KeepMedia, keeperOfMedia } from './output-files.ts';
import { checkOwn, makeFolder, openToAppend, replaceFile } from './own-files.ts';
import type { Run } from './run.ts';
import type { ScoreLine, VoteLine } from './score.ts';

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

/** What tells a process from others. Null where the system does not say it. */
export interface ProcessName {
  readonly pid: number;
  /** A machine or a container. */
  readonly host: string | null;
  /** The system gives the number of an ended process to another, so the start tells them apart. */
  readonly startedAt: string | null;
}

export interface Processes {
  readonly own: ProcessName;
  /** The process that has this number now. */
  readonly find: (pid: number) => Pick<ProcessName, 'startedAt'> | null;
}

export interface Lock {
  readonly release: () => void;
}

/**
 * No other process then measures, examines or reports into the record. Refuses a record with a link in it, since
 * writing would follow it.
 */
export function lockRecord(folder: string, processes: Processes): Checked<Lock> {
  const own = checkOwn(folder);
  if (!own.ok) return own;
  const path = join(folder, 'lock');
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      writeFileSync(path, `${JSON.stringify(processes.own)}\n`, { flag: 'wx' });
      return { ok: true, value: { release: () => releaseLock(path, processes.own) } };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return refused(`there is no run at ${folder}`, 'name the folder of a run');
      if (codeOf(error) !== 'EEXIST') return refuseWriting(folder, error);
    }
    const owner = lockOwner(path);
    if (isHeld(owner, processes)) return inUse(folder, path, owner, processes);
    clearStaleLock(path, processes.own.pid, owner);
  }
  return refused(`${folder} could not be locked`, 'check that no other process uses it');
}

/**
 * As `lockRecord`, for what may only read. A record that cannot be written to, such as one on a read-only disk, needs
 * no lock: writing there fails by itself.
 */
export function lockToRead(folder: string, processes: Processes): Checked<Lock> {
  if (isWritable(folder)) return lockRecord(folder, processes);
  const unlocked = checkUnlocked(folder, processes);
  return unlocked.ok ? { ok: true, value: { release: () => {} } } : unlocked;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether no other process measures, examines or reports into a record: for those that only read it. */
export function checkUnlocked(folder: string, processes: Processes): Checked<null> {
  const path = join(folder, 'lock');
  const owner = lockOwner(path);
  return isHeld(owner, processes) ? inUse(folder, path, owner, processes) : { ok: true, value: null };
}

function isHeld(owner: ProcessName | null, processes: Processes): owner is ProcessName {
  if (owner === null || owner.pid <= 0) return false;
  // Nobody here can tell whether it runs.
  if (isElsewhere(owner, processes)) return true;
  if (isSame(owner, processes.own)) return false;
  const found = processes.find(owner.pid);
  return found !== null && isSame({ ...owner, startedAt: found.startedAt }, owner);
}

function isElsewhere({ host }: ProcessName, { own }: Processes): boolean {
  return host !== null && own.host !== null && host !== own.host;
}

/** What is not known of one of the two does not tell them apart. */
function isSame(a: ProcessName, b: ProcessName): boolean {
  return a.pid === b.pid && (a.startedAt === null || b.startedAt === null || a.startedAt === b.startedAt);
}

function inUse(folder: string, path: string, owner: ProcessName, processes: Processes): Checked<never> {
  if (isElsewhere(owner, processes)) {
    return refused(
      `${folder} is in use by process ${owner.pid} on ${owner.host}`,
      `wait until it has ended; if it was killed, or that machine is gone, delete ${path}`,
    );
  }
  return refused(
    `${folder} is in use by process ${owner.pid}`,
    `wait until it has ended, or delete ${path} if that process is not Retake`,
  );
}

function refuseWriting(folder: string, error: unknown): Checked<never> {
  const fault = fileFaultOf(error);
  if (fault === null) throw error;
  const remedy = fault.ofPath ? 'name a run in a folder of yours' : fault.remedy;
  return refused(`${folder} cannot be written to (${fault.code})`, remedy);
}

/** The process a lock names; number 0 where it was killed before it wrote its name, null where the lock has gone. */
function lockOwner(path: string): ProcessName | null {
  try {
    const read = readText(path);
    if (!read.ok) return UNNAMED;
    return read.value === null ? null : nameOf(read.value);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

const UNNAMED: ProcessName = { pid: 0, host: null, startedAt: null };

/** The process that a lock names: an object on one line, or the number alone. */
function nameOf(text: string): ProcessName {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return UNNAMED;
  }
  const { pid = 0, host = null, startedAt = null } = isObject(value) ? value : { pid: value };
  return {
    pid: Number.isInteger(pid) ? Number(pid) : 0,
    host: typeof host === 'string' ? host : null,
    startedAt: typeof startedAt === 'string' ? startedAt : null,
  };
}

/** Moves a dead process's lock away: of several that find it only one can, so none removes another's new lock. */
function clearStaleLock(path: string, pid: number, owner: ProcessName | null): void {
  const away = `${path}.${pid}`;
  try {
    renameSync(path, away);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  // Locked again between the look and the move: it is given back.
  if (isDeepStrictEqual(lockOwner(away), owner)) rmSync(away, { force: true });
  else renameSync(away, path);
}

function releaseLock(path: string, own: ProcessName): void {
  if (isDeepStrictEqual(lockOwner(path), own)) rmSync(path, { force: true });
}
