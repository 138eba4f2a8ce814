import { accessSync, constants, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder, partOf } from '../../record/files/own-files.ts';
import type { ReportFile } from '../../report/reporter.ts';
import { type Checked, fileFaultOf, refused } from '../../suite/document/diagnostic.ts';

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

/** Makes the folder of `--out` if needed and checks that it is writable, before anything that costs money or time. */
export function openFolder(folder: string): Checked<string> {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    return { ok: true, value: folder };
  } catch (error) {
    return refuseFolder(folder, error);
  }
}

export function refuseFolder(folder: string, error: unknown): Checked<never> {
  const fault = fileFaultOf(error);
  if (fault === null) throw error;
  const remedy = fault.ofPath ? 'name another folder with --out' : fault.remedy;
  return refused(`cannot write to ${folder} (${fault.code})`, remedy);
}
