import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../kit/diagnostic.ts';

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
