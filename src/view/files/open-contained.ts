import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../kit/diagnostic.ts';

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

/**
 * Null if there is no such regular file, or if a link leads to it.
 * @param names of the folders and the file, one below the other; each without a separator
 */
export async function openContained(root: string, names: readonly string[]): Promise<ContainedFile | null> {
  if (names.some((name) => !isPlainName(name))) return null;
  try {
    const path = join(await realpath(root), ...names);
    if ((await realpath(path)) !== path) return null;
    const handle = await open(path, FLAGS);
    const found = await handle.stat();
    if (found.isFile()) return { handle, bytes: found.size, modifiedMs: found.mtimeMs };
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
