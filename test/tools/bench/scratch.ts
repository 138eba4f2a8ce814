import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/**
 * A new folder. All of them are cleared away at the end, not between: for half a minute after many files were deleted
 * some file systems (ext4) take up to twenty times as long to create one.
 */
export function scratchFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'retake-bench-'));
  folders.push(folder);
  return folder;
}

export function clearScratch(): void {
  folders.forEach(removeFolder);
}

/** Clears a folder away before the end. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * A file system in memory, which takes the disk out of a figure; null where this machine has none that may be written
 * to.
 */
export function memoryFolder(): string | null {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return null;
  }
}
