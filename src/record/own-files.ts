import { hash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  linkSync,
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
import { basename, dirname, join } from 'node:path';
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
 * Replaces a file at once: readers never see half of it. `flush`: nor after a power cut. Throws the system's error, with
 * the path; leaves nothing then.
 */
export function replaceFile(path: string, content: string | Uint8Array, mode = 0o666, flush = false): void {
  replaceWith(path, (part) => writeFileSync(part, content, { flag: 'wx', mode, flush }));
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
    throw error instanceof Error ? Object.assign(error, { path }) : error;
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
    let entries: ReturnType<typeof entriesOf>;
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

function entriesOf(folder: string) {
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

/**
 * Links media, thumbnails and previews of `wanted` digests into another record where missing; copies where the file
 * system cannot link. Skips irregular files, and copies only what matches its digest.
 */
export function linkOutputs(from: string, to: string, wanted: ReadonlySet<string>): void {
  for (const shelf of namesIn(join(from, 'media'))) {
    for (const name of wantedIn(join(from, 'media', shelf), wanted)) {
      makeFolder(join(to, 'media', shelf));
      linkOrCopy(join(from, 'media', shelf, name), join(to, 'media', shelf, name));
    }
  }
  makeFolder(join(to, 'thumbs'));
  // Copied: another examination may rewrite one, and a link would change both.
  for (const name of wantedIn(join(from, 'thumbs'), wanted)) {
    writeOnce(join(to, 'thumbs', name), readFileSync(join(from, 'thumbs', name)));
  }
}

/** Regular files only: a link may lead to any file of this machine. */
function wantedIn(folder: string, wanted: ReadonlySet<string>): readonly string[] {
  return namesIn(folder).filter((name) => wanted.has(digestIn(name)) && isRegular(join(folder, name)));
}

function digestIn(name: string): string {
  return name.replace(/\..*$/, '');
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    // Another disk, or no support for links. If copying fails too, its error says why.
    const bytes = readFileSync(from);
    if (hash('sha256', bytes, 'hex') === digestIn(basename(from))) writeOnce(to, bytes);
  }
}

function writeOnce(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes, { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
