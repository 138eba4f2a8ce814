import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Throws what the file system throws. Node's own recursive mkdir never returns (seen on 20.20) where a folder that is
 * there says ENOENT to a new one, as /proc does.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
