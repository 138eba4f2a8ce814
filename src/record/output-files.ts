import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../kit/diagnostic.ts';
import { isRegular } from './files/read-text.ts';
import { makeFolder, replaceFile } from './own-files.ts';
import type { Run } from './run.ts';

/*
 * The files of outputs: media/ holds the bytes that came, thumbs/ small copies of them for reports. Input images are
 * stored like outputs.
 */

/** Equal bytes are stored once; gives the digest. */
export type KeepMedia = (bytes: Uint8Array, extension: string) => string;

/** Stores bytes in any folder as a record does: for outputs that belong to no run. */
export function keeperOfMedia(folder: string): KeepMedia {
  // Once: a folder that is gone later is to be noticed, not made again.
  makeShelf(join(folder, 'media'));
  const shelves = new Set<string>();
  return (bytes, extension) => {
    const sha256 = hash('sha256', bytes, 'hex');
    const path = mediaPath(folder, sha256, extension);
    if (!shelves.has(dirname(path))) makeShelf(dirname(path));
    shelves.add(dirname(path));
    writeOnce(path, bytes);
    return sha256;
  };
}

/** Without the folders above it. */
function makeShelf(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Null where the media are pruned, or not a regular file. */
export async function readMedia(folder: string, sha256: string): Promise<Uint8Array | null> {
  const path = findMedia(folder, sha256);
  return path === null ? null : readFile(path);
}

export function isStored(folder: string, sha256: string): boolean {
  return findMedia(folder, sha256) !== null;
}

/** @param inputs the digests of its input images, which stay where outputs are deleted */
export function hasOutputs(folder: string, inputs: ReadonlySet<string>): boolean {
  const media = join(folder, 'media');
  if (!existsSync(media)) return false;
  return readdirSync(media, { withFileTypes: true }).some(
    (shelf) =>
      shelf.isDirectory() &&
      readdirSync(join(media, shelf.name)).some((name) => !inputs.has(name.slice(0, name.indexOf('.')))),
  );
}

/**
 * What stands in thumbs/: a thumbnail of each output and a smaller one, a copy of each larger image, a preview of each
 * video, and of each output that was compared with another variant's a heat map of their difference.
 */
export type SmallFormat = 'webp' | '200.webp' | '1024.webp' | 'mp4' | HeatFormat;
type HeatFormat = `${string}.heat.webp`;

/** Beside the digest of the first output of a pair. @param second the digest of the other one */
export function heatFormat(second: string): HeatFormat {
  return `${second}.heat.webp`;
}

export function writeSmall(folder: string, sha256: string, format: SmallFormat, bytes: Uint8Array): void {
  makeFolder(join(folder, 'thumbs'));
  replaceFile(smallPath(folder, sha256, format), bytes);
}

/** Whether the bytes are there, by the name that `mediaName` gives: they may be pruned, or not copied with the run. */
export function hasMedia(folder: string, name: string): boolean {
  return isRegular(join(folder, name));
}

export function readSmall(folder: string, sha256: string, format: SmallFormat): Uint8Array | null {
  const path = smallPath(folder, sha256, format);
  return isRegular(path) ? readFileSync(path) : null;
}

function mediaPath(folder: string, sha256: string, extension: string): string {
  return join(folder, mediaName(sha256, extension));
}

/** Relative to the record's folder. */
export function mediaName(sha256: string, extension: string): string {
  return `media/${sha256.slice(0, 2)}/${sha256}.${extension}`;
}

function findMedia(folder: string, sha256: string): string | null {
  const parent = join(folder, 'media', sha256.slice(0, 2));
  if (!existsSync(parent)) return null;
  const found = readdirSync(parent, { withFileTypes: true }).find(({ name }) => name.startsWith(`${sha256}.`));
  // Examination writes a small copy of what it reads into the report: a link may lead to any file of this machine.
  return found?.isFile() ? join(parent, found.name) : null;
}

function smallPath(folder: string, sha256: string, format: SmallFormat): string {
  return join(folder, 'thumbs', `${sha256}.${format}`);
}

/** A file that is shorter was left unfinished by a killed process, and is written again. */
function writeOnce(path: string, bytes: Uint8Array): void {
  let file: number;
  try {
    file = openSync(path, 'wx');
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const there = lstatSync(path);
    if (!there.isFile() || there.size !== bytes.length) replaceFile(path, bytes);
    return;
  }
  try {
    writeWhole(file, bytes);
  } catch (error) {
    rmSync(path, { force: true });
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  } finally {
    closeSync(file);
  }
}

/** The system may write a part of the bytes only. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** The digests of the input images of a run, each once. */
export function inputImages({ prompts }: Pick<Run, 'prompts'>): ReadonlySet<string> {
  return new Set(prompts.flatMap(({ image }) => image ?? []));
}

/*
 * Deletes only files that a run has stored under their digest, in real folders of its own. No link is followed, and
 * whatever else stands there stays.
 */

export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  /** Equal for all names of one file: media are hard links between a merged run and its shards. */
  readonly inode: string;
  readonly names: number;
}

