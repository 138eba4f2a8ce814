import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../suite/document/file-fault.ts';
import { makeFolder } from '../files/make-folder.ts';
import { replaceFile } from '../files/own-files.ts';
import { isRegular } from '../files/read-text.ts';

/*
 * The files of outputs: media/ holds the bytes that came, thumbs/ small copies of them for reports. Input images are stored like outputs.
 */

/** Stores bytes under their digest, equal bytes once; gives the digest. */
export type KeepMedia = (bytes: Uint8Array, extension: string) => string;

/** What stores bytes as a record does, in any folder: for outputs that belong to no run. */
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

/** The stored bytes of an output; null where its media has been pruned, or is not a regular file. */
export async function readMedia(folder: string, sha256: string): Promise<Uint8Array | null> {
  const path = findMedia(folder, sha256);
  return path === null ? null : readFile(path);
}

/** Whether a record has the bytes of an output, or of an input image. */
export function isStored(folder: string, sha256: string): boolean {
  return findMedia(folder, sha256) !== null;
}

/**
 * Whether a record still has the media of outputs.
 *
 * @param inputs the digests of its input images, which stay where outputs are deleted
 */
export function hasOutputs(folder: string, inputs: ReadonlySet<string>): boolean {
  const media = join(folder, 'media');
  if (!existsSync(media)) return false;
  return readdirSync(media, { withFileTypes: true }).some(
    (shelf) =>
      shelf.isDirectory() &&
      readdirSync(join(media, shelf.name)).some((name) => !inputs.has(name.slice(0, name.indexOf('.')))),
  );
}

/** What stands in thumbs/: a thumbnail of each output and a smaller one, a copy of each larger image, and a preview of each video. */
export type SmallFormat = 'webp' | '200.webp' | '1024.webp' | 'mp4';

/** Keeps a thumbnail or a copy (WebP), or a preview (MP4), of an output. */
export function writeSmall(folder: string, sha256: string, format: SmallFormat, bytes: Uint8Array): void {
  makeFolder(join(folder, 'thumbs'));
  replaceFile(smallPath(folder, sha256, format), bytes);
}

/** The bytes of an output's thumbnail, copy or preview; null where there is none. */
export function readSmall(folder: string, sha256: string, format: SmallFormat): Uint8Array | null {
  const path = smallPath(folder, sha256, format);
  return isRegular(path) ? readFileSync(path) : null;
}

function mediaPath(folder: string, sha256: string, extension: string): string {
  return join(folder, mediaName(sha256, extension));
}

/** Where a record has an output, from its folder, as a relative URL. */
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

/** Writes a file that is there only once; one that a killed process left unfinished is shorter, and written again. */
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

/** A write to a file may be short; this one ends when all is written. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
