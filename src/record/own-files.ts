import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  type Dirent,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Checked, codeOf, refused, unreadable } from '../kit/diagnostic.ts';

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

interface OpenedFile {
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

/** False for a link. */
export function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
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

/*
 * Files that Retake writes. A record from somebody else may have a link to any file of this machine, or a pipe, in
 * their place: neither is followed or waited for.
 */

/** A random name, so that nothing can be in its place. The file is renamed when complete. */
export function partOf(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.part`;
}

/**
 * Replaces a file at once: readers never see half of it. `flush`: nor after a power cut. Throws the system's error,
 * with the path; leaves nothing then.
 */
export function replaceFile(path: string, content: string | Uint8Array, mode = 0o666, flush = false): void {
  replaceWith(path, (part) => writeFileSync(part, content, { flag: 'wx', mode, flush }));
}

/** An error of the system with the path that it does not name. */
export function atPath(error: unknown, path: string): unknown {
  return error instanceof Error ? Object.assign(error, { path }) : error;
}

function replaceWith(path: string, write: (part: string) => void): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  // Replaces a link; its target stays.
  if (there !== undefined && !there.isFile() && !there.isSymbolicLink()) throw notRegularError(path);
  const part = partOf(path);
  try {
    write(part);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw atPath(error, path);
  }
}

/** For appending, and reading back the end. A system without these flags has no such pipes and links. */
const APPEND =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file to append, or makes it. One with several hard links is copied first: the others stay unchanged. Throws
 * if it is a link or not regular.
 */
export function openToAppend(path: string, mode = 0o666): number {
  const file = openSync(path, APPEND, mode);
  const stats = fstatSync(file);
  if (stats.isFile() && stats.nlink <= 1) return file;
  closeSync(file);
  if (stats.isFile()) {
    replaceWith(path, (part) => copyFileSync(path, part, constants.COPYFILE_EXCL));
    return openSync(path, APPEND, mode);
  }
  throw notRegularError(path);
}

function notRegularError(path: string): Error {
  return Object.assign(new Error(`${path} is not a regular file`), { code: 'EEXIST', syscall: 'open', path });
}

const FOLDERS = new Set(['media', 'thumbs']);
const FILES = new Set(['run.json', 'journal.jsonl', 'facts.jsonl', 'lock']);

/** Refuses a record with a link, or a pipe instead of a file. A missing record passes. */
export function checkOwn(folder: string): Checked<null> {
  for (const parent of [folder, join(folder, 'media')]) {
    let entries: readonly Dirent[];
    try {
      entries = entriesOf(parent);
    } catch (error) {
      const { cause, remedy } = unreadable(error);
      return refused(`cannot read ${parent}: ${cause}`, remedy);
    }
    for (const entry of entries) {
      const path = join(parent, entry.name);
      if (entry.isSymbolicLink()) return linkFault(path);
      if (parent !== folder) continue;
      if (FILES.has(entry.name) && !entry.isFile()) return notRegular(path);
      if (FOLDERS.has(entry.name) && !entry.isDirectory()) return notFolder(path);
    }
  }
  return { ok: true, value: null };
}

/** Names of the folders in a folder, sorted, without hidden ones and links; none if it is not there. */
export function foldersIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

/** None if it is not there, or is no folder. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

/**
 * Makes a folder with its parents. Node's recursive mkdir never returns (seen on 20.20) if an existing parent answers
 * ENOENT, as /proc does. Throws errors of the file system.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