export type Dropped = 'media' | 'media_and_thumbs';

const SHELF = /^[0-9a-f]{2}$/;
const MEDIA = /^[0-9a-f]{64}\.\w+$/;
const SMALL = /^[0-9a-f]{64}\.(?:webp|200\.webp|1024\.webp|mp4|[0-9a-f]{64}\.heat\.webp)$/;

/** By its name in the record: `media/ab/<sha256>.png`, `thumbs/<sha256>.webp`. */
export function isStoredName(name: string): boolean {
  const [folder, ...rest] = name.split('/');
  if (folder === 'thumbs') return rest.length === 1 && SMALL.test(rest[0] ?? '');
  const [shelf = '', file = ''] = rest;
  return folder === 'media' && rest.length === 2 && SHELF.test(shelf) && MEDIA.test(file) && file.startsWith(shelf);
}

/**
 * In the order of their names.
 *
 * @param kept digests of what stays: input images
 */
export function storedFiles(runFolder: string, dropped: Dropped, kept: ReadonlySet<string>): readonly StoredFile[] {
  const media = join(runFolder, 'media');
  const shelves = foldersIn(media).filter((name) => SHELF.test(name));
  const isDropped = (name: string) => !kept.has(name.slice(0, name.indexOf('.')));
  return [
    ...shelves.flatMap((shelf) =>
      filesIn(join(media, shelf), (name) => MEDIA.test(name) && name.startsWith(shelf) && isDropped(name)),
    ),
    ...(dropped === 'media' ? [] : filesIn(join(runFolder, 'thumbs'), (name) => SMALL.test(name) && isDropped(name))),
  ];
}

/** In bytes. A file counts where all its names are among those deleted. */
export function freedBytes(files: readonly StoredFile[]): number {
  const left = new Map<string, number>();
  let freed = 0;
  for (const { inode, names, bytes } of files) {
    const others = (left.get(inode) ?? names) - 1;
    left.set(inode, others);
    if (others === 0) freed += bytes;
  }
  return freed;
}

/** Also deletes folders below media/ that are empty then. Throws what the file system throws. */
export function deleteFiles(runFolder: string, files: readonly StoredFile[]): void {
  for (const { path } of files) rmSync(path, { force: true });
  const media = join(runFolder, 'media');
  for (const shelf of foldersIn(media)) removeEmpty(join(media, shelf));
  if (isFolder(media)) removeEmpty(media);
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // Something that is not ours is in it: ENOTEMPTY, or EEXIST on some systems.
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  }
}

/** No links; none where the folder itself is a link. */
function foldersIn(folder: string): readonly string[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function filesIn(folder: string, isOurs: (name: string) => boolean): readonly StoredFile[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isOurs(entry.name))
    .map(({ name }) => join(folder, name))
    .sort()
    .map((path) => {
      const { dev, ino, nlink, size } = lstatSync(path, { bigint: true });
      return { path, bytes: Number(size), inode: `${dev}:${ino}`, names: Number(nlink) };
    });
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
