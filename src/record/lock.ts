import { accessSync, constants, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Checked, codeOf, fileFaultOf, refused } from '../kit/diagnostic.ts';
import { isObject, type Json } from '../kit/json.ts';
import { checkOwn } from './files/own-files.ts';
import { readText } from './files/read-text.ts';

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
