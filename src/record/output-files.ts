import { hash } from 'node:crypto';
import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf } from '../kit/diagnostic.ts';
import { atPath, entriesOf, foldersIn, isRealFolder, isRegular, makeFolder, replaceFile } from './own-files.ts';
import type { Run } from './run.ts';

/*
 * Files of outputs: media/ has the original bytes, thumbs/ small copies for reports. Input images are stored like
 * outputs.
 */

/** Stores equal bytes once; gives the digest. */
export type KeepMedia = (bytes: Uint8Array, extension: string) => string;

/** Stores bytes in any folder as a record does, for outputs without a run. */
export function keeperOfMedia(folder: string): KeepMedia {
  // Only once: a folder that disappears later must cause an error.
  makeShelf(join(folder, 'media'));
  const shelves = new Set<string>();
  return (bytes, extension) => {
    const sha256 = hash('sha256', bytes, 'hex');
    const shelf = sha256.slice(0, 2);
    if (!shelves.has(shelf)) makeShelf(join(folder, 'media', shelf));
    shelves.add(shelf);
    writeOnce(join(folder, mediaName(sha256, extension)), bytes);
    return sha256;
  };
}

/** Does not make parent folders. */
function makeShelf(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Null if the media were pruned, or are not a regular file. */
export async function readMedia(folder: string, sha256: string): Promise<Uint8Array | null> {
  const path = findMedia(folder, sha256);
  return path === null ? null : readFile(path);
}

export function isStored(folder: string, sha256: string): boolean {
  return findMedia(folder, sha256) !== null;
}

/** Lets an examination read the media of a record from a new folder, and write what it makes there. */
export function borrowMedia(from: string, to: string): void {
  symlinkSync(join(from, 'media'), join(to, 'media'), 'junction');
}

/** The folders whose time of change tells that media or thumbnails came or went. */
export function outputFolders(folder: string): readonly string[] {
  const media = join(folder, 'media');
  return [join(folder, 'thumbs'), ...shelvesIn(media).map((shelf) => join(media, shelf))];
}

/** Whether media other than `inputs` exist. `inputs`: digests of input images, which are not pruned. */
export function hasOutputs(folder: string, inputs: ReadonlySet<string>): boolean {
  const media = join(folder, 'media');
  return foldersIn(media).some((shelf) => readdirSync(join(media, shelf)).some((name) => !inputs.has(digestIn(name))));
}

/**
 * Kinds of files in thumbs/: two thumbnails, a copy of a larger image, a preview of a video, and a heat map of the
 * difference from another variant's output.
 */
export type SmallFormat = 'webp' | '200.webp' | '1024.webp' | 'mp4' | HeatFormat;
type HeatFormat = `${string}.heat.webp`;

/** Suffix of a heat map, stored beside the first output of a pair; `second` is the digest of the other. */
export function heatFormat(second: string): HeatFormat {
  return `${second}.heat.webp`;
}

export function writeSmall(folder: string, sha256: string, format: SmallFormat, bytes: Uint8Array): void {
  makeFolder(join(folder, 'thumbs'));
  replaceFile(smallPath(folder, sha256, format), bytes);
}

/** Whether a file with the name from `mediaName` exists: media may be pruned, or not copied with the run. */
export function hasMedia(folder: string, name: string): boolean {
  return isRegular(join(folder, name));
}

export function readSmall(folder: string, sha256: string, format: SmallFormat): Uint8Array | null {
  const path = smallPath(folder, sha256, format);
  return isRegular(path) ? readFileSync(path) : null;
}

/** Of two outputs, in either order; null where no folder of these has one. */
export function readHeatMap(folders: readonly string[], one: string, other: string): Uint8Array | null {
  const [a, b] = one < other ? [one, other] : [other, one];
  return folders.map((folder) => readSmall(folder, a, heatFormat(b))).find((bytes) => bytes !== null) ?? null;
}

/** Relative to the record's folder. */
export function mediaName(sha256: string, extension: string): string {
  return `media/${sha256.slice(0, 2)}/${sha256}.${extension}`;
}

function findMedia(folder: string, sha256: string): string | null {
  const parent = join(folder, 'media', sha256.slice(0, 2));
  const file = entriesOf(parent).find(({ name }) => name.startsWith(`${sha256}.`));
  // Not a link to any file of this machine: reports embed small copies of what is read.
  return file?.isFile() ? join(parent, file.name) : null;
}

function smallPath(folder: string, sha256: string, format: SmallFormat): string {
  return join(folder, 'thumbs', `${sha256}.${format}`);
}

/** A shorter file was left unfinished by a killed process, and is replaced. */
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
    writeFileSync(file, bytes);
  } catch (error) {
    rmSync(path, { force: true });
    throw atPath(error, path);
  } finally {
    closeSync(file);
  }
}

