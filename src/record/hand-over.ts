import { createHash, type Hash } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Checked, codeOf, fileFaultOf, refused } from '../kit/diagnostic.ts';
import { isStoredName, storedFiles } from './output-files.ts';
import { isRealFolder, linkFault, makeFolder, notFolder, notRegular } from './own-files.ts';
import { HEADER, LINES, modeOf } from './own-names.ts';

/*
 * Copies a shard's record from the machine that measured it, piece by piece. Neither side trusts the other: only names
 * of a record are read and written, and no link is followed.
 */

/** `name`: relative to the record, with slashes. */
export interface HandedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export type ReadPiece = (name: string, from: number) => Promise<Uint8Array>;

export const PIECE_BYTES = 512 * 1024;

/** For one reply, or one file of a record. */
const MOST_FILE_BYTES = 256 * 1024 * 1024;
/** A reply has at most 64 outputs, each with small copies and heat maps. */
const FILES_A_REQUEST = 64 * 8;

/** Most files and bytes of a shard. Files are at most 256 MiB, as replies are. */
export function mostHandedOver(
  requests: number,
  inputImages: number,
): { readonly files: number; readonly bytes: number } {
  const kept = requests + inputImages;
  return { files: FILES.size + FILES_A_REQUEST * kept, bytes: MOST_FILE_BYTES * (FILES.size + kept) };
}

const FILES: ReadonlySet<string> = new Set([...LINES, HEADER]);

/** Whether a file of a record has this name. */
export function isHandedOver(name: string): boolean {
  return FILES.has(name) || isStoredName(name);
}

function fitsItsName({ name, sha256 }: HandedFile): boolean {
  return !name.startsWith('media/') || name.split('/')[2]?.split('.')[0] === sha256;
}

/**
 * The files of a record in reading order: run.json last, so that half a copy is not a run. Leaves out irregular files,
 * and media that a killed process left unfinished; with `leaveMedia` all of media/.
 */
export async function listRecord(
  folder: string,
  options: { readonly leaveMedia: boolean },
): Promise<readonly HandedFile[]> {
  const outputs = storedFiles(folder, 'media_and_thumbs', new Set())
    .map(({ path }) => relative(folder, path).split('\\').join('/'))
    .filter((name) => !(options.leaveMedia && name.startsWith('media/')));
  const listed: HandedFile[] = [];
  for (const name of [...LINES, ...outputs, HEADER]) {
    const entry = await ownFile(folder, name);
    if (entry !== null && fitsItsName(entry)) listed.push(entry);
  }
  return listed;
}

/**
 * Reads up to `PIECE_BYTES` and `mostBytes` at an offset; empty at the end. Throws if the name is not in a record or
 * the file is not regular.
 */
export async function readPiece(
  folder: string,
  name: string,
  from: number,
  mostBytes = PIECE_BYTES,
): Promise<Uint8Array> {
  if (!isHandedOver(name)) throw new Error(`${JSON.stringify(name)} is not the name of a file of a record`);
  if (!Number.isSafeInteger(from) || from < 0) throw new Error(`${from} is not an offset`);
  const read = await withOwn(folder, name, async (file) => {
    const { size } = await file.stat();
    const piece = new Uint8Array(Math.max(0, Math.min(PIECE_BYTES, mostBytes, size - from)));
    return piece.subarray(0, await readInto(file, piece, from));
  });
  if (read === null) throw new Error(`${name} is not a regular file`);
  return read;
}

/** Null if not a regular file. */
function ownFile(folder: string, name: string): Promise<HandedFile | null> {
  return withOwn(folder, name, async (file) => {
    const hash = createHash('sha256');
    const bytes = await hashInto(hash, file);
    return { name, bytes, sha256: hash.digest('hex') };
  });
}

/** Opening never waits for a pipe. A system without these flags has no such pipes and links. */
const GUARDED = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const NOT_REGULAR: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENXIO', 'EISDIR', 'ELOOP']);

/** Null if not a regular file. */
async function withOwn<T>(folder: string, name: string, use: (file: FileHandle) => Promise<T>): Promise<T | null> {
  if (foldersOf(name).some((parent) => !isRealFolder(join(folder, parent)))) return null;
  let file: FileHandle;
  try {
    file = await open(join(folder, name), constants.O_RDONLY | GUARDED);
  } catch (error) {
    if (NOT_REGULAR.has(codeOf(error) ?? '')) return null;
    throw error;
  }
  try {
    return (await file.stat()).isFile() ? await use(file) : null;
  } finally {
    await file.close();
  }
}

/** Of `media/ab/x.png`: `media`, `media/ab`. */
function foldersOf(name: string): readonly string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

async function hashInto(hash: Hash, file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const buffer = new Uint8Array(Math.min(PIECE_BYTES, size + 1));
  let at = 0;
  for (;;) {
    const length = await readInto(file, buffer, at);
    hash.update(buffer.subarray(0, length));
    at += length;
    if (length < buffer.length) return at;
  }
}

