import { accessSync, constants, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Checked, codeOf, fileFaultOf, refused } from '../kit/diagnostic.ts';
import { isObject, type Json } from '../kit/json.ts';
import { openJournal } from './journal/journal-file.ts';
import type { JournalEvent } from './journal.ts';
import { encodeLine } from './line-files.ts';
import { type KeepMedia, keeperOfMedia } from './output-files.ts';
import { checkOwn, makeFolder, readText, replaceFile } from './own-files.ts';
import { HEADER, JOURNAL, removeParts } from './own-names.ts';
import type { Run } from './run.ts';

interface GroupCommit {
  /** Resolves once the line is written; rejects if its group cannot be. */
  readonly add: (line: string) => Promise<void>;
  readonly flush: () => void;
}

interface WaitingWrite {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes all lines of one turn of the event loop in one call (group commit, as in the logs of databases): on a slow
 * disk more calls end per turn, so groups grow with the need. `write` is synchronous.
 */
export function createGroupCommit(write: (lines: string) => void): GroupCommit {
  let lines: string[] = [];
  let waiting: WaitingWrite[] = [];

  const flush = (): void => {
    if (lines.length === 0) return;
    const group = waiting;
    const text = lines.join('');
    lines = [];
    waiting = [];
    try {
      write(text);
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const { resolve } of group) resolve();
  };

  return {
    add: (line) =>
      new Promise((resolve, reject) => {
        if (lines.length === 0) setImmediate(flush);
        lines.push(line);
        waiting.push({ resolve, reject });
      }),
    flush,
  };
}

/*
 * What a run writes into results/<suite>/<run>/; read-record.ts reads it. results/README.md documents files and fields.
 */

/** Writes reach the operating system before they return. */
export interface RecordWriter {
  readonly folder: string;
  /** Returns after writing, behind events that wait. */
  readonly append: (event: JournalEvent) => void;
  /** Writes together with other events of this turn of the event loop; resolves once written. */
  readonly commit: (event: JournalEvent) => Promise<void>;
  readonly keepMedia: KeepMedia;
  readonly close: () => void;
}

/** Throws if the folder exists. */
export function createRecord(resultsFolder: string, run: Run): RecordWriter {
  const folder = join(resultsFolder, run.suite.name, run.id);
  makeFolder(dirname(folder));
  mkdirSync(folder);
  mkdirSync(join(folder, 'thumbs'));
  // A killed process and a power cut leave a complete run.json, or none: without it no journal can be read.
  replaceFile(join(folder, HEADER), `${JSON.stringify(run, null, 2)}\n`, 0o666, true);
  return reopenRecord(folder);
}

/** Opens the record of a run that ended early. Drops an unfinished last line. */
export function reopenRecord(folder: string): RecordWriter {
  const journal = openJournal(join(folder, JOURNAL));
  const keepMedia = keeperOfMedia(folder);
  const group = createGroupCommit(journal.append);
  return {
    folder,
    append: (event) => {
      group.flush();
      journal.append(encodeLine(event));
    },
    commit: async (event) => group.add(encodeLine(event)),
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

/** Identifies a process; null if the system does not say. */
export interface ProcessName {
  readonly pid: number;
  /** A machine or a container. */
  readonly host: string | null;
  /** Distinguishes processes with one number: systems reuse numbers. */
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
 * Keeps other processes from measuring, examining or reporting into the record. Refuses one with a link, which writing
 * would follow.
 */
export function lockRecord(folder: string, processes: Processes): Checked<Lock> {
  const checked = checkOwn(folder);
  if (!checked.ok) return checked;
  const path = join(folder, 'lock');
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      writeFileSync(path, `${JSON.stringify(processes.own)}\n`, { flag: 'wx' });
      removeParts(folder);
      const release = () => {
        if (isDeepStrictEqual(lockOwner(path), processes.own)) rmSync(path, { force: true });
      };
      return { ok: true, value: { release } };
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

/** As `lockRecord`, for readers. A record that cannot be written to, as on a read-only disk, needs no lock. */
export function lockToRead(folder: string, processes: Processes): Checked<Lock> {
  return isWritable(folder) ? lockRecord(folder, processes) : onlyRead(folder, processes);
}

/** For a command that writes nothing into the record: refuses one that another process uses, and leaves no lock. */
export function onlyRead(folder: string, processes: Processes): Checked<Lock> {
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

/** For readers: whether no other process measures, examines or reports into the record. */
export function checkUnlocked(folder: string, processes: Processes): Checked<null> {
  const path = join(folder, 'lock');
  const owner = lockOwner(path);
  return isHeld(owner, processes) ? inUse(folder, path, owner, processes) : { ok: true, value: null };
}

function isHeld(owner: ProcessName | null, processes: Processes): owner is ProcessName {
  if (owner === null || owner.pid <= 0) return false;
  // Cannot be checked from this machine.
  if (isElsewhere(owner, processes)) return true;
  if (isSame(owner, processes.own)) return false;
  const running = processes.find(owner.pid);
  return running !== null && isSame({ ...owner, startedAt: running.startedAt }, owner);
}

function isElsewhere({ host }: ProcessName, { own: thisProcess }: Processes): boolean {
  return host !== null && thisProcess.host !== null && host !== thisProcess.host;
}

/** Unknown parts do not distinguish. */
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

/** The process of a lock; number 0 if killed before it wrote its name, null if the lock is gone. */
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

/** A JSON object on one line, or only the number. */
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

/** Renames a dead process's lock: of several processes only one succeeds, so none removes a new lock. */
function clearStaleLock(path: string, pid: number, owner: ProcessName | null): void {
  const away = `${path}.${pid}`;
  try {
    renameSync(path, away);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  // Locked again in the meantime: the lock is given back.
  if (isDeepStrictEqual(lockOwner(away), owner)) rmSync(away, { force: true });
  else renameSync(away, path);
}
