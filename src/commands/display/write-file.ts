import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder, partOf } from '../../record/files/own-files.ts';
import type { ReportFile } from '../../report/reporter.ts';

/** Writes beside the place and renames, so that no reader sees half of a file. Gives the path; throws with the path. */
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
