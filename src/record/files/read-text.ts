import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { type Checked, codeOf, refused } from '../../kit/diagnostic.ts';

/** Far more than a run.json or a baseline of 100,000 cells; strings of Node are not much longer. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Opening never waits for a pipe, and never follows a link to a file outside. Without flags: no pipes, no links. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** The text of a file of a record; null if missing. Refuses a link, an irregular file, and one that is too large. */
export function readText(path: string): Checked<string | null> {
  const opened = openRegular(path);
  if (!opened.ok) return opened;
  if (opened.value === null) return { ok: true, value: null };
  const { file, bytes } = opened.value;
  try {
    if (bytes > MOST_BYTES) {
      return refused(`${path} is larger than ${MOST_BYTES / 1024 / 1024} MiB`, 'restore it, or name another');
    }
    return { ok: true, value: readFileSync(file, 'utf8') };
  } finally {
    closeSync(file);
  }
}

export interface OpenedFile {
  readonly file: number;
  readonly bytes: number;
}

/** Opens a file of a record without waiting; null if missing. Refuses a link, a folder, a device and a pipe. */
export function openRegular(path: string): Checked<OpenedFile | null> {
  let file: number;
  try {
    file = openSync(path, FLAGS);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: true, value: null };
    if (code === 'ENXIO' || code === 'EISDIR') return notRegular(path);
    if (code === 'ELOOP') return linkFault(path);
    throw error;
  }
  const stats = fstatSync(file);
  if (stats.isFile()) return { ok: true, value: { file, bytes: stats.size } };
  closeSync(file);
  return notRegular(path);
}

/** False for a link: it may lead to any file of this machine, and reports embed what they read. */
export function isRegular(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

export function linkFault(path: string): ReturnType<typeof refused> {
  return refused(`${path} is a link`, 'put what it leads to in its place, or name another');
}

export function notFolder(path: string): ReturnType<typeof refused> {
  return refused(`${path} is not a folder`, 'restore it, or name another');
}

export function notRegular(path: string): ReturnType<typeof refused> {
  return refused(`${path} is not a regular file`, 'restore it, or name another');
}