async function readInto(file: FileHandle, buffer: Uint8Array, from: number): Promise<number> {
  let at = 0;
  while (at < buffer.length) {
    const { bytesRead } = await file.read(buffer, at, buffer.length - at, from + at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return at;
}

/**
 * Copies a listed record into a folder, one piece in flight. Skips complete files, continues `<name>.part`, reads a
 * file with a wrong digest once more. Rejects as `read` does; another call continues.
 */
export async function copyRecord(
  folder: string,
  listed: readonly HandedFile[],
  read: ReadPiece,
): Promise<Checked<null>> {
  const wrong = wrongList(listed);
  if (wrong !== null) return refused(wrong, WORKER_REMEDY);
  const away: unknown[] = [];
  const asked: ReadPiece = async (name, from) => {
    try {
      return await read(name, from);
    } catch (error) {
      away.push(error);
      throw error;
    }
  };
  const isHeader = ({ name }: HandedFile) => name === HEADER;
  try {
    makeFolder(folder);
    if (!isRealFolder(folder)) return notFolder(folder);
    for (const file of [...listed.filter((entry) => !isHeader(entry)), ...listed.filter(isHeader)]) {
      const copied = await copyFile(folder, file, asked);
      if (!copied.ok) return copied;
    }
    return DONE;
  } catch (error) {
    const fault = away.includes(error) ? null : fileFaultOf(error);
    if (fault === null) throw error;
    return refused(fault.cause, fault.remedy);
  }
}

const DONE = { ok: true, value: null } as const;
const WORKER_REMEDY = 'check the machine that sent it';

function wrongList(listed: readonly HandedFile[]): string | null {
  const names = new Set<string>();
  for (const file of listed) {
    const { name, bytes, sha256 } = file;
    if (!isHandedOver(name)) return `${JSON.stringify(name)} is not the name of a file of a record`;
    if (names.has(name)) return `${name} is listed twice`;
    if (!Number.isSafeInteger(bytes) || bytes < 0) return `${name} has no valid size`;
    if (!/^[0-9a-f]{64}$/.test(sha256) || !fitsItsName(file)) return `${name} has no valid digest`;
    names.add(name);
  }
  return null;
}

async function copyFile(folder: string, listed: HandedFile, read: ReadPiece): Promise<Checked<null>> {
  const { name, bytes, sha256 } = listed;
  const parents = await makeFolders(folder, name);
  if (!parents.ok) return parents;
  const path = join(folder, name);
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) return there.isSymbolicLink() ? linkFault(path) : notRegular(path);
  if (there?.size === bytes && (await ownFile(folder, name))?.sha256 === sha256) return DONE;
  const part = `${path}.part`;
  const opened = await openPart(part, modeOf(name));
  if (!opened.ok) return opened;
  try {
    const filled = await fillTwice(opened.value, listed, read);
    if (!filled.ok) return filled;
  } finally {
    await opened.value.close();
  }
  await rename(part, path);
  return DONE;
}

async function makeFolders(folder: string, name: string): Promise<Checked<null>> {
  for (const parent of foldersOf(name)) {
    const path = join(folder, parent);
    if (isRealFolder(path)) continue;
    try {
      await mkdir(path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      return (await lstat(path)).isSymbolicLink() ? linkFault(path) : notFolder(path);
    }
  }
  return DONE;
}

/** Replaces a part with several hard links: writing would change the others too. */
async function openPart(path: string, mode: number): Promise<Checked<FileHandle>> {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true) return linkFault(path);
  if (there !== undefined && !there.isFile()) return notRegular(path);
  if (there !== undefined && (there.nlink > 1 || (mode === 0o600 && (there.mode & 0o077) !== 0))) await rm(path);
  return { ok: true, value: await open(path, constants.O_RDWR | constants.O_CREAT | GUARDED, mode) };
}

async function fillTwice(part: FileHandle, listed: HandedFile, read: ReadPiece): Promise<Checked<null>> {
  for (const isLast of [false, true]) {
    const filled = await fill(part, listed, read);
    if (!filled.ok) return filled;
    if (filled.value === listed.sha256) return DONE;
    await part.truncate(0);
    if (isLast) break;
  }
  return refused(`${listed.name} arrived with a wrong digest, twice`, WORKER_REMEDY);
}

/** Continues at the end of the part; gives the digest of the whole. */
async function fill(part: FileHandle, { name, bytes }: HandedFile, read: ReadPiece): Promise<Checked<string>> {
  if ((await part.stat()).size > bytes) await part.truncate(0);
  const hash = createHash('sha256');
  let at = await hashInto(hash, part);
  while (at < bytes) {
    const piece = await read(name, at);
    if (piece.length === 0) return refused(`${name} ended before its size`, WORKER_REMEDY);
    if (piece.length > Math.min(PIECE_BYTES, bytes - at)) {
      return refused(`a piece of ${name} is longer than asked`, WORKER_REMEDY);
    }
    await writeWhole(part, piece, at);
    hash.update(piece);
    at += piece.length;
  }
  return { ok: true, value: hash.digest('hex') };
}

/** The system may write only some of the bytes. */
async function writeWhole(file: FileHandle, bytes: Uint8Array, from: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at, from + at)).bytesWritten;
  }
}