/**
 * Links media, thumbnails and previews of `wanted` digests into another record where missing; copies where the file
 * system cannot link. Skips irregular files, and copies only what matches its digest.
 */
export function linkOutputs(from: string, to: string, wanted: ReadonlySet<string>): void {
  const isWanted = (name: string) => wanted.has(digestIn(name));
  for (const shelf of shelvesIn(join(from, 'media'))) {
    for (const { path } of filesIn(join(from, 'media', shelf), isWanted)) {
      makeFolder(join(to, 'media', shelf));
      linkOrCopy(path, join(to, 'media', shelf, basename(path)));
    }
  }
  makeFolder(join(to, 'thumbs'));
  // Copied: another examination may rewrite one, and a link would change both.
  for (const { path } of filesIn(join(from, 'thumbs'), isWanted)) {
    writeOnce(join(to, 'thumbs', basename(path)), readFileSync(path));
  }
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

function digestIn(name: string): string {
  return name.replace(/\..*$/, '');
}

/** Digests of the input images and masks of a run. */
export function inputImages({ prompts }: Pick<Run, 'prompts'>): ReadonlySet<string> {
  return new Set(prompts.flatMap(({ media }) => media.map(({ sha256 }) => sha256)));
}

/*
 * Deletes only files that a run stored under their digest, in real folders of its own. Follows no link, and leaves
 * everything else.
 */

export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  /** Identifies hard links of one file: a merged run links the media of its shards. */
  readonly inode: string;
  readonly names: number;
}

export type Dropped = 'media' | 'media_and_thumbs';

const SHELF = /^[0-9a-f]{2}$/;
const MEDIA = /^[0-9a-f]{64}\.\w+$/;
const SMALL = /^[0-9a-f]{64}\.(?:webp|200\.webp|1024\.webp|mp4|[0-9a-f]{64}\.heat\.webp)$/;

/** Whether a name in the record is of stored media or a small copy: `media/ab/<sha256>.png`, `thumbs/<sha256>.webp`. */
export function isStoredName(name: string): boolean {
  const [folder, ...rest] = name.split('/');
  if (folder === 'thumbs') return rest.length === 1 && SMALL.test(rest[0] ?? '');
  const [shelf = '', file = ''] = rest;
  return folder === 'media' && rest.length === 2 && SHELF.test(shelf) && MEDIA.test(file) && file.startsWith(shelf);
}

/** Stored files, sorted by name, except those with a digest in `kept` (input images). */
export function storedFiles(runFolder: string, dropped: Dropped, kept: ReadonlySet<string>): readonly StoredFile[] {
  const media = join(runFolder, 'media');
  const isDropped = (name: string) => !kept.has(digestIn(name));
  return [
    ...shelvesIn(media).flatMap((shelf) =>
      filesIn(join(media, shelf), (name) => MEDIA.test(name) && name.startsWith(shelf) && isDropped(name)),
    ),
    ...(dropped === 'media' ? [] : filesIn(join(runFolder, 'thumbs'), (name) => SMALL.test(name) && isDropped(name))),
  ];
}

/** Bytes that deleting would free: a file counts if all its hard links are listed. */
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

/** Deletes files, and Retake's folders of media/ that become empty. Throws errors of the file system. */
export function deleteFiles(runFolder: string, files: readonly StoredFile[]): void {
  for (const { path } of files) rmSync(path, { force: true });
  const media = join(runFolder, 'media');
  for (const shelf of shelvesIn(media)) removeEmpty(join(media, shelf));
  if (isRealFolder(media)) removeEmpty(media);
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // The folder contains other files: ENOTEMPTY, or EEXIST on some systems.
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Real folders only; none if the folder itself is a link. */
function shelvesIn(media: string): readonly string[] {
  return isRealFolder(media) ? foldersIn(media).filter((name) => SHELF.test(name)) : [];
}

function filesIn(folder: string, isOurs: (name: string) => boolean): readonly StoredFile[] {
  if (!isRealFolder(folder)) return [];
  return entriesOf(folder)
    .filter((entry) => entry.isFile() && isOurs(entry.name))
    .map(({ name }) => join(folder, name))
    .sort()
    .map((path) => {
      const { dev, ino, nlink, size } = lstatSync(path, { bigint: true });
      return { path, bytes: Number(size), inode: `${dev}:${ino}`, names: Number(nlink) };
    });
}
