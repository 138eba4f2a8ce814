import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../../record/make-folder.ts';
import type { ReportFile } from '../../report/reporter.ts';

/**
 * Writes a file beside its place and renames it into it, so that a reader never sees half of it, and gives its path. Makes the
 * folders above it. Throws what the file system throws.
 */
export async function writeFile(path: string, content: ReportFile['content']): Promise<string> {
  makeFolder(dirname(path));
  const part = `${path}.part`;
  await pipeline(content, createWriteStream(part));
  await rename(part, path);
  return path;
}
