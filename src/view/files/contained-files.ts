import { constants, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, fileFaultOf } from '../../kit/diagnostic.ts';

export interface ContainedFile {
  readonly handle: FileHandle;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** A link is not followed, and a pipe that nobody writes to is not waited for. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The path leads to nothing, to a link, or to what may not be read. */
const ABSENT: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EACCES',
  'EPERM',
  'ENXIO',
  'EISDIR',
  'ENAMETOOLONG',
]);

/** Null without such a regular file, or if a link leads to it. @param names of folders and file, without separators */
export async function openContained(root: string, names: readonly string[]): Promise<ContainedFile | null> {
  if (names.some((name) => !isPlainName(name))) return null;
  try {
    const path = join(await realpath(root), ...names);
    if ((await realpath(path)) !== path) return null;
    const handle = await open(path, FLAGS);
    const stats = await handle.stat();
    if (stats.isFile()) return { handle, bytes: stats.size, modifiedMs: stats.mtimeMs };
    await handle.close();
    return null;
  } catch (error) {
    if (ABSENT.has(codeOf(error) ?? '')) return null;
    throw error;
  }
}

export async function isContainedFolder(root: string, names: readonly string[]): Promise<boolean> {
  if (names.some((name) => !isPlainName(name))) return false;
  try {
    const path = join(await realpath(root), ...names);
    return (await realpath(path)) === path;
  } catch (error) {
    if (ABSENT.has(codeOf(error) ?? '')) return false;
    throw error;
  }
}

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}

/* What cannot be looked at counts as absent: others wrote these files, and any may be gone by now. */

/** Follows links; null if it cannot be read. */
export function statOf(path: string): Stats | null {
  return lookedAt(() => statSync(path, { throwIfNoEntry: false }) ?? null, null);
}

/** Gives `otherwise` if the file system refuses; throws other errors. */
export function lookedAt<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch (error) {
    if (fileFaultOf(error) === null) throw error;
    return otherwise;
  }
}
