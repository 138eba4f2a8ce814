import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../../record/files/make-folder.ts';
import { partOf } from '../../record/files/own-files.ts';
import type { ReportFile } from '../../report/reporter.ts';

/**
 * Writes a file beside its place and renames it, so that no reader sees half of it; makes the folders above it. Gives
 * its path. Throws the error of the file system with the path, and leaves no part of the file.
 */
export async function writeFile(path: string, content: ReportFile['content'] | readonly Uint8Array[]): Promise<string> {
  makeFolder(dirname(path));
  const part = partOf(path);
  try {
    await pipeline(content, createWriteStream(part, { flags: 'wx' }));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
  return path;
}
