import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  createWriteStream,
  lstatSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { codeOf, fileFaultOf, Refused, refusal, refuseFolder } from '../../kit/diagnostic.ts';
import { makeFolder, partOf } from '../../record/own-files.ts';
import { removeAbandoned } from '../../record/own-names.ts';
import type { ReportFile } from '../../report/reporter.ts';

/**
 * Writes to a path that the user named, and gives it; throws with the path. A regular file, also behind a link, is
 * replaced whole, so that no reader sees half of it. A pipe, a device and a link to nothing are written into.
 */
export async function writeFile(path: string, content: ReportFile['content'] | readonly Uint8Array[]): Promise<string> {
  makeFolder(dirname(path));
  const file = regularFileAt(path);
  const part = file === null ? null : partOf(file);
  try {
    const stream = part === null ? { fd: openInto(path, constants.O_TRUNC) } : { flags: 'wx' };
    await pipeline(content, createWriteStream(part ?? path, stream));
    if (part === null || file === null) return path;
    removeAbandoned(file, part);
    await rename(part, file);
  } catch (error) {
    if (part !== null) await rm(part, { force: true }).catch(() => {});
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
  return path;
}

/** The file to replace or create; null for a pipe, a device or a link to nothing. */
function regularFileAt(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return path;
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? realpathSync(path) : null;
}

/** Creates the file if needed. Refuses a pipe that nobody reads (ENXIO) instead of waiting. */
export function openInto(path: string, how: number): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | how;
  // Held open, because the reader of a pipe would see its end between the two openings.
  const held = openSync(path, flags | (constants.O_NONBLOCK ?? 0));
  try {
    return openSync(path, flags);
  } finally {
    closeSync(held);
  }
}

/** Makes the folder of `--out` if needed and checks that it is writable, before anything that costs money or time. */
export function openFolder(folder: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    refuseFolder(folder, error);
  }
}

export interface NewFile {
  /** Relative to the working folder. */
  readonly path: string;
  readonly content: { readonly text: string; readonly mode?: number } | { readonly copyOf: string };
}

/** Writes all of these, or none. @param remedy where one exists: nothing is overwritten */
export function writeNewFiles(files: readonly NewFile[], remedy: string, cwd: string): void {
  const there = files.filter(({ path }) => isThere(resolve(cwd, path))).map(({ path }) => path);
  if (there.length > 0) throw existRefusal(there, remedy);
  const written: string[] = [];
  for (const { path, content } of files) {
    const absolute = resolve(cwd, path);
    try {
      makeFolder(dirname(absolute));
      // Exclusive: another process may have written it meanwhile.
      if ('copyOf' in content) copyFileSync(content.copyOf, absolute, constants.COPYFILE_EXCL);
      else
        writeFileSync(absolute, content.text, {
          flag: 'wx',
          ...(content.mode !== undefined && { mode: content.mode }),
        });
      written.push(absolute);
    } catch (error) {
      for (const other of written) rmSync(other, { force: true });
      if (codeOf(error) === 'EEXIST') throw existRefusal([path], remedy);
      const fault = fileFaultOf(error);
      if (fault === null) throw error;
      throw refusal(`cannot write ${path} (${fault.code})`, fault.remedy);
    }
  }
}

export function existRefusal(paths: readonly string[], remedy: string): Refused {
  return new Refused(paths.map((path) => ({ place: null, cause: `${path} exists`, remedy })));
}

/** Also for a link to nothing. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}
