import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../../record/files/make-folder.ts';
import type { ReportFile } from '../../report/reporter.ts';

/**
 * Writes a file beside its place and renames it into it, so that a reader never sees half of it, and gives its path. Makes the
 * folders above it. Throws what the file system throws, with the path; nothing is left of the file then.
 */
export async function writeFile(path: string, content: ReportFile['content'] | readonly Uint8Array[]): Promise<string> {
  makeFolder(dirname(path));
  const part = `${path}.part`;
  try {
    await pipeline(content, createWriteStream(part));
    await rename(part, path);
  } catch (error) {
    // What stands in its way may be no file of ours.
    await rm(part, { force: true }).catch(() => {});
    // Writing to an open file fails without its path.
    throw error instanceof Error && !('path' in error) ? Object.assign(error, { path }) : error;
  }
  return path;
}
