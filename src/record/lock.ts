import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Checked, refused } from '../suite/document/diagnostic.ts';
import { codeOf, fileFaultOf } from '../suite/document/file-fault.ts';
import { readText } from './read-text.ts';

/** Claims the record for this process, so that no other measures, examines or reports into it at the same time. */
export function lockRecord(
  folder: string,
  pid: number,
  isRunning: (pid: number) => boolean,
): Checked<{ release: () => void }> {
  const path = join(folder, 'lock');
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      writeFileSync(path, `${pid}\n`, { flag: 'wx' });
      return { ok: true, value: { release: () => releaseLock(path, pid) } };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return refused(`there is no run at ${folder}`, 'name the folder of a run');
      if (codeOf(error) !== 'EEXIST') return refuseWriting(folder, error);
    }
    const owner = lockOwner(path);
    if (isHeld(owner, pid, isRunning)) return inUse(folder, path, owner);
    clearStaleLock(path, pid, owner);
  }
  return refused(`${folder} could not be locked`, 'check that no other process uses it');
}

/** Whether no other process measures, examines or reports into a record: for those that only read it. */
export function checkUnlocked(folder: string, pid: number, isRunning: (pid: number) => boolean): Checked<null> {
  const path = join(folder, 'lock');
  const owner = lockOwner(path);
  return isHeld(owner, pid, isRunning) ? inUse(folder, path, owner) : { ok: true, value: null };
}

function refuseWriting(folder: string, error: unknown): Checked<never> {
  const fault = fileFaultOf(error);
  if (fault === null) throw error;
  const remedy = fault.ofPath ? 'name a run in a folder of yours' : fault.remedy;
  return refused(`${folder} cannot be written to (${fault.code})`, remedy);
}

function isHeld(owner: number | null, pid: number, isRunning: (pid: number) => boolean): owner is number {
  return owner !== null && owner > 0 && owner !== pid && isRunning(owner);
}

function inUse(folder: string, path: string, owner: number): Checked<never> {
  return refused(
    `${folder} is in use by process ${owner}`,
    `wait until it has ended, or delete ${path} if that process is not Retake`,
  );
}

/** The process a lock names; 0 where it was killed before it wrote its name, null where the lock has gone. */
function lockOwner(path: string): number | null {
  try {
    const read = readText(path);
    if (!read.ok) return 0;
    if (read.value === null) return null;
    const owner = Number(read.value);
    return Number.isInteger(owner) ? owner : 0;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Moves a dead process's lock away: of several that find it only one can, so none removes another's new lock. */
function clearStaleLock(path: string, pid: number, owner: number | null): void {
  const away = `${path}.${pid}`;
  try {
    renameSync(path, away);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  // Locked again between the look and the move: it is given back.
  if (lockOwner(away) === owner) rmSync(away, { force: true });
  else renameSync(away, path);
}

function releaseLock(path: string, pid: number): void {
  if (lockOwner(path) === pid) rmSync(path, { force: true });
}
